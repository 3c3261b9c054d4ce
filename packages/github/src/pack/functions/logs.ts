import { isRecord } from "@waybill/core/schema";
import type { CardFunctions } from "@waybill/core/cards";

/** A log line without its time and colours. */
interface Line {
  /**
   * The time of the line, in whole seconds like the times of steps. A line without a time has that
   * of the line before.
   */
  readonly second: string;
  readonly text: string;
}

interface Step {
  readonly name: string;
  readonly conclusion: string;
  readonly started: string;
  readonly completed: string;
}

const STAMP = /^\uFEFF?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z ?/u;
const COLOUR = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;:?]*[A-Za-z]`, "gu");
/** The first line of a step, except for the first step of a job. */
const HEADER = /^(?:##\[group\]Run |Post job cleanup\.)/u;
const ERROR = "##[error]";
const WARNING = "##[warning]";
/** The runner prints this for every failed step. */
const EXIT = /^Process completed with exit code \d+\.?$/u;
const LOOKS_WRONG =
  /(?:error|exception)\b|\b(?:fail(?:ed|ure)?|fatal|panic|assert\w*|not ok)\b|^\s*[✗✘×✕]/iu;
const FAILED: ReadonlySet<string> = new Set(["failure", "timed_out", "cancelled"]);
const MAX_ERRORS = 10;
const MAX_LENGTH = 500;
const LATEST = "9999";

function logLines(log: string): string[] {
  const lines = log.split(/\r?\n/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function readLines(log: string): Line[] {
  let second = "";
  return logLines(log).map((line) => {
    const stamp = STAMP.exec(line);
    second = stamp?.[1] ?? second;
    return { second, text: line.slice(stamp?.[0].length ?? 0).replaceAll(COLOUR, "") };
  });
}

function getSecond(date: unknown, otherwise: string): string {
  const time = typeof date === "string" ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? otherwise : new Date(time).toISOString().slice(0, 19);
}

function readStep(step: unknown): Step[] {
  if (!isRecord(step) || typeof step["name"] !== "string") return [];
  const { name, conclusion } = step;
  const started = getSecond(step["started_at"], LATEST);
  const completed = getSecond(step["completed_at"], LATEST);
  return [{ name, conclusion: String(conclusion), started, completed }];
}

/** The failed step. A cancelled step counts only if no step failed. */
function failedStep(steps: unknown): Step | undefined {
  const ended = (Array.isArray(steps) ? steps : []).flatMap(readStep);
  const failed = ended.filter(({ conclusion }) => FAILED.has(conclusion));
  return failed.find(({ conclusion }) => conclusion !== "cancelled") ?? failed[0];
}

/** The lines of a step. If two steps share a second, the header line separates them. */
function within(lines: readonly Line[], { started, completed }: Step): readonly Line[] {
  const inTime = lines.filter(({ second }) => second >= started && second <= completed);
  const start = inTime.findLastIndex(({ second, text }) => second === started && HEADER.test(text));
  const from = inTime.slice(Math.max(0, start));
  const end = from.findIndex(
    ({ second, text }, index) => index > 0 && second === completed && HEADER.test(text),
  );
  return end < 0 ? from : from.slice(0, end);
}

function marked(lines: readonly Line[], mark: string): string[] {
  return lines.flatMap(({ text }) => (text.startsWith(mark) ? [text.slice(mark.length)] : []));
}

/** Lines reported as errors first, then lines that look like errors. */
function errorLines(lines: readonly Line[]): string[] {
  const reported = marked(lines, ERROR);
  const telling = reported.filter((text) => !EXIT.test(text));
  const likely = lines.flatMap(({ text }) =>
    !text.startsWith("##[") && LOOKS_WRONG.test(text) ? [text.trim()] : [],
  );
  const found = [...new Set([...telling, ...likely])];
  return found.length > 0 ? found : reported;
}

function wanted(params: Readonly<Record<string, unknown>>, name: string): number {
  const value = params[name];
  return typeof value === "number" ? value : 0;
}

/** The errors and the last lines of the failed step, or of the whole log if no step failed. */
function summariseLog(value: unknown, params: Readonly<Record<string, unknown>>): unknown {
  const { log, steps } = isRecord(value) ? value : {};
  const lines = readLines(typeof log === "string" ? log : "");
  const step = failedStep(steps);
  const own = step === undefined ? lines : within(lines, step);
  // If no line belongs to the step, the whole log is used.
  const shown = own.length > 0 ? own : lines;
  const readable = shown.filter(({ text }) => text !== "##[endgroup]");
  const tail = readable.slice(-wanted(params, "lines"));
  const reported = marked(lines, ERROR);
  const errors = step === undefined ? reported : errorLines(shown);
  return {
    failedStep: step?.name ?? null,
    summary: {
      errorCount: reported.length,
      warningCount: marked(lines, WARNING).length,
      topErrorLines: errors.slice(0, MAX_ERRORS).map((text) => text.slice(0, MAX_LENGTH)),
    },
    tail: tail.map(({ text }) => text.replace(/^##\[group\]/u, "")).join("\n"),
    truncated: tail.length < readable.length,
  };
}

/** The end of a log, where failures are. `skip` goes further back. */
function cutLog(log: unknown, params: Readonly<Record<string, unknown>>): unknown {
  const lines = logLines(typeof log === "string" ? log : "");
  const end = Math.max(0, lines.length - wanted(params, "skip"));
  const start = Math.max(0, end - wanted(params, "lines"));
  const cut = lines.slice(start, end);
  return { log: cut.join("\n"), totalLines: lines.length, truncated: cut.length < lines.length };
}

export const logFunctions: CardFunctions = { summariseLog, cutLog };
