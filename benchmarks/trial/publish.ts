import { grid, table, writeSection } from "../lib/report.mjs";
import type { Row } from "../lib/report.mjs";
import type { DoorName } from "./folder.ts";
import type { Score } from "./score.ts";

const NAMES: Readonly<Record<DoorName, string>> = {
  gh: "`gh` from memory",
  command: "the command, indexed skill",
  mcp: "the MCP tool `code`, indexed skill",
};
const MOST_CALLS = 0.8;
const MOST_BYTES = 1;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The total bytes. The start text counts once. */
function countBytes({ startBytes, readBytes }: Score): number {
  return startBytes + readBytes;
}

function scoreRow(score: Score): string[] {
  const { round, reader, door, solved, tasks, turns, calls, sentBytes, tokens, strays } = score;
  const figures = [
    turns,
    calls,
    countBytes(score),
    sentBytes,
    tokens,
    score.seconds,
    strays.length,
  ];
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

function compared(door: DoorName, ours: readonly Score[], gh: readonly Score[]): Row[] {
  const share = (of: (score: Score) => number): number => mean(ours.map(of)) / mean(gh.map(of));
  const solved = mean(ours.map((score) => score.solved)) - mean(gh.map((score) => score.solved));
  const [calls, bytes] = [share((score) => score.calls), share(countBytes)];
  return [
    {
      name: `final round, ${NAMES[door]}: tasks solved more than with \`gh\``,
      value: solved,
      unit: "",
      target: "≥ 0",
      met: solved >= 0,
    },
    atMost("… calls, beside `gh`", calls, MOST_CALLS),
    atMost("… bytes read, beside `gh`", bytes, MOST_BYTES),
  ];
}

function targetRows(scores: readonly Score[]): Row[] {
  const final = scores.filter(({ round }) => round === "final");
  const gh = final.filter(({ door }) => door === "gh");
  if (gh.length === 0) return [];
  return (["command", "mcp"] as const).flatMap((door) => {
    const ours = final.filter((score) => score.door === door);
    return ours.length === 0 ? [] : compared(door, ours, gh);
  });
}

/** Writes the scores of the readers to RESULTS.md. */
export function publishScores(scores: readonly Score[], stamp: string): void {
  const rows = targetRows(scores);
  writeSection("trial", [
    "## Trials with fresh readers",
    stamp,
    ...(rows.length === 0 ? [] : [table(rows)]),
    grid(HEADER, scores.map(scoreRow), (column) => column > 2),
    "A reader is a language model with a shell that knows its page of tasks and nothing else of the project: 30 tasks on three repositories, at least 8 of them with loops. A turn is one call of the reader, a call is one of `gh`, `waybill` or a tool, also inside a loop of the shell. Bytes read have the skill (and over MCP the definition of the tool) once. It is a trial with few readers, not a statistic. [How](trial/README.md).",
  ]);
}
