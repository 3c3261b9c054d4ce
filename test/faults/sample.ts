// The short form of the matrix: a few runs that together cover every difference.
import type { Carrier } from "./faults.ts";
import { cells, firstFace, seeded, shuffled } from "./plan.ts";
import type { RoundCell } from "./plan.ts";

const ROUNDS = [0, 1];

/** Every cell with each of its faults, permanently and once. */
function candidates(carrier: Carrier): RoundCell[] {
  return cells(carrier).flatMap((cell) =>
    cell.choice.flatMap((fault) =>
      ROUNDS.map((round) => ({ cell: { ...cell, choice: [fault] }, round })),
    ),
  );
}

/** Names the combinations that a run tests. The sample has every one of the whole matrix. */
function shownBy({ cell, round }: RoundCell, carrier: Carrier): string[] {
  const { point, kind, routes, shape, choice } = cell;
  const fault = choice[0]!.name;
  const always = [[fault], [kind, round], [kind, routes]];
  // `gh` starts a process for every request, so it gets fewer runs.
  const more = [
    [fault, firstFace(routes), round],
    [point, kind],
    [point, routes, shape],
    [kind, routes, shape],
  ];
  return (carrier === "gh" ? always : [...always, ...more]).map((pair) => pair.join("|"));
}

/** Chooses the runs that cover the most missing combinations first. */
export function sampleRuns(carrier: Carrier, seed: number): RoundCell[] {
  const all = shuffled(candidates(carrier), seeded(seed)).map((run) => ({
    run,
    shown: shownBy(run, carrier),
  }));
  const missing = new Set(all.flatMap(({ shown }) => shown));
  const sample: RoundCell[] = [];
  for (let least = 7; least > 0; least--) {
    for (const { run, shown } of all) {
      const found = shown.filter((pair) => missing.has(pair));
      if (found.length < least) continue;
      sample.push(run);
      for (const pair of found) missing.delete(pair);
    }
  }
  return sample;
}
