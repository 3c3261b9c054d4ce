import { packSpecs } from "@waybill/github";
import { countCalls, countTokens } from "../figures/index.ts";
import { NoWay } from "../modes/mode.ts";
import { playModes } from "../modes/index.ts";
import type { Build } from "../programs/waybill-program.ts";
import type { Absent, Mode, Played, Scenario, Trajectory, Variant } from "../types.ts";
import { judge } from "./judge.ts";
import { openStage } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { causeTrouble, troubleOf } from "./trouble.ts";

export interface PlayOptions {
  readonly build: Build;
  /** Where the code base is that code questions are about. */
  readonly code: string;
}

export type Result =
  | { readonly played: Played; readonly trajectory: Trajectory }
  | { readonly absent: Absent };

const harmless = new Set(
  packSpecs()
    .filter((spec) => spec.idempotent)
    .map(({ id }) => id),
);

/** What was applied beyond what is wanted, as far as it can be of writes that change nothing twice. */
function repeats({ steps, writes = 0 }: Scenario, applied: number): number {
  const most = steps.filter(({ capability }) => harmless.has(capability)).length;
  return writes === 0 ? 0 : Math.min(Math.max(0, applied - writes), most);
}

function trouble(scenario: Scenario, variant: Variant): { trouble?: string } {
  if (variant === "plain") return {};
  return { trouble: variant === "fault" ? troubleOf(scenario) : "a wrong first guess" };
}

async function playOn(
  stage: Stage,
  scenario: Scenario,
  mode: Mode,
  variant: Variant,
  code: string,
): Promise<Result> {
  if (variant === "fault") causeTrouble(stage.github, scenario);
  const made = await playModes[mode]({ scenario, variant, stage });
  const isPlain = variant === "plain";
  const reason = await judge({ scenario, mode, isPlain, made, stage, code });
  const repeated = repeats(scenario, stage.applied());
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
    applied: stage.applied() - repeated,
    wanted: scenario.writes ?? 0,
    ...(repeated > 0 && { repeated }),
  };
  const { definitions, turns } = made;
  return { played, trajectory: { ...facts, definitions: [...definitions], turns: [...turns] } };
}

/** Plays one scenario in one mode, on a GitHub of its own. */
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

/** Which variants a scenario has: code knows no faults, and a guess has to be written down. */
export function variantsOf({ kind, guess }: Scenario): Variant[] {
  return [
    "plain",
    ...(kind === "code" ? [] : ["fault" as const]),
    ...(guess === undefined ? [] : ["guess" as const]),
  ];
}
