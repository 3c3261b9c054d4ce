// The figures of the matrix on the pack as text, for one run or several.
import { appendFileSync, readFileSync } from "node:fs";
import { addRows, isSettleable } from "./tally.ts";
import type { Row, Rows, SavedTally } from "./tally.ts";

const SETTLED_AT_LEAST = 0.95;
const LATER_AT_LEAST = 0.99;
const UNKNOWN_AT_MOST = 0.02;

export function saveTally(file: string, tally: SavedTally): void {
  appendFileSync(file, `${JSON.stringify(tally)}\n`);
}

export function readTallies(file: string): SavedTally[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as SavedTally);
}

function addNamed(all: readonly Rows[]): Rows {
  const names = [...new Set(all.flatMap((rows) => Object.keys(rows)))].toSorted();
  return Object.fromEntries(
    names.map((name) => [name, addRows(all.flatMap((rows) => rows[name] ?? []))]),
  );
}

export function addTallies(tallies: readonly SavedTally[]): SavedTally {
  return {
    capabilities: addNamed(tallies.map(({ capabilities }) => capabilities)),
    doors: addNamed(tallies.map(({ doors }) => doors)),
    routes: addNamed(tallies.map(({ routes }) => routes)),
    faults: addNamed(tallies.map(({ faults }) => faults)),
    violations: tallies.flatMap(({ violations }) => violations),
    left: tallies.flatMap(({ left }) => left),
  };
}

function table(title: string, rows: Rows): string {
  return [
    `| ${title} | lost writes | applied | readable | settled at once | after a repeat | unknown |`,
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...Object.entries(rows).map(
      ([name, { writes, applied, visible, settled, settledLater, unknown }]) =>
        `| ${name} | ${writes} | ${applied} | ${visible} | ${settled} | ${settledLater} | ${unknown} |`,
    ),
  ].join("\n");
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(2)} %`;
}

function sums({ capabilities }: SavedTally): { readonly all: Row; readonly settleable: Row } {
  const own = Object.entries(capabilities).filter(([id]) => isSettleable(id));
  return {
    all: addRows(Object.values(capabilities)),
    settleable: addRows(own.map(([, row]) => row)),
  };
}

export function reportTally(tally: SavedTally): string {
  const { all, settleable } = sums(tally);
  const { applied, visible, settled, settledLater, unknown, writes } = settleable;
  return `${table("capability", tally.capabilities)}

${table("fault", tally.faults)}

${table("door", tally.doors)}

${table("route", tally.routes)}

lost writes             ${all.writes}
violations              ${tally.violations.length} (applied twice, told falsely, or probed with over 2 requests)
settled at once         ${percent(share(settled, visible))} of ${visible} that were applied and can be read
settled by a repeat     ${percent(share(settledLater, applied))} of ${applied} that were applied
unknown after a repeat  ${percent(share(unknown, writes))} of ${writes}, ${percent(share(all.unknown, all.writes))} with those that have no probe`;
}

/** Lists the figures that are worse than the targets. */
export function shortfalls(tally: SavedTally): string[] {
  const { settleable } = sums(tally);
  const { applied, visible, settled, settledLater, unknown, writes } = settleable;
  return [
    ...tally.violations,
    ...(share(settled, visible) < SETTLED_AT_LEAST ? ["too few were settled at once"] : []),
    ...(share(settledLater, applied) < LATER_AT_LEAST ? ["too few were settled by a repeat"] : []),
    ...(share(unknown, writes || 1) > UNKNOWN_AT_MOST ? ["too many stay unknown"] : []),
  ];
}
