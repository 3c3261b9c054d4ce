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

/** A GitHub of its own for one play, and who knows what is true there. */
export interface Place {
  toolbox(door: Door, format: FormatName): Promise<Toolbox>;
  /** Why the answer or GitHub's state is not what the task wants; undefined when it is. */
  judge(answer: string): Promise<string | undefined>;
  /** Writes that took place, by GitHub's own count. */
  applied(): number;
  close(): Promise<void>;
}

/** Undefined where a door has no way to do the task. */
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
/** An endpoint that fails this often in a row will continue to. */
const MAX_FAILED = 3;

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
    // Each task is a conversation of its own, so nothing that was looked up is there for the next.
    tokens: { definitions, sent, read, total, anew: total, three, single },
    passed: reason === undefined,
    ...(reason !== undefined && { reason }),
    applied,
    wanted: writes,
    usage,
  };
}

/** Plays one scenario through one door; an endpoint's failure of this play only is its reason. */
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

/** Plays every scenario through both doors, one after the other. Finished plays are always kept. */
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
        if (failed >= MAX_FAILED) return { played, problem: play.reason ?? "the endpoint fails" };
      } catch (error) {
        if (!(error instanceof EndpointError)) throw error;
        return { played, problem: error.message };
      } finally {
        await place.close();
      }
    }
  }
  return { played };
}
