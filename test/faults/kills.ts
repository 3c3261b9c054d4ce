// Kills callers between any two steps of the journal, and repeats their calls.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpTransport } from "@waybill/adapters/http";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { openJournal } from "@waybill/state";
import { makeBundleFolder } from "../support/bundle.ts";
import { waybillFor } from "./bench.ts";
import { Caller, bundleCaller } from "./kill-caller.ts";
import type { Step } from "./pausing.ts";
import { Upstream } from "./upstream.ts";

/**
 * The result of a repeat with the same key after the kill: it sends again, it reports `unknown`, or
 * it returns the result.
 */
type Aftermath = "applies" | "unknown" | "replayed";

export interface Death {
  readonly stops: readonly Step[];
  readonly fault?: string;
  /** How often the write of the killed caller was applied. */
  readonly applied: 0 | 1;
  readonly leaves: Aftermath;
}

export const DEATHS: readonly Death[] = [
  { stops: ["after-begin"], applied: 0, leaves: "applies" },
  { stops: ["before-sent"], applied: 0, leaves: "applies" },
  { stops: ["after-sent"], applied: 0, leaves: "unknown" },
  { stops: ["after-answer"], applied: 1, leaves: "unknown" },
  { stops: ["before-settle"], applied: 1, leaves: "unknown" },
  { stops: ["after-settle"], applied: 1, leaves: "replayed" },
  { stops: ["before-again"], fault: "429", applied: 0, leaves: "unknown" },
  { stops: ["after-again"], fault: "429", applied: 0, leaves: "applies" },
  { stops: ["before-sent", "before-sent"], fault: "429", applied: 0, leaves: "applies" },
  { stops: ["after-sent", "after-sent"], fault: "429", applied: 0, leaves: "unknown" },
];

export interface KillBench {
  readonly upstream: Upstream;
  readonly waybill: Waybill;
  /** Path of the journal that all callers share. */
  readonly path: string;
  /** The program that callers run. */
  readonly program: string;
  close(): Promise<void>;
}

export async function openKillBench(): Promise<KillBench> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-kills-"));
  const path = join(folder, "journal.db");
  const bundles = makeBundleFolder();
  const program = await bundleCaller(bundles);
  const upstream = await new Upstream().start();
  const transport = createHttpTransport();
  const waybill = await waybillFor(upstream.url, transport, openJournal({ path }));
  return {
    upstream,
    waybill,
    path,
    program,
    async close() {
      await waybill.close();
      transport.close();
      await upstream.close();
      for (const each of [folder, bundles]) await rm(each, { recursive: true, force: true });
    },
  };
}

/** Repeats the call of a killed process from this process. */
async function repeat({ waybill }: KillBench, name: string): Promise<ResultEnvelope> {
  const params = { shelf: name, text: name };
  return waybill.execute("keyed.rest", params, { idempotency_key: name, deadline_ms: 60_000 });
}

function getAftermath(result: ResultEnvelope): string {
  if (result.ok) return result.meta.replayed === true ? "replayed" : "applies";
  const { outcome, hint } = result.error.details ?? {};
  return outcome === "unknown" && typeof hint === "string"
    ? "unknown"
    : `${String(outcome)}, no hint`;
}

/** Lets a caller run to the step where it must be killed, and kills it there. */
async function killAt(
  { upstream, path, program }: KillBench,
  death: Death,
  name: string,
): Promise<void> {
  const { stops, fault } = death;
  const options = { url: upstream.url, path, key: name, marker: name, stops, fault };
  const caller = new Caller(program, options);
  try {
    for (const [index, step] of stops.entries()) {
      if (index > 0) caller.goOn();
      await caller.stoppedAt(step);
    }
  } finally {
    await caller.kill();
  }
}

async function deathProblems(bench: KillBench, death: Death, name: string): Promise<string[]> {
  const { store } = bench.upstream;
  await killAt(bench, death, name);
  const before = store.applied(name);
  const seen = [getAftermath(await repeat(bench, name)), getAftermath(await repeat(bench, name))];
  const after = store.applied(name);
  const { leaves, applied } = death;
  const expected = leaves === "applies" ? ["applies", "replayed"] : [leaves, leaves];
  const finalCount = leaves === "applies" ? 1 : applied;
  return [
    before === applied ? "" : `applied ${before} times at its death`,
    after === finalCount ? "" : `applied ${after} times in the end`,
    seen.join() === expected.join() ? "" : `then ${seen.join()}, not ${expected.join()}`,
  ].filter((problem) => problem !== "");
}

/** Kills a caller and repeats its call twice. Returns the problems. */
export async function die(bench: KillBench, death: Death, name: string): Promise<string[]> {
  const problems = await deathProblems(bench, death, name).catch((error: unknown) => [
    String(error),
  ]);
  const where = `killed at ${death.stops.join(" → ")} (${death.fault ?? "no fault"})`;
  return problems.map((problem) => `${where}: ${problem}`);
}

/** Two live callers with one key: one applies the write, the other waits and gets its result. */
export async function meet(
  { upstream, path, program }: KillBench,
  name: string,
): Promise<string[]> {
  const options = { url: upstream.url, path, key: name, marker: name };
  const first = new Caller(program, { ...options, stops: ["before-settle"] });
  await first.stoppedAt("before-settle");
  const second = new Caller(program, { ...options, stops: ["joining"] });
  await second.stoppedAt("joining");
  second.goOn();
  first.goOn();
  const results = await Promise.all([first.result(), second.result()]);
  const seen = results.map(getAftermath).join();
  const applied = upstream.store.applied(name);
  return seen === "applies,replayed" && applied === 1
    ? []
    : [`two at once: ${seen}, applied ${applied} times`];
}
