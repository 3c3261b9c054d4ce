import { describe, expect, it } from "vitest";
import { logFunctions } from "./logs.ts";

const escape = String.fromCodePoint(27);

interface Told {
  readonly failedStep: string | null;
  readonly summary: {
    readonly errorCount: number;
    readonly warningCount: number;
    readonly topErrorLines: readonly string[];
  };
  readonly tail: string;
  readonly truncated: boolean;
}

function summarise(log: unknown, steps: unknown, lines = 40): Told {
  return logFunctions["summariseLog"]!({ log, steps }, { lines }) as Told;
}

function cut(log: unknown, lines: number, skip = 0): unknown {
  return logFunctions["cutLog"]!(log, { lines, skip });
}

function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 5, 9, 0, second)).toISOString();
}

/** A log whose lines were written at the given seconds. */
function written(...lines: readonly (readonly [number, string])[]): string {
  return lines
    .map(([second, text]) => `${at(second).replace(".000Z", ".1234567Z")} ${text}\n`)
    .join("");
}

function step(name: string, from: number, to: number, conclusion = "success"): object {
  return { name, conclusion, started_at: at(from), completed_at: at(to) };
}

const LOG = written(
  [1, "Current runner version: '2.319.1'"],
  [2, "##[group]Run npm ci"],
  [2, "##[endgroup]"],
  [3, "##[warning]deprecated"],
  [3, "an error that did not matter"],
  [3, "##[group]Run npm test"],
  [3, "npm test"],
  [3, "##[endgroup]"],
  [4, `${escape}[31mTypeError: x is not a function${escape}[0m`],
  [4, "    at main.ts:3"],
  [5, "##[error]Process completed with exit code 1."],
  [5, "Post job cleanup."],
  [6, "Failed to save: nobody minds"],
);

const STEPS = [
  step("Set up job", 1, 1),
  step("Run npm ci", 2, 3),
  step("Run npm test", 3, 5, "failure"),
  step("Post Run actions/checkout", 5, 6),
];

describe("log summary", () => {
  it("workflow.job.logs.view summarises the failed step without lines that other steps wrote in the same second", () => {
    expect(summarise(LOG, STEPS)).toEqual({
      failedStep: "Run npm test",
      summary: {
        errorCount: 1,
        warningCount: 1,
        topErrorLines: ["TypeError: x is not a function"],
      },
      tail: [
        "Run npm test",
        "npm test",
        "TypeError: x is not a function",
        "    at main.ts:3",
        "##[error]Process completed with exit code 1.",
      ].join("\n"),
      truncated: false,
    });
  });

  it("workflow.job.logs.view keeps the last lines of a log within the limit", () => {
    const { tail, truncated } = summarise(LOG, STEPS, 2);
    expect(tail).toBe("    at main.ts:3\n##[error]Process completed with exit code 1.");
    expect(truncated).toBe(true);
  });

  it("workflow.job.logs.view lists the exit code when the log has no other error line", () => {
    const log = written(
      [1, "##[group]Run false"],
      [1, "##[error]Process completed with exit code 1."],
    );
    const { summary } = summarise(log, [step("Run false", 1, 1, "failure")]);
    expect(summary.topErrorLines).toEqual(["Process completed with exit code 1."]);
  });

  it("workflow.job.logs.view lists at most ten error lines of 500 characters", () => {
    const lines = Array.from(
      { length: 50 },
      (_, n) => [1, `##[error]${n} ${"x".repeat(2_000)}`] as const,
    );
    const { summary } = summarise(written(...lines), [step("Run all", 1, 1, "failure")]);
    expect(summary.errorCount).toBe(50);
    expect(summary.topErrorLines).toHaveLength(10);
    expect(Math.max(...summary.topErrorLines.map(({ length }) => length))).toBe(500);
  });

  it("workflow.job.logs.view summarises the step that timed out rather than a cancelled step", () => {
    const steps = [step("a", 1, 1, "cancelled"), step("b", 2, 3, "timed_out")];
    expect(summarise(LOG, steps).failedStep).toBe("b");
    expect(summarise(LOG, steps.slice(0, 1)).failedStep).toBe("a");
  });

  it.each([
    ["no steps", undefined],
    ["invalid steps", [null, 7, {}]],
    ["no failed step", [step("Set up job", 1, 1)]],
  ])("workflow.job.logs.view summarises the whole log with %s", (_, steps) => {
    const { failedStep, tail } = summarise(LOG, steps, 1_000);
    expect(failedStep).toBeNull();
    expect(tail).toContain("Current runner version");
  });

  it("workflow.job.logs.view summarises the whole log when the failed step wrote no lines", () => {
    const { failedStep, tail } = summarise(LOG, [step("late", 50, 51, "failure")]);
    expect(failedStep).toBe("late");
    expect(tail).toContain("Post job cleanup.");
  });

  it.each([null, "", "\uFEFF", "no time\r\nin here\r\n"])(
    "workflow.job.logs.view finds no errors in the log %j",
    (log) => {
      expect(summarise(log, STEPS).summary.errorCount).toBe(0);
    },
  );
});

describe("raw log", () => {
  it("workflow.job.logs.raw returns the end of a log, and earlier lines with skip", () => {
    const log = "a\nb\nc\nd\n";
    expect(cut(log, 2)).toEqual({ log: "c\nd", totalLines: 4, truncated: true });
    expect(cut(log, 2, 2)).toEqual({ log: "a\nb", totalLines: 4, truncated: true });
    expect(cut(log, 9)).toEqual({ log: "a\nb\nc\nd", totalLines: 4, truncated: false });
    expect(cut(log, 2, 9)).toEqual({ log: "", totalLines: 4, truncated: true });
    expect(cut(null, 2)).toEqual({ log: "", totalLines: 0, truncated: false });
  });
});
