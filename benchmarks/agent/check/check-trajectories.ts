import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@waybill/core/schema";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { z } from "zod";
import { recordedSchema, getTrajectories } from "../play/recorded.ts";
import type { Recorded } from "../play/recorded.ts";
import { STAMP, TRAJECTORIES } from "../play/trajectories.ts";
import { modes } from "../types.ts";
import type { Mode, Scenario } from "../types.ts";
import { sentAsWanted, wantedSends } from "./wanted-sends.ts";

function countProblems({ texts }: Recorded): string[] {
  return Object.entries(texts)
    .filter(([, { text, tokens }]) => text !== undefined && countTokens(text) !== tokens)
    .map(([key]) => `the token count of ${key} is wrong`);
}

function referenceProblems({ texts, plays }: Recorded): string[] {
  const keys = plays.flatMap(({ definitions, turns }) => [
    ...definitions,
    ...turns.flatMap(([, send, read]) => [send, read]),
  ]);
  return [...new Set(keys)]
    .filter((key) => !(key in texts))
    .map((key) => `the text ${key} is missing`);
}

function playProblems({ mode, plays }: Recorded, scenarios: readonly Scenario[]): string[] {
  const played = new Set(
    plays.filter(({ variant }) => variant === "plain").map(({ scenario }) => scenario),
  );
  // Tasks over many items take long to play, so a mode is checked for them only after it has played
  // one.
  const hasBulk = scenarios.some(({ kind, id }) => kind === "bulk" && played.has(id));
  const wanted = scenarios
    .filter(({ kind }) => hasBulk || kind !== "bulk")
    .filter((scenario) => wantedSends(scenario, mode) !== undefined)
    .map(({ id }) => id);
  return [
    ...wanted.filter((id) => !played.has(id)).map((id) => `${id} was not played`),
    ...[...played].filter((id) => !wanted.includes(id)).map((id) => `there is no scenario ${id}`),
  ];
}

/** Lists recorded plays whose scenario has changed since, so that other calls would be sent now. */
function sendProblems(recorded: Recorded, scenarios: readonly Scenario[]): string[] {
  const known = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  return getTrajectories(recorded)
    .filter((play) => {
      const scenario = known.get(play.scenario);
      const wanted = scenario && wantedSends(scenario, recorded.mode);
      return wanted !== undefined && !sentAsWanted(play, wanted);
    })
    .map(({ scenario, variant }) => `${scenario} (${variant}) was played before it was changed`);
}

/** A new mode has no stamp until `npm run benchmark` plays it. */
function isStamped(mode: Mode, folder: string): boolean {
  const path = join(folder, STAMP);
  if (!existsSync(path)) return true;
  const stamps: unknown = JSON.parse(readFileSync(path, "utf8"));
  return isRecord(stamps) && mode in stamps;
}

function modeProblems(mode: Mode, scenarios: readonly Scenario[], folder: string): string[] {
  const path = join(folder, `${mode}.json`);
  if (!existsSync(path)) return isStamped(mode, folder) ? ["the file is missing"] : [];
  const read = recordedSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!read.success) return [z.prettifyError(read.error)];
  const { data } = read;
  const missing = referenceProblems(data);
  return [
    ...countProblems(data),
    ...missing,
    ...playProblems(data, scenarios),
    ...(missing.length > 0 ? [] : sendProblems(data, scenarios)),
  ];
}

/**
 * The scenarios that at least one mode has played. A new scenario is checked only after its first
 * play.
 */
function playedScenarios(scenarios: readonly Scenario[], folder: string): Scenario[] {
  const files = modes
    .map((mode) => join(folder, `${mode}.json`))
    .filter((path) => existsSync(path));
  const recorded = files.map((path) => readFileSync(path, "utf8"));
  return scenarios.filter(({ id }) => recorded.some((text) => text.includes(`"scenario":"${id}"`)));
}

/** Checks that the recorded trajectories match the scenarios and their counts. */
export function trajectoryProblems(
  scenarios: readonly Scenario[],
  folder = TRAJECTORIES,
): string[] {
  const played = playedScenarios(scenarios, folder);
  const problems = modes.flatMap((mode) =>
    modeProblems(mode, played, folder).map((problem) => `trajectories/${mode}.json: ${problem}`),
  );
  const hasStamp = existsSync(join(folder, STAMP));
  return hasStamp ? problems : [...problems, `trajectories/${STAMP}: the file is missing`];
}
