// The whole matrix: every cell in as many rounds as asked for, then one reckoning over all of it.
import { openBench } from "./bench.ts";
import type { JournalKind } from "./bench.ts";
import { cells, planRun, seeded, shuffled } from "./plan.ts";
import { runPlan } from "./run.ts";
import type { Observed } from "./run.ts";
import { Tally } from "./tally.ts";

export interface MatrixOptions {
  /** How often each cell is run. */
  readonly rounds: number;
  readonly seed: number;
  readonly journal: JournalKind;
}

/** So many at once that waiting costs little, and so few that no deadline passes for want of time. */
const AT_ONCE = 40;

async function inParallel(jobs: Iterator<() => Promise<void>>): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = jobs.next(); next.done !== true; next = jobs.next()) await next.value();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

export async function runMatrix({ rounds, seed, journal }: MatrixOptions): Promise<Tally> {
  const bench = await openBench(journal);
  const random = seeded(seed);
  const observed: Observed[] = [];
  function* jobs(): Generator<() => Promise<void>> {
    let count = 0;
    for (let round = 0; round < rounds; round++) {
      for (const cell of shuffled(cells(), random)) {
        const plan = planRun(cell, round, random);
        const name = `m${(count += 1)}`;
        yield async () => void observed.push(...(await runPlan(bench, plan, name)));
      }
    }
  }
  try {
    await inParallel(jobs());
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
