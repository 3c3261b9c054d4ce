// The matrix through the command itself: callers that are killed, and clocks that jump.
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram, makeBundleFolder } from "../../support/bundle.ts";
import { seeded } from "../plan.ts";
import { describeCell, githubCells, pick } from "./cells.ts";
import type { Cell } from "./cells.ts";
import { COMMAND_NAMES, commandDoor } from "./commands.ts";
import type { CommandName, CommandWorld } from "./commands.ts";
import { openScene } from "./run-cell.ts";
import { GithubTally } from "./tally.ts";

const MAIN = new URL("../../../packages/cli/src/main.ts", import.meta.url);
const AT_ONCE = 4;

interface CommandCell extends Cell {
  readonly door: CommandName;
  /** The clock of the repeat, relative to the true time. */
  readonly clock: string;
}

/** A repeat is made 16 seconds later, by GitHub's clock. The caller's clock may be wrong. */
const LATER_MS = 16_000;
const CLOCKS = ["+16s", "+16s", "+16s", "+16s", "-2h", "+23h"];
const KILL_SHARE = 0.5;

export interface CommandMatrixOptions {
  readonly seed: number;
  readonly count: number;
  readonly natsUrl: string | undefined;
  readonly until?: number | undefined;
}

function commandCells({ seed, count, natsUrl }: CommandMatrixOptions): CommandCell[] {
  const random = seeded(seed);
  const names = COMMAND_NAMES.filter((name) => name !== "serve nats" || natsUrl !== undefined);
  const cells = githubCells({ routes: ["graphql", "rest", "cli"], doors: ["execute"], seed });
  return cells.slice(0, count).map((cell): CommandCell => {
    const isKilled = random() < KILL_SHARE;
    const kill = isKilled ? pick(["received", "answered"] as const, random) : undefined;
    const fault = isKilled ? pick(["response lost", "reset before"] as const, random) : cell.fault;
    const door = pick(names, random);
    return { ...cell, door, fault, isForGood: false, kill, clock: pick(CLOCKS, random) };
  });
}

/** Kills every process that starts meanwhile, when GitHub has received or applied the write. */
function killer(kill: Cell["kill"]) {
  let child: ChildProcess | undefined;
  return {
    onStart: (started: ChildProcess) => void (child = started),
    onWrite: async (moment: "received" | "answered") => {
      if (moment === kill) child?.kill("SIGKILL");
    },
  };
}

async function runCommandCell(
  cell: CommandCell,
  shared: Pick<CommandWorld, "program" | "natsUrl">,
  tally: GithubTally,
): Promise<void> {
  const scene = await openScene(cell);
  const parent = await mkdtemp(join(tmpdir(), "waybill-command-"));
  const errors: string[] = [];
  try {
    const socket = scene.embedded.place.socketPath!;
    const world = { ...shared, folder: join(parent, "state"), socket, errors };
    const { onStart, onWrite } = killer(cell.kill);
    scene.onWrite = onWrite;
    await scene.callFirst(commandDoor(cell.door, { ...world, onStart }));
    errors.length = 0;
    scene.letTimePass(LATER_MS);
    tally.add(cell, await scene.callAgain(commandDoor(cell.door, { ...world, clock: cell.clock })));
  } catch (error) {
    // The other cells still count, and this one is reported as a violation.
    const said = errors.join(" ").slice(-1_000);
    tally.violations.push(`${describeCell(cell)}, ${cell.clock}: ${String(error)}: ${said}`);
  } finally {
    await scene.close();
    await rm(parent, { recursive: true, force: true, maxRetries: 20 });
  }
}

export async function runCommandMatrix(options: CommandMatrixOptions): Promise<GithubTally> {
  const bundles = makeBundleFolder();
  const tally = new GithubTally();
  try {
    const shared = { program: await bundleProgram(MAIN, bundles), natsUrl: options.natsUrl };
    const cells = commandCells(options)[Symbol.iterator]();
    const { until = Infinity } = options;
    const lane = async (): Promise<void> => {
      for (const cell of cells) {
        if (performance.now() > until) return;
        await runCommandCell(cell, shared, tally);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return tally;
  } finally {
    await rm(bundles, { recursive: true, force: true });
  }
}
