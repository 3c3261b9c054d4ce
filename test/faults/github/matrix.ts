// The fault matrix on the real GitHub pack. The embedded GitHub counts which writes were really
// applied.
import { githubCells } from "./cells.ts";
import type { Cell, CellChoice } from "./cells.ts";
import { doorsWith } from "./doors.ts";
import type { Door, DoorName } from "./doors.ts";
import { openScene } from "./run-cell.ts";
import type { Scene } from "./run-cell.ts";
import { GithubTally } from "./tally.ts";

export interface GithubMatrixOptions extends Omit<CellChoice, "doors"> {
  readonly doors?: CellChoice["doors"];
  /** The address of a NATS server, for the interface that needs one. */
  readonly natsUrl?: string | undefined;
  /** How many cells to run (default: all of one round). */
  readonly count?: number;
  /** Ends the run early, between two batches. */
  readonly until?: number;
}

/** How much later a lost write is probed again, on every clock. */
const LATER_MS = 16_000;
/** Enough parallel calls to use the waiting time, and few enough to meet every deadline. */
const AT_ONCE = 24;
/** How many scenes are open at once. Their repeats share one clock, which is set forward. */
const BATCH = 192;

/** Changes every clock of this process that tells the date. */
function letTimePass(): () => void {
  const real = Date.now;
  Date.now = () => real() + LATER_MS;
  return () => {
    Date.now = real;
  };
}

async function inLanes<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  // The caller closes shared parts afterwards, so all lanes must have ended, even after a failure.
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

interface RunOptions {
  readonly doors?: ReturnType<typeof doorsWith>;
  readonly atOnce?: number;
  /** Ends the run early, between two batches. */
  readonly until?: number | undefined;
}

/** The first call loads many modules, which must not delay the others. */
async function warmUp([cell]: readonly Cell[]): Promise<void> {
  if (cell === undefined) return;
  const scene = await openScene(cell);
  await scene.call(doorsWith().execute!);
  await scene.close();
}

/** Makes all calls of a batch first, and later all repeats, because they share the clock. */
async function runBatch(
  cells: readonly Cell[],
  { doors = doorsWith(), atOnce = AT_ONCE }: RunOptions,
  tally: GithubTally,
): Promise<void> {
  const scenes: { readonly cell: Cell; readonly scene: Scene; readonly door: Door }[] = [];
  let setBack: (() => void) | undefined;
  try {
    await inLanes(cells, atOnce, async (cell) => {
      const door = doors[cell.door as DoorName]!;
      const scene = await openScene(cell);
      scenes.push({ cell, scene, door });
      await scene.callFirst(door);
    });
    setBack = letTimePass();
    await inLanes(scenes, atOnce, async ({ cell, scene, door }) => {
      tally.add(cell, await scene.callAgain(door));
    });
  } finally {
    setBack?.();
    await inLanes(scenes, atOnce, ({ scene }) => scene.close());
  }
}

export async function runCells(
  cells: readonly Cell[],
  options: RunOptions = {},
): Promise<GithubTally> {
  const tally = new GithubTally();
  const { until = Infinity } = options;
  await warmUp(cells);
  for (let at = 0; at < cells.length && performance.now() < until; at += BATCH) {
    // An error is reported as a violation, and the other cells still run.
    await runBatch(cells.slice(at, at + BATCH), options, tally).catch((error: unknown) =>
      tally.violations.push(`a batch failed: ${String(error)}`),
    );
  }
  return tally;
}

export async function runGithubMatrix(options: GithubMatrixOptions): Promise<GithubTally> {
  const open = doorsWith(options.natsUrl);
  const doors = options.doors ?? (Object.keys(open) as CellChoice["doors"]);
  const cells = githubCells({ ...options, doors });
  const { count, until } = options;
  return runCells(cells.slice(0, count), { doors: open, until });
}
