import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { addFloors, countCalls, countTokens, shareLookups } from "../figures/index.ts";
import { modes, variants } from "../types.ts";
import type { Mode, Played, Scenario, Text, Trajectory, Turn } from "../types.ts";
import type { Plays } from "./play-all.ts";
import { STAMP, TRAJECTORIES } from "./trajectories.ts";
import type { WorkedOut } from "./trajectories.ts";

const variant = z.enum(variants);
const turn = z.tuple([z.enum(["discover", "call", "recover"]), z.string(), z.string()]);

/** The recorded result of a play. Its counts are computed again from the recorded text. */
const verdictFields = {
  trouble: z.string().exactOptional(),
  passed: z.boolean(),
  reason: z.string().exactOptional(),
  applied: z.int(),
  wanted: z.int(),
  doubled: z.int().exactOptional(),
  repeated: z.int().exactOptional(),
} satisfies Record<Exclude<keyof Played, WorkedOut | "scenario" | "variant">, z.ZodType>;

export const recordedSchema = z.object({
  mode: z.enum(modes),
  plays: z.array(
    z.object({
      scenario: z.string(),
      variant,
      ...verdictFields,
      definitions: z.array(z.string()),
      turns: z.array(turn.or(z.tuple([...turn.def.items, z.literal("joined")]))).min(1),
    }),
  ),
  absent: z.array(z.object({ scenario: z.string(), variant, why: z.string() })),
  texts: z.record(
    z.string(),
    z.object({ what: z.string(), text: z.string().exactOptional(), tokens: z.number() }),
  ),
});

/** A file of `trajectories/`. */
export type Recorded = z.infer<typeof recordedSchema>;
type RecordedPlay = Recorded["plays"][number];

const stampsSchema = z.partialRecord(z.enum(modes), z.string());

function readJson(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** A mode that was never played has no file yet. `benchmark:check` reports that. */
function readRecorded(mode: Mode, folder: string): Recorded {
  if (!existsSync(join(folder, `${mode}.json`))) return { mode, plays: [], absent: [], texts: {} };
  const read = recordedSchema.safeParse(readJson(folder, `${mode}.json`));
  if (!read.success) throw new Error(`${mode}.json: ${z.prettifyError(read.error)}`);
  return read.data;
}

/** When, where and on which code it was played, per mode if that differs. */
export function readStamp(folder = TRAJECTORIES): string {
  const stamps = stampsSchema.parse(readJson(folder, STAMP));
  const played = new Map<string, Mode[]>();
  for (const mode of modes) {
    const stamp = stamps[mode] ?? "";
    played.set(stamp, [...(played.get(stamp) ?? []), mode]);
  }
  const [only] = played.keys();
  if (played.size === 1 && only !== undefined) return only;
  return [...played].map(([stamp, own]) => `${own.join(", ")}: ${stamp}`).join("; ");
}

function textAt(texts: Recorded["texts"], key: string): Text {
  const found = texts[key];
  if (found === undefined) throw new Error(`There is no text ${key}`);
  return found;
}

function getTurns({ turns }: RecordedPlay, texts: Recorded["texts"]): Turn[] {
  return turns.map(([purpose, send, read, joined]) => ({
    purpose,
    send: textAt(texts, send),
    read: textAt(texts, read),
    ...(joined !== undefined && { joined: true as const }),
  }));
}

export function getTrajectories({ mode, plays, texts }: Recorded): Trajectory[] {
  return plays.map((play) => ({
    scenario: play.scenario,
    mode,
    variant: play.variant,
    definitions: play.definitions.map((key) => textAt(texts, key)),
    turns: getTurns(play, texts),
  }));
}

function getPlayed(
  { definitions: _definitions, turns: _turns, ...verdict }: RecordedPlay,
  trajectory: Trajectory,
  scenario: Scenario,
): Played {
  return {
    ...verdict,
    mode: trajectory.mode,
    kind: scenario.kind,
    steps: scenario.steps.length,
    calls: countCalls(trajectory.turns),
    sessionCalls: countCalls(trajectory.turns),
    tokens: countTokens(trajectory),
  };
}

/** All recorded plays. */
export function recordedPlays(scenarios: readonly Scenario[], folder = TRAJECTORIES): Plays {
  const known = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  const files = modes.map((mode) => readRecorded(mode, folder));
  const trajectories = files.flatMap(getTrajectories);
  const plays = files.flatMap((each) => each.plays);
  const played = plays.map((play, index) => {
    const [scenario, trajectory] = [known.get(play.scenario), trajectories[index]];
    if (scenario === undefined || trajectory === undefined) {
      throw new Error(`There is no scenario ${play.scenario}; play again with npm run benchmark`);
    }
    return getPlayed(play, trajectory, scenario);
  });
  const absent = files.flatMap(({ mode, absent: own }) => own.map((each) => ({ mode, ...each })));
  const shared = shareLookups(played, trajectories);
  return { played: addFloors(shared, trajectories, scenarios), absent, trajectories };
}
