// Runs the whole matrix or a sample, then adds up the results.
import { openBench } from "./bench.ts";
import type { JournalKind } from "./bench.ts";
import type { Carrier } from "./faults.ts";
import { cells, planRun, seeded, shuffled } from "./plan.ts";
import type { RoundCell } from "./plan.ts";
import { runPlan } from "./run.ts";
import type { Observed } from "./run.ts";
import { sampleRuns } from "./sample.ts";
import { Tally } from "./tally.ts";

export interface MatrixOptions {
  /**
   * How often each cell is run. `sample` runs only a few cells that together contain every kind of
   * fault.
   */
  readonly rounds: number | "sample";
  readonly seed: number;
  readonly journal: JournalKind;
  readonly carrier: Carrier;
}

/** Enough parallel runs to use the waiting time, and few enough that no deadline is missed. */
const AT_ONCE: Readonly<Record<Carrier, number>> = { http: 40, gh: 6 };

async function inParallel(jobs: Iterator<() => Promise<void>>, atOnce: number): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = jobs.next(); next.done !== true; next = jobs.next()) await next.value();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** All runs, round by round. */
function* plannedRuns({ rounds, seed, carrier }: MatrixOptions): Generator<RoundCell> {
  if (rounds === "sample") return yield* sampleRuns(carrier, seed);
  const random = seeded(seed);
  for (let round = 0; round < rounds; round++) {
    for (const cell of shuffled(cells(carrier), random)) yield { cell, round };
  }
}

export async function runMatrix(options: MatrixOptions): Promise<Tally> {
  const { seed, journal, carrier } = options;
  const bench = await openBench(journal, carrier);
  const random = seeded(seed);
  const observed: Observed[] = [];
  function* jobs(): Generator<() => Promise<void>> {
    let count = 0;
    for (const run of plannedRuns(options)) {
      const plan = planRun(run, random);
      const name = `m${(count += 1)}`;
      yield async () => void observed.push(...(await runPlan(bench, plan, name)));
    }
  }
  try {
    await inParallel(jobs(), AT_ONCE[carrier]);
    await bench.upstream.settled();
    const { store } = bench.upstream;
    const tally = new Tally();
    for (const each of observed) {
      const { marker } = each;
      tally.add(each, { count: store.applied(marker), at: store.appliedAt(marker) });
    }
    return tally;
  } finally {
    await bench.close();
  }
}
