import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ResultEnvelope } from "@waybill/core";
import { Caller } from "./kill-caller.ts";
import { openKillBench } from "./kills.ts";
import type { KillBench } from "./kills.ts";
import type { Step } from "./pausing.ts";

interface Death {
  readonly stops: readonly Step[];
  /** How often each of the two writes was applied at the kill, and at the end. */
  readonly before: readonly [number, number];
  readonly after: readonly [number, number];
  /** Result of the same call made again. */
  readonly leaves: "ok" | "unknown" | "replayed";
}

/** The journal has the steps of the whole call around the steps of both writes. */
const DEATHS: readonly Death[] = [
  { stops: ["after-begin"], before: [0, 0], after: [1, 1], leaves: "ok" },
  { stops: ["after-begin", "after-begin"], before: [0, 0], after: [1, 1], leaves: "ok" },
  { stops: ["after-sent"], before: [0, 0], after: [0, 0], leaves: "unknown" },
  { stops: ["after-answer"], before: [1, 0], after: [1, 0], leaves: "unknown" },
  { stops: ["after-settle"], before: [1, 0], after: [1, 1], leaves: "ok" },
  { stops: ["after-settle", "before-sent"], before: [1, 0], after: [1, 1], leaves: "ok" },
  { stops: ["after-settle", "after-answer"], before: [1, 1], after: [1, 1], leaves: "unknown" },
  { stops: ["after-settle", "after-settle"], before: [1, 1], after: [1, 1], leaves: "ok" },
  {
    stops: ["after-settle", "after-settle", "after-settle"],
    before: [1, 1],
    after: [1, 1],
    leaves: "replayed",
  },
];

function leftBy(result: ResultEnvelope): string {
  if (!result.ok) return String(result.error.details?.["outcome"]);
  return result.meta.replayed === true ? "replayed" : "ok";
}

describe("callers killed within the steps of a card", () => {
  let bench: KillBench;
  beforeAll(async () => void (bench = await openKillBench()));
  afterAll(() => bench.close());

  const applied = (name: string): number[] =>
    ["first", "second"].map((step) => bench.upstream.store.applied(`${name}-${step}`));

  async function killAt(stops: readonly Step[], name: string): Promise<void> {
    const { upstream, path, program } = bench;
    const options = { url: upstream.url, path, key: name, marker: name, stops };
    const caller = new Caller(program, { ...options, capability: "pair.steps" });
    for (const [index, step] of stops.entries()) {
      if (index > 0) caller.goOn();
      await caller.stoppedAt(step);
    }
    await caller.kill();
  }

  it.each(DEATHS.map((death) => [death.stops.join(", then "), death] as const))(
    "the steps of a card continue after their caller was killed at the step %s",
    async (_steps, death) => {
      const { stops, before, after, leaves } = death;
      const name = `pair-${stops.join("-")}`;
      await killAt(stops, name);
      expect(applied(name)).toEqual(before);
      const again = (): Promise<ResultEnvelope> =>
        bench.waybill.execute(
          "pair.steps",
          { shelf: name, text: name },
          { idempotency_key: name, deadline_ms: 60_000 },
        );
      expect(leftBy(await again())).toBe(leaves);
      expect(applied(name)).toEqual(after);
      expect(leftBy(await again())).toBe(leaves === "unknown" ? "unknown" : "replayed");
      expect(applied(name)).toEqual(after);
    },
  );
});
