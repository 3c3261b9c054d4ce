import type { GithubEmulator, World } from "@waybill/github/emulator";
import { skillText } from "../../../packages/cli/src/skill/index.ts";
import { AGENT_SOURCES, circumstances, writeSection } from "../../lib/report.mjs";
import { sum } from "../figures/index.ts";
import { modelReport } from "../report/index.ts";
import { openEmbeddedWorld } from "./embedded-world.ts";
import { openEndpoint } from "./endpoint.ts";
import type { ModelPlayed } from "./played.ts";
import { runModel } from "./run-model.ts";
import type { ModelRun, OpenWorld } from "./run-model.ts";
import { UsageError, chosen, modelSettings } from "./settings.ts";
import type { ModelSettings } from "./settings.ts";
import { verdictOn } from "./verdict.ts";
import type { Asked } from "./verdict.ts";

/** The scenarios to play, and the oracle that knows the true answers. */
export interface ModelBenchmark<Given extends Asked> {
  readonly scenarios: readonly Given[];
  readonly world?: World;
  readonly clock?: () => () => Date;
  /** The folder of the code base, for questions about code. */
  readonly code?: string;
  /** Asks the oracle for the correct answer in this GitHub or code base. */
  readonly truthOf: (scenario: Given, github: GithubEmulator, code: string | undefined) => unknown;
}

/** Where the report is written. */
interface ModelOutput {
  readonly print: (text: string) => void;
  readonly write: (parts: string[]) => void;
}

const OUTPUT: ModelOutput = {
  print: (text) => console.log(text),
  write: (parts) => writeSection("agent-model", ["## The scenarios, played by a model", ...parts]),
};

function openPlaces<Given extends Asked>(
  { world, clock, code: folder, truthOf }: ModelBenchmark<Given>,
  form: ModelSettings["skill"],
): OpenWorld<Given> {
  const skill = skillText({ form, door: "mcp" });
  return async (scenario, door) => {
    if (door === "gh" && typeof scenario.gh === "string") return undefined;
    const code = scenario.kind === "code" ? folder : undefined;
    return openEmbeddedWorld({
      skill,
      code,
      ...(world && { world }),
      ...(clock && { clock: clock() }),
      judge: async (answer, github) => {
        const applied = sum(Object.values(github.applied()));
        return verdictOn(scenario, { answer, applied, truth: truthOf(scenario, github, code) });
      },
    });
  };
}

function getLine({ scenario, mode, passed, calls, tokens, reason = "" }: ModelPlayed): string {
  const how = passed ? "passed" : `failed: ${reason}`;
  return `${scenario}, ${mode}: ${calls} calls, ${tokens.total} tokens, ${how}`;
}

async function playAll<Given extends Asked>(
  settings: ModelSettings,
  benchmark: ModelBenchmark<Given>,
  { print }: ModelOutput,
): Promise<ModelRun> {
  const { format, skill } = settings;
  const scenarios = chosen(benchmark.scenarios, settings);
  const endpoint = openEndpoint(settings);
  try {
    const open = openPlaces(benchmark, skill);
    const onPlayed = (play: ModelPlayed): void => print(getLine(play));
    return await runModel({ scenarios, endpoint, format: format.name, open, onPlayed });
  } finally {
    endpoint.close();
  }
}

const NOT_PLAYED = "Nothing was played: ";

/** Only a complete run is recorded. */
function isWhole({ scenarios, isQuick }: ModelSettings, { problem }: ModelRun): boolean {
  return scenarios === undefined && !isQuick && problem === undefined;
}

/**
 * `npm run benchmark -- --model …`: plays the scenarios with a real model, and reports as for
 * scripted ones. Returns the exit code: 1 if not everything was played, 2 for an invalid command
 * line.
 */
export async function modelCommand<Given extends Asked>(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  benchmark: ModelBenchmark<Given>,
  output: ModelOutput = OUTPUT,
): Promise<number> {
  try {
    const settings = modelSettings(args, env);
    const stamp = circumstances(AGENT_SOURCES);
    const run = await playAll(settings, benchmark, output);
    const { model, url, format } = settings;
    const facts = { model, host: url.host, format: format.name, problem: run.problem };
    const parts = modelReport(run.played, facts);
    output.print(run.played.length === 0 ? NOT_PLAYED + run.problem : `\n${parts.join("\n\n")}`);
    if (isWhole(settings, run)) output.write([stamp, ...parts]);
    return run.problem === undefined ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.print(error.message);
    return 2;
  }
}
