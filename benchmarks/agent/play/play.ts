import { countCalls, countTokens } from "../figures/index.ts";
import { NoWay } from "../modes/mode.ts";
import type { Performance } from "../modes/mode.ts";
import { playModes } from "../modes/index.ts";
import type { Build } from "../programs/waybill-program.ts";
import { NO_FAULT } from "../types.ts";
import type { Absent, Mode, Played, Scenario, Trajectory, Variant } from "../types.ts";
import { judgePlay } from "./judge.ts";
import { openStage } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { causeTrouble, hasMetTrouble, getTrouble } from "./trouble.ts";
import { countWrites } from "./writes.ts";

export interface PlayOptions {
  readonly build: Build;
  /** The folder of the code base for code questions. */
  readonly code: string;
}

export type Result =
  | { readonly played: Played; readonly trajectory: Trajectory }
  | { readonly absent: Absent };

function trouble(scenario: Scenario, variant: Variant): { trouble?: string } {
  if (variant === "plain") return {};
  return { trouble: variant === "fault" ? getTrouble(scenario) : (scenario.mistake ?? "a guess") };
}

/**
 * Throws if a play made calls to recover although the fault applied to none of its requests. Their
 * tokens would count as the cost of the fault.
 */
function checkTrouble({ github }: Stage, { turns }: Performance): void {
  if (hasMetTrouble(github)) return;
  if (turns.some(({ purpose }) => purpose === "recover"))
    throw new Error("There was a recovery without a fault: the script is wrong");
  throw new NoWay(`${NO_FAULT}: none of its requests is one that the fault is for`);
}

async function playOn(
  stage: Stage,
  scenario: Scenario,
  mode: Mode,
  variant: Variant,
  code: string,
): Promise<Result> {
  if (variant === "fault") causeTrouble(stage.github, scenario, mode);
  const made = await playModes[mode]({ scenario, variant, stage });
  if (variant === "fault") checkTrouble(stage, made);
  const isPlain = variant === "plain";
  const { applied, doubled, repeated, problem } = countWrites(scenario, stage.writes.applied);
  const reason = problem ?? (await judgePlay({ scenario, mode, isPlain, made, stage, code }));
  const facts = { scenario: scenario.id, mode, variant };
  const played: Played = {
    ...facts,
    kind: scenario.kind,
    steps: scenario.steps.length,
    ...trouble(scenario, variant),
    calls: countCalls(made.turns),
    sessionCalls: countCalls(made.turns),
    tokens: countTokens(made),
    passed: reason === undefined,
    ...(reason !== undefined && { reason }),
    applied,
    wanted: scenario.writes ?? 0,
    ...(doubled > 0 && { doubled }),
    ...(repeated > 0 && { repeated }),
  };
  const { definitions, turns } = made;
  return { played, trajectory: { ...facts, definitions: [...definitions], turns: [...turns] } };
}

/** Plays one scenario in one mode, with its own GitHub. */
export async function play(
  scenario: Scenario,
  mode: Mode,
  variant: Variant,
  { build, code }: PlayOptions,
): Promise<Result> {
  const stage = await openStage({ build, ...(scenario.kind === "code" && { code }) });
  try {
    return await playOn(stage, scenario, mode, variant, code);
  } catch (error) {
    if (!(error instanceof NoWay)) throw error;
    return { absent: { scenario: scenario.id, mode, variant, why: error.message } };
  } finally {
    await stage.close();
  }
}

/** The variants of a scenario. Code and bulk tasks have no faults, and a guess must be defined. */
export function getVariants({ kind, guess }: Scenario): Variant[] {
  return [
    "plain",
    ...(kind === "code" || kind === "bulk" ? [] : ["fault" as const]),
    ...(guess === undefined ? [] : ["guess" as const]),
  ];
}
