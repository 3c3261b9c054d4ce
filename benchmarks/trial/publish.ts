import { readFileSync, writeFileSync } from "node:fs";
import { grid, table, writeSection } from "../lib/report.mjs";
import type { Row } from "../lib/report.mjs";
import type { DoorName } from "./folder.ts";
import type { Score } from "./score.ts";

const KEPT = new URL("scores.json", import.meta.url);
const NAMES: Readonly<Record<DoorName, string>> = {
  gh: "`gh` from memory",
  command: "the command, indexed skill",
  mcp: "the MCP tool `code`, indexed skill",
};
const MOST_CALLS = 0.8;
const MOST_BYTES = 1;
/** The rounds whose figures are compared with the targets: the first one that was played. */
const DECIDING = ["final", "third"];

/** The published figures of one reader. These figures are stored, but not its repository or logs. */
export interface PublishedScore extends Pick<
  Score,
  "round" | "reader" | "door" | "solved" | "tasks" | "turns" | "calls" | "sentBytes" | "tokens"
> {
  /** The start text once, and everything that the calls printed. */
  readonly bytesRead: number;
  readonly seconds: number;
  /** The number of changes that no task asked for. */
  readonly strays: number;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function published(score: Score): PublishedScore {
  const { startBytes, readBytes, strays, atFirstTry: _tries, failures: _why, ...figures } = score;
  return { ...figures, bytesRead: startBytes + readBytes, strays: strays.length };
}

function scoreRow(score: PublishedScore): string[] {
  const { round, reader, door, solved, tasks } = score;
  const { turns, calls, bytesRead, sentBytes, tokens, seconds, strays } = score;
  const figures = [turns, calls, bytesRead, sentBytes, tokens, seconds, strays];
  return [round, reader, NAMES[door], `${solved} of ${tasks}`, ...figures.map(String)];
}

const HEADER = [
  "round",
  "reader",
  "knows",
  "solved",
  "turns",
  "calls",
  "bytes read",
  "bytes sent",
  "tokens",
  "seconds",
  "unasked changes",
];

function atMost(name: string, value: number, most: number): Row {
  const shown = Math.ceil(value * 100) / 100;
  return { name, value: shown, unit: "×", target: `≤ ${most} ×`, met: value <= most };
}

type Scores = readonly PublishedScore[];

function compared(door: DoorName, ours: Scores, gh: Scores): Row[] {
  const share = (of: (score: PublishedScore) => number): number =>
    mean(ours.map(of)) / mean(gh.map(of));
  const solved = mean(ours.map((score) => score.solved)) - mean(gh.map((score) => score.solved));
  return [
    {
      name: `${ours[0]!.round} round, ${NAMES[door]}: tasks solved more than with \`gh\``,
      value: solved,
      unit: "",
      target: "≥ 0",
      met: solved >= 0,
    },
    atMost(
      "… calls, beside `gh`",
      share((score) => score.calls),
      MOST_CALLS,
    ),
    atMost(
      "… bytes read, beside `gh`",
      share((score) => score.bytesRead),
      MOST_BYTES,
    ),
  ];
}

/** The targets, compared with the round that decides. */
export function trialTargets(scores: Scores): Row[] {
  const isPlayed = (name: string): boolean =>
    scores.some(({ round, door }) => round === name && door === "gh");
  const name = DECIDING.find(isPlayed);
  const played = scores.filter(({ round }) => round === name);
  const gh = played.filter(({ door }) => door === "gh");
  return (["command", "mcp"] as const).flatMap((door) => {
    const ours = played.filter((score) => score.door === door);
    return ours.length === 0 ? [] : compared(door, ours, gh);
  });
}

/** The kept scores with new ones. A reader who is scored again replaces the kept score. */
export function mergeScores(kept: Scores, scores: readonly Score[]): PublishedScore[] {
  const all = [...kept, ...scores.map(published)];
  const byReader = new Map(all.map((score) => [`${score.round} ${score.reader}`, score]));
  return [...byReader.values()];
}

/** Keeps the scores of the readers, and writes all kept ones to RESULTS.md. */
export function publishScores(scores: readonly Score[], stamp: string): void {
  const kept = mergeScores(JSON.parse(readFileSync(KEPT, "utf8")) as PublishedScore[], scores);
  writeFileSync(KEPT, `${JSON.stringify(kept, null, 2)}\n`);
  const rows = trialTargets(kept);
  writeSection("trial", [
    "## Trials with fresh readers",
    stamp,
    ...(rows.length === 0 ? [] : [table(rows)]),
    grid(HEADER, kept.map(scoreRow), (column) => column > 2),
    "A reader is a language model with a shell that knows its page of tasks and nothing else of the project: 30 tasks on three repositories, at least 8 of them with loops. A turn is one call of the reader, a call is one of `gh`, `waybill` or a tool, also inside a loop of the shell. Bytes read have the skill (and over MCP the definition of the tool) once. It is a trial with few readers, not a statistic. [How](trial/README.md).",
  ]);
}
