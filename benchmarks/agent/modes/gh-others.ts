import type { Stage } from "../play/stage.ts";
import { turn } from "../play/text.ts";
import type { Turn } from "../types.ts";
import { ghKnown } from "./gh.ts";
import type { PlayMode } from "./mode.ts";

const FIELDS_AND_FILTER = /(?<fields> --json [\w,]+) -q (?:'[^']*'|\S+)/u;
const LIMIT = / -L \d{3,}/u;

/**
 * The lines of someone who remembers `gh` as models do. In the published runs (85 runs, 182 calls),
 * no call had a flag or a field that does not exist. Two of three lines had no filter. The 12
 * failed runs mistook the first items of a list for all of it.
 */
function rememberedLines(line: string): string[] {
  const unfiltered = line.replace(FIELDS_AND_FILTER, "$<fields>");
  return LIMIT.test(line) ? [unfiltered.replace(LIMIT, ""), unfiltered] : [unfiltered];
}

async function rememberedTurns(stage: Stage, known: Turn): Promise<Turn[]> {
  const line = known.send.text ?? "";
  const lines = rememberedLines(line);
  if (lines.length === 1 && lines[0] === line) return [known];
  const turns: Turn[] = [];
  for (const each of lines) {
    const { stdout, stderr } = await stage.shell(each);
    turns.push(turn(known.purpose, known.send.what, each, stage.steady(stdout + stderr)));
  }
  return turns;
}

/** `gh` from memory: the expert's lines do the task, but these lines are counted instead. */
export const ghMemory: PlayMode = async (scene) => {
  const made = await ghKnown(scene);
  // A shell loop keeps its filter, because it does not work without one.
  if (scene.scenario.kind === "bulk") return made;
  const turns: Turn[] = [];
  for (const known of made.turns) turns.push(...(await rememberedTurns(scene.stage, known)));
  return { ...made, turns };
};

/** The ids in the output of the expert's first line. Later lines repeat them. */
function idsIn(turns: readonly Turn[]): string[] {
  return [...(turns[0]?.read.text ?? "").matchAll(/"id":"([^"]*)"/gu)].map(([, id = ""]) => id);
}

/**
 * The expert with a current `gh`, estimated: shorter lines, with the values of the recorded
 * answers.
 */
export const ghCurrent: PlayMode = async (scene) => {
  const made = await ghKnown(scene);
  const { gh } = scene.scenario;
  const current = typeof gh === "string" ? undefined : gh.current;
  if (current === undefined) return made;
  const ids = idsIn(made.turns);
  const filled = (text: string): string =>
    text.replaceAll(/\$ID(\d)/gu, (_, index: string) => ids[Number(index)] ?? "");
  const turns = current.map(([line, printed], index) => {
    const read = printed ?? made.turns[index]?.read.text ?? "";
    return turn("call", line.split(" ").slice(0, 2).join(" "), filled(line), filled(read));
  });
  return { ...made, turns };
};
