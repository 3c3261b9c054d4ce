import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modes } from "../types.ts";
import type { Absent, Mode, Played, Text, Trajectory } from "../types.ts";
import type { Plays } from "./play-all.ts";

export const TRAJECTORIES = fileURLToPath(new URL("../trajectories", import.meta.url));
/** The file that says when, where and on which code the trajectories were played. */
export const STAMP = "stamp.json";

/** Stores repeated strings only once, such as a skill or a help page. */
class TextTable {
  readonly texts: Record<string, Text> = {};
  readonly #keys = new Map<string, string>();

  key({ what, text, tokens }: Text): string {
    // Schema text is not stored with the plays. It is read again from the pinned package, by the
    // names that the agent looked up.
    const kept =
      what === "schema" && text?.includes("{") === true ? { what, tokens } : { what, text, tokens };
    const whole = JSON.stringify(kept);
    const known = this.#keys.get(whole);
    if (known !== undefined) return known;
    const key = `t${this.#keys.size}`;
    this.#keys.set(whole, key);
    this.texts[key] =
      kept.text === undefined ? { what, tokens } : { what, text: kept.text, tokens };
    return key;
  }
}

function lines(items: readonly string[]): string {
  return items.map((item) => `  ${item}`).join(",\n");
}

/**
 * Members that are computed from the scenarios and the recorded strings, so they are not stored.
 */
const WORKED_OUT = [
  "mode",
  "kind",
  "steps",
  "calls",
  "sessionCalls",
  "shortCalls",
  "tokens",
  "floor",
] as const;
export type WorkedOut = (typeof WORKED_OUT)[number];

function isWorkedOut(name: string): boolean {
  return WORKED_OUT.some((each) => each === name);
}

function getVerdict(played: Played): object {
  return Object.fromEntries(Object.entries(played).filter(([name]) => !isWorkedOut(name)));
}

function getPlay({ definitions, turns }: Trajectory, table: TextTable): object {
  return {
    definitions: definitions.map((text) => table.key(text)),
    turns: turns.map(({ purpose, send, read, joined }) => [
      purpose,
      table.key(send),
      table.key(read),
      ...(joined === true ? ["joined"] : []),
    ]),
  };
}

interface Recording {
  readonly mode: Mode;
  readonly plays: readonly (readonly [Played, Trajectory])[];
  readonly absent: readonly Absent[];
}

function fileText({ mode, plays, absent }: Recording): string {
  const table = new TextTable();
  const recorded = plays.map(([played, trajectory]) => ({
    ...getVerdict(played),
    ...getPlay(trajectory, table),
  }));
  const missing = absent.map(({ scenario, variant, why }) => ({ scenario, variant, why }));
  const texts = Object.entries(table.texts).map(
    ([key, text]) => `${JSON.stringify(key)}: ${JSON.stringify(text)}`,
  );
  const [listed, left] = [recorded, missing].map((all) =>
    lines(all.map((each) => JSON.stringify(each))),
  );
  return `{\n"mode": ${JSON.stringify(mode)},\n"plays": [\n${listed}\n],\n"absent": [\n${left}\n],\n"texts": {\n${lines(texts)}\n}\n}\n`;
}

/** When, where and on which code each mode was played. */
type Stamps = Partial<Record<Mode, string>>;

/** Separates the stamp of newly played scenarios from that of the others. */
const OTHERS = "; the others ";

function writeStamp(
  stamp: string,
  { modes: chosen, isPart, folder }: Required<WriteOptions>,
): void {
  const path = join(folder, STAMP);
  const isWhole = chosen.length === modes.length && !isPart;
  const known = isWhole ? {} : (JSON.parse(readFileSync(path, "utf8")) as Stamps);
  const played = chosen.map((mode): [string, string] => {
    const before = known[mode]?.split(OTHERS).at(-1) ?? "";
    return [mode, isPart ? `${stamp}${OTHERS}${before}` : stamp];
  });
  const stamps = { ...known, ...Object.fromEntries(played) };
  writeFileSync(path, `${JSON.stringify(stamps, undefined, 2)}\n`);
}

interface WriteOptions {
  /** The played modes; files of other modes are kept (default: all). */
  readonly modes?: readonly Mode[];
  /** Whether only some scenarios were played again (default: false). */
  readonly isPart?: boolean;
  readonly folder?: string;
}

/** Writes the requests, answers and results of each mode, one file for each mode. */
export function writeTrajectories(
  { played, absent, trajectories }: Plays,
  stamp: string,
  { modes: chosen = modes, isPart = false, folder = TRAJECTORIES }: WriteOptions = {},
): void {
  mkdirSync(folder, { recursive: true });
  const pairs = played.flatMap((play, index): [Played, Trajectory][] => {
    const trajectory = trajectories[index];
    return trajectory === undefined ? [] : [[play, trajectory]];
  });
  for (const mode of chosen) {
    const plays = pairs.filter(([play]) => play.mode === mode);
    const own = absent.filter((each) => each.mode === mode);
    writeFileSync(join(folder, `${mode}.json`), fileText({ mode, plays, absent: own }));
  }
  writeStamp(stamp, { modes: chosen, isPart, folder });
}
