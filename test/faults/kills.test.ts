import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEATHS, die, meet, openKillBench } from "./kills.ts";
import type { KillBench } from "./kills.ts";

describe("killed callers", () => {
  let bench: KillBench;
  beforeAll(async () => void (bench = await openKillBench()));
  afterAll(() => bench.close());

  it.concurrent.each(
    DEATHS.map((death) => {
      const { stops, fault, leaves } = death;
      const faultText = fault === undefined ? "" : ` and the upstream answered ${fault}`;
      return [`${stops.join(", then ")}${faultText}`, leaves, death] as const;
    }),
  )(
    "the repeat of a keyed write whose caller was killed at the step %s has the result: %s",
    async (_steps, _leaves, death) => {
      const name = `${death.stops.join("-")}-${death.fault ?? "fine"}`;
      expect(await die(bench, death, name)).toEqual([]);
    },
  );

  it("other callers with an equal key wait for the result of a live caller", async () => {
    expect(await meet(bench, "meeting")).toEqual([]);
  });
});
