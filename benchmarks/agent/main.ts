// npm run benchmark -- --help
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { AGENT_SOURCES, circumstances } from "../lib/report.mjs";
import { runBench } from "../lib/run-bench.mjs";
import { facts } from "./assumptions.ts";
import { USAGE, readCommandLine } from "./command-line.ts";
import type { CommandLine } from "./command-line.ts";
import { modelCommand } from "./model/index.ts";
import { copyCodeBase } from "./play/code-base.ts";
import { mergePlays } from "./play/merge-plays.ts";
import { getTruth } from "./play/judge.ts";
import { playAll } from "./play/play-all.ts";
import type { Plays } from "./play/play-all.ts";
import { readStamp, recordedPlays } from "./play/recorded.ts";
import { writeTrajectories } from "./play/trajectories.ts";
import { agentReport } from "./report/index.ts";
import { writeAgentResults } from "./results/index.ts";
import { readScenarios } from "./scenario/read.ts";
import { modes } from "./types.ts";
import { benchWorld, steadyClock } from "./world/bench-world.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const EVERY = 200;

function showProgress(done: number, total: number): void {
  if (done % EVERY === 0 || done === total) console.error(`${done} of ${total} plays`);
}

/** Reports failed plays of all modes. A failed rival is a mistake of the benchmark too. */
function reportFailures({ played }: Plays): number {
  const failed = played.filter(({ passed }) => !passed);
  for (const { scenario, mode, variant, reason } of failed) {
    console.error(`${scenario} (${mode}, ${variant}): ${reason ?? ""}`);
  }
  return failed.length > 0 ? 1 : 0;
}

/** The wanted names of an option. Only these are played again; other records stay. */
function chosen<Name extends string>(
  option: string,
  names: readonly string[] | undefined,
  all: readonly Name[],
) {
  if (names === undefined) return all;
  const unknown = names.find((name) => !all.some((known) => known === name));
  if (unknown === undefined) return all.filter((name) => names.includes(name));
  throw new Error(`${option}: there is no ${unknown}; there are ${all.join(", ")}`);
}

/** The scripts play the bundled command. */
function buildCommand(): void {
  const { status } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("npm run build failed, so nothing can be played");
}

/** Plays the scripts. A quick run has no faults and wrong guesses, prints, and writes nothing. */
async function playScripts({ isQuick, ...wanted }: CommandLine): Promise<number> {
  const all = readScenarios();
  const ids = chosen(
    "--scenarios",
    wanted.scenarios,
    all.map(({ id }) => id),
  );
  const played = chosen("--modes", wanted.modes, modes);
  buildCommand();
  const stamp = circumstances(AGENT_SOURCES);
  const plays = await playAll(
    all.filter(({ id }) => ids.includes(id)),
    {
      build: "bundle",
      modes: played,
      onPlayed: showProgress,
      ...(isQuick && { variants: ["plain"] }),
    },
  );
  if (!isQuick) {
    const isPart = ids.length < all.length;
    const merged = isPart ? mergePlays(recordedPlays(all), plays, all) : plays;
    const part = isPart ? `, ${ids.length} of ${all.length} scenarios` : "";
    writeTrajectories(merged, stamp + part, { modes: played, isPart });
    return reportRecorded();
  }
  console.log(agentReport(plays, facts).join("\n\n"));
  return reportFailures(plays);
}

/** Writes the report and the charts again from the records. */
function reportRecorded(): number {
  const plays = recordedPlays(readScenarios());
  writeAgentResults(plays, facts, ROOT, readStamp());
  return reportFailures(plays);
}

async function playWithModel(words: readonly string[]): Promise<number> {
  const code = copyCodeBase();
  try {
    return await modelCommand(words, process.env, {
      scenarios: readScenarios(),
      world: benchWorld,
      clock: steadyClock,
      code: code.folder,
      truthOf: (scenario, { store }, folder) => getTruth(scenario, store, folder),
    });
  } finally {
    code.remove();
  }
}

/** Refuses an unknown option before anything is built or played. */
function readWords(words: readonly string[]): CommandLine | string {
  try {
    return readCommandLine(words);
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`;
  }
}

async function main(words: readonly string[]): Promise<number> {
  const line = readWords(words);
  if (typeof line === "string") {
    console.error(line);
    return 2;
  }
  if (line.isHelp) {
    console.log(USAGE);
    return 0;
  }
  if (line.isModel) return playWithModel(words);
  if (line.isReport) return reportRecorded();
  const played = await playScripts(line);
  const { isQuick: quick, isAgentOnly, modes: ofModes, scenarios } = line;
  const isPart = isAgentOnly || ofModes !== undefined || scenarios !== undefined;
  return Math.max(played, isPart ? 0 : runBench({ quick }));
}

process.exitCode = await main(process.argv.slice(2));
