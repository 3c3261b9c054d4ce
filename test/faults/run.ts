// One run: makes the calls of a plan and records their answers.
import type { ExecuteOptions, ResultEnvelope, Waybill } from "@waybill/core";
import type { Bench } from "./bench.ts";
import { getCapability, paramsFor } from "./cards.ts";
import { isBoundByDeadline } from "./plan.ts";
import type { RunPlan } from "./plan.ts";
import { PAGED } from "./store.ts";
import { Trail, follow } from "./trail.ts";
import type { Met } from "./trail.ts";

/** One write or read of a run, and its answer. */
export interface Observed {
  readonly plan: RunPlan;
  readonly marker: string;
  /** Undefined if the call never ended, or threw. */
  readonly result: ResultEnvelope | undefined;
  /** The result of the parallel call with the same key. */
  readonly twin: ResultEnvelope | undefined;
  /** The later call with the same key, after the fault has ended. */
  readonly repeat: ResultEnvelope | undefined;
  readonly met: readonly Met[];
  /** The time of the last probe, if there was one. */
  readonly probedAt: number | undefined;
  /** When all calls of the run had ended. */
  readonly endedAt: number;
  readonly failedProbes: number;
  /** The caller's deadline or abort may have ended the call, independently of the fault. */
  readonly isCutShort: boolean;
}

type Results = readonly (ResultEnvelope | undefined)[];

const DEADLINE_MS = 240_000;
const SHORT_DEADLINE_MS = 250;
const OLD_MS = 60_000;
/** Far above any deadline: a call that has not ended by then is lost. */
const WATCHDOG_MS = 600_000;

function withWatchdog<T>(work: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), WATCHDOG_MS);
    const end = (value: T): void => {
      clearTimeout(timer);
      resolve(value);
    };
    work.then(end, () => end(otherwise));
  });
}

/** The calls of one plan, with their repetitions. */
class Run {
  readonly #waybill: Waybill;
  readonly #plan: RunPlan;
  readonly #name: string;
  readonly markers: readonly string[];

  constructor(waybill: Waybill, plan: RunPlan, name: string) {
    this.#waybill = waybill;
    this.#plan = plan;
    this.#name = name;
    const own = plan.isPaged ? `${PAGED}${name}` : name;
    this.markers = plan.shape === "single" ? [`${own}a`] : [`${own}a`, `${own}b`];
  }

  get isKeyed(): boolean {
    return this.#plan.kind === "keyed" || this.#plan.kind === "honoured";
  }

  /** Makes the calls. If a trail is given, its faults are injected; without one, all calls succeed. */
  async call(trail?: Trail): Promise<Results> {
    const lost = this.markers.map(() => undefined);
    const work = this.#plan.shape === "single" ? this.#single(trail) : this.#chain(trail);
    return withWatchdog<Results>(work, lost);
  }

  async #single(trail: Trail | undefined): Promise<Results> {
    const { kind, routes, fault } = this.#plan;
    const how = trail !== undefined && fault.act.at === "call" ? fault.act.how : undefined;
    if (how === "aborted") trail!.controller.abort();
    const params = how === "invalid" ? {} : this.#params(this.markers[0]!);
    const options = {
      ...this.#options(trail),
      ...(how === "no-route" && { route: "mcp" as const }),
    };
    return [await this.#waybill.execute(getCapability(kind, routes), params, options)];
  }

  async #chain(trail: Trail | undefined): Promise<Results> {
    const { kind, routes, shape } = this.#plan;
    const [a, b] = this.markers as [string, string];
    const task = getCapability(kind, routes);
    const { results } = await this.#waybill.chain(
      [
        { id: "a", task, input: this.#params(a) },
        { id: "b", task, input: this.#params(b) },
        { id: "c", task: getCapability("read", routes), input: { id: { $from: "a.data.id" } } },
      ],
      { ...this.#options(trail), merge_writes: shape === "merged" },
    );
    return results.length === 3 ? results.slice(0, 2) : this.markers.map(() => undefined);
  }

  #params(marker: string): object {
    return paramsFor(this.#plan.kind, marker, this.#plan.isAbsent);
  }

  #options(trail: Trail | undefined): ExecuteOptions {
    const isShort = trail !== undefined && isBoundByDeadline(this.#plan);
    return {
      deadline_ms: isShort ? SHORT_DEADLINE_MS : DEADLINE_MS,
      ...(trail !== undefined && { signal: trail.controller.signal }),
      ...(this.isKeyed && { idempotency_key: `key-${this.#name}` }),
    };
  }
}

function metBy(marker: string, trail: Trail, { fault }: RunPlan): readonly Met[] {
  if (fault.act.at === "call") return [{ fault, meaning: "not_applied", request: marker, at: 0 }];
  return trail.met.filter(({ request }) => request.includes(marker));
}

export async function runPlan(bench: Bench, plan: RunPlan, name: string): Promise<Observed[]> {
  const { waybill, upstream } = bench;
  const run = new Run(waybill, plan, name);
  if (plan.decoy !== "none") {
    const age = plan.decoy === "old" ? OLD_MS : plan.twinAgeMs;
    const made = new Date(Date.now() - age);
    const author = plan.decoy === "stranger" ? "stranger" : undefined;
    for (const marker of run.markers) upstream.store.seed(marker, marker, made, author);
  }
  const trail = new Trail(plan.kind !== "read", plan);
  const [results, twins] = await Promise.all([
    follow(trail, () => run.call(trail)),
    plan.isPaired ? run.call() : undefined,
  ]);
  const endedAt = performance.now();
  const repeats = run.isKeyed ? await run.call() : undefined;
  return run.markers.map((marker, index) => ({
    plan,
    marker,
    result: results[index],
    twin: twins?.[index],
    repeat: repeats?.[index],
    met: metBy(marker, trail, plan),
    probedAt: trail.probes.findLast(({ request }) => request.includes(marker))?.at,
    endedAt,
    failedProbes: trail.failedProbes,
    isCutShort: isBoundByDeadline(plan) || trail.controller.signal.aborted,
  }));
}
