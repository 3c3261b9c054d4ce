import { existsSync, readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { askControl } from "./control.ts";
import { changesBetween } from "./facts.ts";
import type { TrialWorld } from "./facts.ts";
import { trialFolder } from "./folder.ts";
import type { DoorName, Trial } from "./folder.ts";
import { ROUNDS } from "./rounds/index.ts";
import type { Task } from "./task.ts";

interface LogEntry {
  readonly kind: "call" | "program";
  readonly task: number;
  readonly read: number;
  readonly sent?: number;
  readonly ms?: number;
  readonly exitCode?: number | null;
  readonly line?: string;
  readonly output?: string;
}

/** The figures of one reader. */
export interface Score {
  readonly reader: string;
  readonly door: DoorName;
  readonly round: string;
  readonly tasks: number;
  readonly solved: number;
  /** Solved tasks without any failed call. */
  readonly atFirstTry: number;
  /** Calls of the reader. Each is one turn of an agent. */
  readonly turns: number;
  /** Runs of `gh` or `waybill`, including those in shell loops; for MCP, tool calls. */
  readonly calls: number;
  readonly startBytes: number;
  readonly readBytes: number;
  readonly sentBytes: number;
  /** How long the reader waited for its calls. */
  readonly seconds: number;
  /** o200k tokens of the start text, and of everything sent and read. */
  readonly tokens: number;
  /** Why a task was not solved, by its number. */
  readonly failures: Readonly<Record<number, string>>;
  /** Changes that no task asked for. */
  readonly strays: readonly string[];
}

function readJsonLines<Line>(file: string): Line[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Line);
}

function readAnswers(file: string): Map<number, string> {
  const lines = readJsonLines<{ readonly task: number; readonly text: string }>(file);
  return new Map(lines.map(({ task, text }) => [task, text]));
}

interface Worlds {
  readonly before: TrialWorld;
  readonly after: TrialWorld;
}

function judge(tasks: readonly Task[], worlds: Worlds, answers: ReadonlyMap<number, string>) {
  const failures: Record<number, string> = {};
  for (const [index, task] of tasks.entries()) {
    const why = task.check({ ...worlds, answer: answers.get(index + 1) ?? "" });
    if (why !== undefined) failures[index + 1] = why;
  }
  return failures;
}

function strayChanges(tasks: readonly Task[], { before, after }: Worlds): string[] {
  const asked = new Set(tasks.flatMap(({ touches }) => touches?.(before) ?? []));
  return changesBetween(before, after).filter((change) => !asked.has(change));
}

/** The numbers of tasks that were solved without a failed call or program. */
function triedOnce(count: number, failures: Readonly<Record<number, string>>, log: LogEntry[]) {
  const failed = new Set(log.filter(({ exitCode = 0 }) => exitCode !== 0).map(({ task }) => task));
  const tried = new Set(log.map(({ task }) => task));
  return Array.from({ length: count }, (_, index) => index + 1).filter(
    (task) => tried.has(task) && !failed.has(task) && failures[task] === undefined,
  );
}

function sumFigures(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Checks the world and the answers of a trial, and adds up its log. */
export async function scoreTrial(root: string): Promise<Score> {
  const folder = trialFolder(root);
  const { reader, door, round, start } = JSON.parse(readFileSync(folder.trial, "utf8")) as Trial;
  const tasks = ROUNDS[round] ?? [];
  const worlds = JSON.parse(await askControl(folder, "/state")) as Worlds;
  const failures = judge(tasks, worlds, readAnswers(folder.answers));
  const log = readJsonLines<LogEntry>(folder.log);
  const turns = log.filter(({ kind }) => kind === "call");
  const programs = log.filter(({ kind }) => kind === "program");
  const texts = [start, ...turns.flatMap(({ line = "", output = "" }) => [line, output])];
  return {
    reader,
    door,
    round,
    tasks: tasks.length,
    solved: tasks.length - Object.keys(failures).length,
    atFirstTry: triedOnce(tasks.length, failures, log).length,
    turns: turns.length,
    calls: door === "mcp" ? turns.length : programs.length,
    startBytes: Buffer.byteLength(start),
    readBytes: sumFigures(turns.map(({ read }) => read)),
    sentBytes: sumFigures(turns.map(({ sent = 0 }) => sent)),
    seconds: Math.round(sumFigures(turns.map(({ ms = 0 }) => ms)) / 1_000),
    tokens: sumFigures(texts.map((text) => countTokens(text))),
    failures,
    strays: strayChanges(tasks, worlds),
  };
}
