import { fail } from "@waybill/core";
import { isRecord, nearestNames } from "@waybill/core/schema";
import type { HandleStore } from "@waybill/core";
import type { RunLog } from "../log/index.ts";

/** Limits of a run. The answer names the limit that was reached. */
export interface CodeLimits {
  /** Time for the whole run, in milliseconds (default: 120,000). */
  readonly deadlineMs: number;
  /** Time for computing between two calls, in milliseconds (default: 5,000). */
  readonly computeMs: number;
  /** Memory of the program, in bytes (default: 64 MB). */
  readonly memoryBytes: number;
  readonly calls: number;
  readonly writes: number;
  /** The most items that are read of a list. */
  readonly listItems: number;
  /** Size of the program, in characters. */
  readonly programBytes: number;
  /** Size of one call's input, in characters. */
  readonly inputBytes: number;
  /** Size of all inputs of calls in one turn, in characters. */
  readonly roundBytes: number;
  /** Size of all console output, in characters. */
  readonly logBytes: number;
  /** Size of the returned value, in characters, before it is cut to `max_tokens`. */
  readonly answerBytes: number;
}

export const DEFAULT_LIMITS: CodeLimits = {
  deadlineMs: 120_000,
  computeMs: 5_000,
  memoryBytes: 64 * 1_024 * 1_024,
  calls: 1_000,
  writes: 500,
  listItems: 1_000,
  programBytes: 200_000,
  inputBytes: 1_000_000,
  roundBytes: 2_000_000,
  logBytes: 20_000,
  answerBytes: 1_000_000,
};

/** Options that an agent may set for a run. */
export interface CodeOptions {
  /**
   * Makes the run safe to repeat: the same program with the same key continues where it stopped.
   */
  readonly idempotency_key?: string;
  /** The approval text of a waiting run, after a person has agreed. */
  readonly approve?: string;
  /** Sends no writes, and shows the ones that the program would send. */
  readonly dry_run?: boolean;
  readonly deadline_ms?: number;
  /** Keeps the answer within this many tokens, at least 200 (default: 10,000). */
  readonly max_tokens?: number;
  readonly signal?: AbortSignal;
  /** The value of the global `input`. */
  readonly input?: unknown;
}

/** Stores and limits that the host provides for every run. */
export interface CodeHost {
  /**
   * Stores runs, so that they can be repeated and resumed. Without it, idempotency keys are
   * refused.
   */
  readonly log?: RunLog;
  /** Stores the rest of a long answer. */
  readonly handles?: HandleStore;
  readonly limits?: Partial<CodeLimits>;
}

export const DEFAULT_MAX_TOKENS = 10_000;
const MIN_TOKENS = 200;
const MAX_KEY = 256;

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const CHECKS: Readonly<Record<keyof CodeOptions, readonly [(value: unknown) => boolean, string]>> =
  {
    idempotency_key: [
      (value) => isText(value) && (value as string).length <= MAX_KEY,
      `must be a string of 1 to ${MAX_KEY} characters`,
    ],
    approve: [isText, "must be a string"],
    dry_run: [(value) => typeof value === "boolean", "must be true or false"],
    deadline_ms: [(value) => typeof value === "number" && value > 0, "must be a number above 0"],
    max_tokens: [
      (value) => Number.isInteger(value) && (value as number) >= MIN_TOKENS,
      `must be a whole number of at least ${MIN_TOKENS}`,
    ],
    signal: [(value) => value instanceof AbortSignal, "must be an AbortSignal"],
    input: [() => true, ""],
  };

/** Refuses invalid options, because ignoring them could do something else than intended. */
export function checkOptions(options: unknown): CodeOptions {
  if (options === undefined || options === null) return {};
  if (!isRecord(options)) throw optionError("The options of a run must be an object");
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof CodeOptions] : undefined;
    if (check === undefined) throw unknownOption(name);
    if (!check[0](value)) throw optionError(`/${name} ${check[1]}`);
  }
  return options;
}

function unknownOption(name: string): Error {
  const [near] = nearestNames(name, Object.keys(CHECKS), 1);
  const meant = near === undefined ? "" : `. Did you mean ${near}?`;
  return optionError(`/${name} is not an option of a run${meant}`);
}

function optionError(message: string): Error {
  return fail("VALIDATION", message, { outcome: "not_applied" });
}

/** Returns the program's text. Throws if the value is not a program. */
export function checkProgram(program: unknown, limits: CodeLimits): string {
  if (program !== undefined && typeof program !== "string") {
    throw optionError("The program must be a string");
  }
  if (program === undefined || program.trim() === "") {
    throw optionError(
      'The program is empty. Write one such as: return (await issue.list("octo/hello")).length',
    );
  }
  if (program.length > limits.programBytes) {
    const most = limits.programBytes.toLocaleString("en");
    throw fail("TOO_LARGE", `The program is longer than ${most} characters. Shorten it`, {
      outcome: "not_applied",
      limit: "program",
    });
  }
  // oxlint-disable-next-line no-control-regex -- programs with control characters are refused
  if (/[\u0000-\u0008\u000E-\u001F]/u.test(program))
    throw optionError(
      "The program contains control characters. Remove them, or write them as escapes such as \\u0000",
    );
  return program;
}
