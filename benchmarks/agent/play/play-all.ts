import { copyCodeBase } from "./code-base.ts";
import { openStage } from "./stage.ts";
import { addFloors, shareLookups } from "../figures/index.ts";
import type { Build } from "../programs/waybill-program.ts";
import { modes, variants } from "../types.ts";
import type { Mode, Outcome, Scenario, Trajectory, Variant } from "../types.ts";
import { play, getVariants } from "./play.ts";
import type { Result } from "./play.ts";

interface Task {
  readonly scenario: Scenario;
  readonly mode: Mode;
  readonly variant: Variant;
}

export interface PlayAllOptions {
  readonly build: Build;
  readonly variants?: readonly Variant[];
  /** The modes to play (default: all). */
  readonly modes?: readonly Mode[];
  /** How many plays run at the same time. */
  readonly workers?: number;
  readonly onPlayed?: (done: number, total: number) => void;
}

export interface Plays extends Outcome {
  /** The trajectory of each play, in the same order. */
  readonly trajectories: Trajectory[];
}

/** Programs, and rivals that are estimated from other plays, are played only in the variant `plain`. */
const PLAIN_ONLY: readonly Mode[] = [
  "mcp-code",
  "command-code",
  "gh-memory",
  "gh-current",
  "gh-axi",
  "ghx",
  "github-mcp-deferred",
];

function isPlainOnly(mode: Mode): boolean {
  return PLAIN_ONLY.includes(mode);
}

function getTasks(
  scenarios: readonly Scenario[],
  wanted: readonly Variant[],
  chosen: readonly Mode[],
): Task[] {
  return scenarios.flatMap((scenario) =>
    getVariants(scenario)
      .filter((variant) => wanted.includes(variant))
      .flatMap((variant) =>
        chosen
          .filter((mode) => variant === "plain" || !isPlainOnly(mode))
          .map((mode) => ({ scenario, mode, variant })),
      ),
  );
}

/** Builds the graph once in advance, so that no answer depends on the build time. */
async function warm(build: Build, code: string): Promise<void> {
  const stage = await openStage({ build, code });
  await stage.shell("waybill graph digest");
  await stage.close();
}

function unplayable({ scenario, mode, variant }: Task, cause: unknown): Error {
  return new Error(`${scenario.id} (${mode}, ${variant}) could not be played`, { cause });
}

async function inOrder(
  tasks: readonly Task[],
  workers: number,
  run: (task: Task) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < tasks.length; index = next++) {
      const task = tasks[index];
      if (task === undefined) continue;
      try {
        results[index] = await run(task);
      } catch (error) {
        // Starts no further play after one that cannot be judged.
        next = tasks.length;
        throw unplayable(task, error);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}

/** Plays every scenario in every mode, each with its own GitHub. */
export async function playAll(
  scenarios: readonly Scenario[],
  {
    build,
    variants: wanted = variants,
    modes: chosen = modes,
    workers = 2,
    onPlayed,
  }: PlayAllOptions,
): Promise<Plays> {
  const code = copyCodeBase();
  const tasks = getTasks(scenarios, wanted, chosen);
  let done = 0;
  try {
    if (scenarios.some(({ kind }) => kind === "code")) await warm(build, code.folder);
    const results = await inOrder(tasks, workers, async ({ scenario, mode, variant }) => {
      const result = await play(scenario, mode, variant, { build, code: code.folder });
      onPlayed?.(++done, tasks.length);
      return result;
    });
    const played = results.flatMap((each) => ("played" in each ? [each.played] : []));
    const trajectories = results.flatMap((each) => ("played" in each ? [each.trajectory] : []));
    return {
      played: addFloors(shareLookups(played, trajectories), trajectories, scenarios),
      absent: results.flatMap((each) => ("absent" in each ? [each.absent] : [])),
      trajectories,
    };
  } finally {
    code.remove();
  }
}
