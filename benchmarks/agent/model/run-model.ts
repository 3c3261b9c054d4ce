import { SESSION, SHORT_SESSION } from "../figures/index.ts";
import type { Scenario } from "../types.ts";
import type { Endpoint } from "./endpoint.ts";
import { EndpointError } from "./endpoint-error.ts";
import { playTask } from "./play-task.ts";
import type { PlayLimits, PlayedTask } from "./play-task.ts";
import { DOORS } from "./played.ts";
import type { Door, ModelPlayed } from "./played.ts";
import type { FormatName, Toolbox } from "./toolbox.ts";

/** The fields of a scenario that this run needs. */
export type Task = Pick<Scenario, "id" | "kind" | "task" | "steps"> & {
  /** How many writes it asks for. */
  readonly writes?: number | undefined;
};

/** The GitHub for one play, with the judge of its result. */
export interface Place {
  toolbox(door: Door, format: FormatName): Promise<Toolbox>;
  /** Why the answer or GitHub's state is wrong; undefined if it is correct. */
  judge(answer: string): Promise<string | undefined>;
  /** The number of applied writes, as GitHub counts them. */
  applied(): number;
  close(): Promise<void>;
}

/** Undefined if these tools cannot do the task. */
export type OpenWorld<Given extends Task> = (
  scenario: Given,
  door: Door,
) => Promise<Place | undefined>;

export interface RunModelOptions<Given extends Task> {
  readonly scenarios: readonly Given[];
  readonly endpoint: Endpoint;
  readonly format: FormatName;
  readonly open: OpenWorld<Given>;
  readonly limits?: Partial<PlayLimits>;
  readonly onPlayed?: (play: ModelPlayed) => void;
}

export interface ModelRun {
  readonly played: readonly ModelPlayed[];
  /** The reason why the run ended early. */
  readonly problem?: string;
}

const LIMITS: PlayLimits = { turns: 12, ms: 180_000, tokens: 200_000 };
/** After this many failures in a row, the endpoint is considered broken. */
const MAX_FAILED = 3;
const ENDPOINT_FAILS = "the endpoint fails";

const NOTHING: PlayedTask = {
  answer: "",
  calls: 0,
  tokens: { definitions: 0, sent: 0, read: 0 },
  usage: { requests: 0, input: 0, output: 0 },
};

function getPlayed(
  { id, kind, steps, writes = 0 }: Task,
  mode: Door,
  { calls, tokens, usage }: PlayedTask,
  verdict: { readonly reason: string | undefined; readonly applied: number },
): ModelPlayed {
  const { definitions, sent, read } = tokens;
  const { reason, applied } = verdict;
  const total = Math.round(sent + read + definitions / SESSION);
  const three = Math.round(sent + read + definitions / SHORT_SESSION);
  const single = sent + read + definitions;
  return {
    scenario: id,
    kind,
    steps: steps.length,
    mode,
    variant: "plain",
    calls,
    sessionCalls: calls,
    // Each task is a separate conversation, so lookups are not shared.
    tokens: { definitions, sent, read, total, anew: total, three, single },
    passed: reason === undefined,
    ...(reason !== undefined && { reason }),
    applied,
    wanted: writes,
    usage,
  };
}

/**
 * Plays one scenario with one kind of tools. A failure of the endpoint becomes the play's reason.
 */
async function playOne<Given extends Task>(
  scenario: Given,
  door: Door,
  place: Place,
  options: RunModelOptions<Given>,
) {
  const { endpoint, format, limits } = options;
  const toolbox = await place.toolbox(door, format);
  let task = NOTHING;
  let failure: EndpointError | undefined;
  try {
    task = await playTask(scenario.task, endpoint, toolbox, { ...LIMITS, ...limits });
  } catch (error) {
    if (!(error instanceof EndpointError) || error.isFatal) throw error;
    failure = error;
  }
  const reason = failure?.message ?? task.stopped ?? (await place.judge(task.answer));
  const play = getPlayed(scenario, door, task, { reason, applied: place.applied() });
  return { play, isFailure: failure !== undefined };
}

/**
 * Plays every scenario with both kinds of tools, one after the other. Finished plays are always
 * kept.
 */
export async function runModel<Given extends Task>(
  options: RunModelOptions<Given>,
): Promise<ModelRun> {
  const { scenarios, open, onPlayed } = options;
  const played: ModelPlayed[] = [];
  let failed = 0;
  for (const scenario of scenarios) {
    for (const door of DOORS) {
      const place = await open(scenario, door);
      if (place === undefined) continue;
      try {
        const { play, isFailure } = await playOne(scenario, door, place, options);
        played.push(play);
        onPlayed?.(play);
        failed = isFailure ? failed + 1 : 0;
        if (failed >= MAX_FAILED) return { played, problem: play.reason ?? ENDPOINT_FAILS };
      } catch (error) {
        if (!(error instanceof EndpointError)) throw error;
        return { played, problem: error.message };
      } finally {
        await place.close();
      }
    }
  }
  // A short run ends before the endpoint counts as broken.
  const isBroken = failed > 0 && failed === played.length;
  return isBroken ? { played, problem: played.at(-1)?.reason ?? ENDPOINT_FAILS } : { played };
}
