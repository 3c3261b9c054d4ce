import type { ResultEnvelope } from "@waybill/core";
import { cards } from "../../../packages/github/src/pack/cards.ts";
import { changesOnce, describeCell } from "./cells.ts";
import type { Cell } from "./cells.ts";
import type { Told } from "./run-cell.ts";
import { readsWork } from "./wire-faults.ts";

export interface Row {
  writes: number;
  applied: number;
  /** The write was applied, and a later read can see it. */
  visible: number;
  /** Writes whose outcome the call itself settled. */
  settled: number;
  /** Applied writes that are known as applied after the repeat. */
  settledLater: number;
  unknown: number;
}

const EMPTY: Row = { writes: 0, applied: 0, visible: 0, settled: 0, settledLater: 0, unknown: 0 };

type Outcome = "applied" | "not_applied" | "unknown";

function reportedOutcome({ ok, error }: ResultEnvelope): Outcome {
  if (ok) return "applied";
  const outcome = error?.details?.["outcome"];
  return outcome === "applied" || outcome === "not_applied" ? outcome : "unknown";
}

/** The answer warns that another caller may have caused the effect that the probe found. */
function isWarned({ meta }: ResultEnvelope): boolean {
  return (meta.warnings ?? []).some((warning) => warning.includes("nother caller"));
}

/** `mayBeSeen`: the wanted state can be seen although this write was not applied. */
function lie(who: string, result: ResultEnvelope, applied: number, mayBeSeen: boolean): string[] {
  const told = reportedOutcome(result);
  const isExplained = mayBeSeen && isWarned(result);
  const isTooMuch = told === "applied" && applied === 0 && !isExplained;
  const isTooLittle = told === "not_applied" && applied > 0;
  return isTooMuch || isTooLittle ? [`${who} told ${told}, applied ${applied} times`] : [];
}

/** A probe sends at most this many requests. */
const MAX_PROBE_READS = 2;

/** A write may consist of several mutations. Those of an idempotent step may be applied again. */
function wrongIn(
  { first, appliedFirst, repeat, applied, appliedOnce, probeReads, hasTwin }: Told,
  { each }: Cell,
): string[] {
  const mayBeSeen = hasTwin || each.isAlreadySo === true;
  const whole = changesOnce(each).reduce((sum, name) => sum + (each.applied?.[name] ?? 0), 0);
  return [
    ...(appliedOnce > whole ? [`applied ${appliedOnce} changes instead of ${whole}`] : []),
    ...(first === undefined ? [] : lie("the call", first, appliedFirst, mayBeSeen)),
    ...lie("the repeat", repeat, applied, mayBeSeen),
    ...(probeReads > MAX_PROBE_READS ? [`a probe sent ${probeReads} requests`] : []),
  ];
}

export function isSettleable(id: string): boolean {
  return cards.cardById(id)!.verify?.unsettled === undefined;
}

export type Rows = Record<string, Row>;

export interface SavedTally {
  readonly capabilities: Rows;
  readonly doors: Rows;
  readonly routes: Rows;
  readonly faults: Rows;
  readonly violations: readonly string[];
  /** Applied writes that a repeat did not settle, and writes that stay unknown. */
  readonly left: readonly string[];
}

export function addRows(rows: readonly Row[]): Row {
  const sum = { ...EMPTY };
  for (const row of rows) {
    for (const name of Object.keys(sum) as (keyof Row)[]) sum[name] += row[name];
  }
  return sum;
}

/** The figures of the matrix on the pack. */
export class GithubTally implements SavedTally {
  readonly violations: string[] = [];
  readonly left: string[] = [];
  readonly capabilities: Rows = {};
  readonly doors: Rows = {};
  readonly routes: Rows = {};
  readonly faults: Rows = {};

  add(cell: Cell, told: Told): void {
    const row = rowFor(cell, told);
    const { each, door, route, fault } = cell;
    this.#count(this.capabilities, each.id, row);
    if (isSettleable(each.id)) {
      this.#count(this.doors, door, row);
      this.#count(this.routes, route, row);
      this.#count(this.faults, fault, row);
    }
    const at = describeCell(cell);
    for (const wrong of wrongIn(told, cell)) this.violations.push(`${at}: ${wrong}`);
    const isOpen = row.applied > row.settledLater || row.visible > row.settled || row.unknown > 0;
    if (isOpen && isSettleable(each.id)) this.left.push(`${at}: ${JSON.stringify(told)}`);
  }

  #count(rows: Rows, name: string, row: Row): void {
    rows[name] = addRows([rows[name] ?? EMPTY, row]);
  }

  /** The sum over all capabilities that a probe can settle. */
  get total(): Row {
    return addRows(Object.values(this.routes));
  }

  get writes(): number {
    return addRows(Object.values(this.capabilities)).writes;
  }
}

function asCount(isSo: boolean): number {
  return isSo ? 1 : 0;
}

/**
 * A killed caller cannot probe. With a duplicate there are two candidates, so `unknown` is correct.
 */
function rowFor({ fault, kill }: Cell, { first, appliedFirst, repeat, hasTwin }: Told): Row {
  const isApplied = appliedFirst > 0 && !hasTwin;
  const isVisible = isApplied && readsWork(fault) && first !== undefined && kill === undefined;
  return {
    writes: 1,
    applied: asCount(isApplied),
    visible: asCount(isVisible),
    settled: asCount(isVisible && reportedOutcome(first) === "applied"),
    settledLater: asCount(isApplied && reportedOutcome(repeat) === "applied"),
    unknown: asCount(!hasTwin && reportedOutcome(repeat) === "unknown"),
  };
}
