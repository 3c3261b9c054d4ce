import type { ResultEnvelope } from "@waybill/core";
import { cards } from "../../packages/github/src/pack/cards.ts";
import type { Cell } from "./github-matrix.ts";

/** The results that a caller got for a write and its repeat, and how often the server applied it. */
export interface Told {
  readonly first: ResultEnvelope;
  readonly appliedFirst: number;
  readonly repeat: ResultEnvelope;
  readonly applied: number;
}

interface Row {
  writes: number;
  applied: number;
  settled: number;
  settledLater: number;
  unknown: number;
}

type Outcome = "applied" | "not_applied" | "unknown";

function reportedOutcome({ ok, error }: ResultEnvelope): Outcome {
  if (ok) return "applied";
  const outcome = error?.details?.["outcome"];
  return outcome === "applied" || outcome === "not_applied" ? outcome : "unknown";
}

/** The state was as requested before the call, and the answer warns that others may have made it so. */
function isWarned({ meta }: ResultEnvelope): boolean {
  return (meta.warnings ?? []).some((warning) => warning.includes("Another caller may have"));
}

function lie(who: string, result: ResultEnvelope, applied: number): string[] {
  const told = reportedOutcome(result);
  const isTooMuch = told === "applied" && applied === 0 && !isWarned(result);
  const isTooLittle = told === "not_applied" && applied > 0;
  return isTooMuch || isTooLittle ? [`${who} told ${told}, applied ${applied} times`] : [];
}

/** A write may be several changes, all of which its case names. */
function wrongIn({ first, appliedFirst, repeat, applied }: Told, { each }: Cell): string[] {
  const whole = Object.values(each.applied ?? {}).reduce((sum, count) => sum + count, 0);
  const isTwice = !cards.cardById(each.id)!.idempotent && applied > whole;
  return [
    ...(isTwice ? [`applied ${applied} changes instead of ${whole}`] : []),
    ...lie("the call", first, appliedFirst),
    ...lie("the repeat", repeat, applied),
  ];
}

const EMPTY: Row = { writes: 0, applied: 0, settled: 0, settledLater: 0, unknown: 0 };

/** The figures of the matrix on the pack, for each capability and in all. */
export class GithubTally {
  readonly violations: string[] = [];
  readonly #rows = new Map<string, Row>();

  /** A card without a probe may stay unknown, so it is counted apart. */
  add(cell: Cell, told: Told): void {
    const { each, route, fault, isForGood, door } = cell;
    const row = this.#rows.get(each.id) ?? { ...EMPTY };
    this.#rows.set(each.id, row);
    const { appliedFirst, first, repeat } = told;
    row.writes += 1;
    if (appliedFirst > 0) {
      row.applied += 1;
      if (reportedOutcome(first) === "applied") row.settled += 1;
      if (reportedOutcome(repeat) === "applied") row.settledLater += 1;
    }
    if (reportedOutcome(repeat) === "unknown") row.unknown += 1;
    const at = `${each.id} by ${route} (${each.title ?? "plain"}), ${fault}${isForGood ? " for good" : ""}, ${door}`;
    for (const wrong of wrongIn(told, cell)) this.violations.push(`${at}: ${wrong}`);
  }

  /** The sum over all capabilities that can be settled. */
  get total(): Row {
    const settleable = [...this.#rows].filter(
      ([id]) => cards.cardById(id)!.verify?.unsettled === undefined,
    );
    return settleable.reduce(
      (sum, [, row]) => {
        for (const name of Object.keys(sum) as (keyof Row)[]) sum[name] += row[name];
        return sum;
      },
      { ...EMPTY },
    );
  }

  get writes(): number {
    return [...this.#rows.values()].reduce((sum, { writes }) => sum + writes, 0);
  }

  table(): string {
    const rows = [...this.#rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return [
      "| capability | lost writes | applied | settled at once | after a repeat | unknown |",
      "| --- | --- | --- | --- | --- | --- |",
      ...rows.map(
        ([id, { writes, applied, settled, settledLater, unknown }]) =>
          `| \`${id}\` | ${writes} | ${applied} | ${settled} | ${settledLater} | ${unknown} |`,
      ),
    ].join("\n");
  }
}
