// The fault matrix on the real pack, judged by the embedded GitHub's own count of what was applied.
import { githubCells } from "./cells.ts";
import type { Cell, CellChoice } from "./cells.ts";
import { doorsWith } from "./doors.ts";
import type { DoorName } from "./doors.ts";
import { openScene } from "./run-cell.ts";
import { GithubTally } from "./tally.ts";
import { wireFault } from "./wire-faults.ts";

export interface GithubMatrixOptions extends Omit<CellChoice, "doors"> {
  readonly doors?: CellChoice["doors"];
  /** Where a NATS server is, for the door that needs one. */
  readonly natsUrl?: string | undefined;
  /** How many cells to run (default: all of one round). */
  readonly count?: number;
  /** Ends the run early, between two batches. */
  readonly until?: number;
}

/** A lost write is looked for again so much later, by every clock. */
const LATER_MS = 16_000;
/** So many at once that waiting costs little. */
const AT_ONCE = 16;

/** Moves every clock of this process that says the date. */
function letTimePass(): () => void {
  const real = Date.now;
  Date.now = () => real() + LATER_MS;
  return () => {
    Date.now = real;
  };
}

/** The calls of a batch run together, and then, later, their repeats: they share the clock. */
async function runBatch(
  cells: readonly Cell[],
  doors: ReturnType<typeof doorsWith>,
  tally: GithubTally,
): Promise<void> {
  const scenes = await Promise.all(cells.map(openScene));
  let setBack: (() => void) | undefined;
  try {
    await Promise.all(
      scenes.map((scene, at) => scene.callFirst(doors[cells[at]!.door as DoorName]!)),
    );
    setBack = letTimePass();
    await Promise.all(
      scenes.map(async (scene, at) => {
        const cell = cells[at]!;
        tally.add(cell, await scene.callAgain(doors[cell.door as DoorName]!));
      }),
    );
  } finally {
    setBack?.();
    await Promise.all(scenes.map((scene) => scene.close()));
  }
}

/** Cells that only a deadline ends run beside each other, so that the others need not wait. */
function* batchesIn(cells: readonly Cell[]): Generator<Cell[]> {
  const filling: { readonly endless: Cell[]; readonly others: Cell[] } = {
    endless: [],
    others: [],
  };
  for (const cell of cells) {
    const isEndless = wireFault(cell.fault).isEndless === true;
    const batch = isEndless ? filling.endless : filling.others;
    batch.push(cell);
    if (batch.length === AT_ONCE) yield batch.splice(0);
  }
  yield filling.others;
  yield filling.endless;
}

export async function runCells(
  cells: readonly Cell[],
  doors = doorsWith(),
  until = Infinity,
): Promise<GithubTally> {
  const tally = new GithubTally();
  for (const batch of batchesIn(cells)) {
    if (performance.now() > until) return tally;
    // The figures of the others count, and this one is a violation.
    await runBatch(batch, doors, tally).catch((error: unknown) =>
      tally.violations.push(`a batch failed: ${String(error)}`),
    );
  }
  return tally;
}

export async function runGithubMatrix(options: GithubMatrixOptions): Promise<GithubTally> {
  const open = doorsWith(options.natsUrl);
  const doors = options.doors ?? (Object.keys(open) as CellChoice["doors"]);
  const cells = githubCells({ ...options, doors });
  return runCells(cells.slice(0, options.count), open, options.until);
}
