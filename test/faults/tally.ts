// Compares the reported outcomes with the writes that were really applied.
import { KINDS } from "./cards.ts";
import { isCertain, isLookedFor, isSettleable, problemsWith, toldBy } from "./check.ts";
import type { Applied } from "./check.ts";
import { POINTS } from "./faults.ts";
import type { Observed } from "./run.ts";

const COUNTS = {
  runs: 0,
  applied: 0,
  double: 0,
  ok: 0,
  not_applied: 0,
  "told applied": 0,
  unknown: 0,
  settleable: 0,
  settled: 0,
  /** A probe ran, but the object that it found may be another caller's. */
  unclear: 0,
  certain: 0,
  "certain and told": 0,
};
export type Row = Record<keyof typeof COUNTS, number>;

const SHOWN = [
  "runs",
  "applied",
  "double",
  "ok",
  "not_applied",
  "told applied",
  "unknown",
] as const;
const WIDTH = 13;

function count(row: Row, observed: Observed, applied: Applied): void {
  const told = toldBy(observed.result);
  row.runs += 1;
  row.applied += applied.count > 0 ? 1 : 0;
  row.double += applied.count > 1 && observed.plan.kind !== "idempotent" ? 1 : 0;
  if (told === "ok" || told === "not_applied" || told === "unknown") row[told] += 1;
  if (told === "applied") row["told applied"] += 1;
  if (isSettleable(observed, applied)) {
    row.settleable += 1;
    row.settled += told === "unknown" ? 0 : 1;
  } else if (isLookedFor(observed.plan) && told === "unknown") {
    row.unclear += 1;
  }
  if (isCertain(observed)) {
    row.certain += 1;
    row["certain and told"] += told === "ok" || told === "not_applied" ? 1 : 0;
  }
}

function line(point: string, kind: string, row: Row): string {
  const settled = row.settleable === 0 ? "-" : `${row.settled}/${row.settleable}`;
  const cells = [...SHOWN.map((name) => String(row[name])), settled];
  return point.padEnd(40) + kind.padEnd(14) + cells.map((cell) => cell.padStart(WIDTH)).join("");
}

/** Describes one call, so that a violation can be investigated. */
function describe({ plan, met, result }: Observed): string {
  const faults = met.map(({ fault }) => fault.name).join(" → ");
  const error = result?.ok === false ? `: ${result.error.code} ${result.error.message}` : "";
  return `${plan.kind} ${plan.shape} ${plan.routes} [${faults}]${error}`;
}

export class Tally {
  readonly total: Row = { ...COUNTS };
  readonly violations: string[] = [];
  readonly #rows = new Map<string, Row>();

  add(observed: Observed, applied: Applied): void {
    const { point, kind } = observed.plan;
    for (const problem of problemsWith(observed, applied.count)) {
      this.violations.push(`${problem}: ${describe(observed)}`);
    }
    count(this.#row(point, kind), observed, applied);
    count(this.#row("all", kind), observed, applied);
    count(this.total, observed, applied);
  }

  /** The share of unknown outcomes that a probe could settle and did. */
  get settledShare(): number {
    return this.total.settleable === 0 ? 1 : this.total.settled / this.total.settleable;
  }

  /** The share of calls with a certain outcome that was reported correctly. */
  get certainShare(): number {
    return this.total.certain === 0 ? 1 : this.total["certain and told"] / this.total.certain;
  }

  /** A line for each point and kind, one for each kind, and one for all. */
  table(): string {
    const names = [...SHOWN, "settled"].map((name) => name.padStart(WIDTH)).join("");
    const lines = [...POINTS, "all"].flatMap((point) =>
      KINDS.filter((kind) => this.#rows.has(`${point}|${kind}`)).map((kind) =>
        line(point, kind, this.#row(point, kind)),
      ),
    );
    const head = "fails at".padEnd(40) + "kind".padEnd(14) + names;
    return [head, ...lines, line("all", "all", this.total)].join("\n");
  }

  #row(point: string, kind: string): Row {
    const key = `${point}|${kind}`;
    let row = this.#rows.get(key);
    if (row === undefined) this.#rows.set(key, (row = { ...COUNTS }));
    return row;
  }
}
