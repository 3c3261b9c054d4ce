// The whole matrix: every cell in as many rounds as asked for, then one reckoning over all of it.
import { openBench } from "./bench.ts";
import type { JournalKind } from "./bench.ts";
import type { Carrier } from "./faults.ts";
import { cells, planRun, seeded, shuffled } from "./plan.ts";
import { runPlan } from "./run.ts";
import type { Observed } from "./run.ts";
import { Tally } from "./tally.ts";

export interface MatrixOptions {
  /** How often each cell is run. */
  readonly rounds: number;
  readonly seed: number;
  readonly journal: JournalKind;
  readonly carrier: Carrier;
  /** Runs one cell in so many, others in each round; every cell in every round unless given. */
  readonly oneIn?: number;
}

/** So many at once that waiting costs little, and so few that no deadline passes for want of time. */
const AT_ONCE: Readonly<Record<Carrier, number>> = { http: 40, gh: 6 };

async function inParallel(jobs: Iterator<() => Promise<void>>, atOnce: number): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = jobs.next(); next.done !== true; next = jobs.next()) await next.value();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

export async function runMatrix(options: MatrixOptions): Promise<Tally> {
  const { rounds, seed, journal, carrier, oneIn = 1 } = options;
  const bench = await openBench(journal, carrier);
  const random = seeded(seed);
  const all = shuffled(cells(carrier), random);
  const observed: Observed[] = [];
  function* jobs(): Generator<() => Promise<void>> {
    let count = 0;
    for (let round = 0; round < rounds; round++) {
      const due = all.filter((_, index) => index % oneIn === round % oneIn);
      for (const cell of shuffled(due, random)) {
        const plan = planRun(cell, round, random);
        const name = `m${(count += 1)}`;
        yield async () => void observed.push(...(await runPlan(bench, plan, name)));
      }
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
