import { CallError, isRecord } from "../envelope/index.ts";
import type { Issue } from "../envelope/index.ts";
import { nearestNames, pointerKey } from "../schema/index.ts";

/** What an agent may ask of a call besides its params. */
export interface ExecuteOptions {
  /** Adds attempts, timings, cost and the request id to the answer. */
  readonly trace?: boolean;
  /** Keeps the whole answer within this many tokens, at least 200. */
  readonly max_tokens?: number;
  /** Only these parts of the data: `number`, `author.login`, `items.*.title`. */
  readonly select?: readonly string[];
  /** Gives up after this many milliseconds. */
  readonly deadline_ms?: number;
  readonly signal?: AbortSignal;
}

const NO_OPTIONS: ExecuteOptions = Object.freeze({});
const MIN_TOKENS = 200;
const MAX_PATHS = 200;

type Check = (value: unknown) => string | undefined;

const CHECKS: Readonly<Record<keyof ExecuteOptions, Check>> = {
  trace: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
  max_tokens: (value) =>
    Number.isInteger(value) && (value as number) >= MIN_TOKENS
      ? undefined
      : `must be a whole number of at least ${MIN_TOKENS}`,
  select: (value) =>
    Array.isArray(value) &&
    value.length <= MAX_PATHS &&
    value.every((path) => typeof path === "string" && path !== "")
      ? undefined
      : `must be a list of at most ${MAX_PATHS} paths`,
  deadline_ms: (value) =>
    typeof value === "number" && value > 0 ? undefined : "must be a number above 0",
  signal: (value) => (value instanceof AbortSignal ? undefined : "must be an AbortSignal"),
};

function isOption(name: string): name is keyof ExecuteOptions {
  return Object.hasOwn(CHECKS, name);
}

function unknownOption(name: string): Issue {
  const [near] = nearestNames(name, Object.keys(CHECKS), 1);
  const issue: Issue = { path: pointerKey(name), message: "is not an option" };
  return near === undefined
    ? { ...issue, allowed: Object.keys(CHECKS) }
    : { ...issue, did_you_mean: near };
}

function issueWith(name: string, value: unknown): Issue | undefined {
  if (!isOption(name)) return unknownOption(name);
  const message = value === undefined ? undefined : CHECKS[name](value);
  return message === undefined ? undefined : { path: `/${name}`, message };
}

function issuesWith(options: unknown): Issue[] {
  if (!isRecord(options)) return [{ path: "", message: "must be an object" }];
  return Object.entries(options).flatMap(([name, value]) => issueWith(name, value) ?? []);
}

/** Stands for options that are no object, or throw when they are read. */
const UNREADABLE = Object.freeze([]) as unknown as ExecuteOptions;

/** A copy, so that what is checked is what is used; options that cannot be read are refused later. */
export function readOptions(options: ExecuteOptions | undefined): ExecuteOptions {
  if (options === undefined || options === null) return NO_OPTIONS;
  try {
    return isRecord(options) ? { ...options } : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** Refuses options that would be misread, rather than ignoring them. */
export function assertOptions(options: ExecuteOptions): void {
  if (options === NO_OPTIONS) return;
  const issues = issuesWith(options);
  if (issues.length === 0) return;
  const message = `Invalid options: ${issues.map(({ path, message: why }) => `${path || "options"} ${why}`).join("; ")}`;
  throw new CallError("VALIDATION_ERROR", message, { issues, outcome: "not_applied" });
}
