import { CallError, isRecord } from "../../envelope/index.ts";
import type { Issue } from "../../envelope/index.ts";
import { nearestNames, pointerKey } from "../../schema/index.ts";

/**
 * Describes what is wrong with a value, in words that follow its name. Undefined if it is valid.
 */
export type Check = (value: unknown) => string | undefined;

const MAX_LIST = 200;
const MAX_TEXT = 10_000;

export const aBoolean: Check = (value) =>
  typeof value === "boolean" ? undefined : "must be true or false";

export const aText: Check = (value) =>
  typeof value === "string" && value !== "" && value.length <= MAX_TEXT
    ? undefined
    : `must be a string of at most ${MAX_TEXT} characters`;

export const aList: Check = (value) =>
  Array.isArray(value) &&
  value.length <= MAX_LIST &&
  value.every((item) => aText(item) === undefined)
    ? undefined
    : `must be a list of at most ${MAX_LIST} strings`;

/** Checks that the value is one of these words. */
export function choiceCheck(words: readonly string[]): Check {
  const message = `must be one of ${words.join(", ")}`;
  return (value) => (words.some((word) => word === value) ? undefined : message);
}

const NO_OPTIONS = Object.freeze({});
/** Stands for options that are not an object, or that throw when they are read. */
const UNREADABLE = Object.freeze({});

/**
 * Copies the options, so that the checked values are the ones that are used. Unreadable options
 * are refused later.
 */
export function readOptions<Options extends object>(
  options: Options | null | undefined,
): Partial<Options> {
  if (options === undefined || options === null) return NO_OPTIONS;
  try {
    return isRecord(options) ? { ...options } : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** Whether there are no options, as in most calls. */
export function isNone(options: object): boolean {
  return options === NO_OPTIONS;
}

/** The allowed option names, each with a check of its value. */
export interface KnownOptions {
  readonly checks: Readonly<Record<string, Check>>;
  /** The noun used in messages, such as `an option`. */
  readonly kind: string;
}

function strayIssue(path: string, name: string, { checks, kind }: KnownOptions): Issue {
  const names = Object.keys(checks);
  const [near] = nearestNames(name, names, 1);
  const issue: Issue = { path, message: `is not ${kind}` };
  return near === undefined ? { ...issue, allowed: names } : { ...issue, did_you_mean: near };
}

/** Whether all options are valid. This is the usual case, so the check must be fast. */
function areFine(options: Readonly<Record<string, unknown>>, { checks }: KnownOptions): boolean {
  for (const name in options) {
    const value = options[name];
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined || (value !== undefined && check(value) !== undefined)) return false;
  }
  return true;
}

/** The issues of invalid options; `at` is their path. */
export function optionIssues(options: object, known: KnownOptions, at = ""): Issue[] {
  if (options === UNREADABLE) return [{ path: at, message: "must be an object" }];
  if (areFine(options as Readonly<Record<string, unknown>>, known)) return [];
  return Object.entries(options).flatMap(([name, value]): Issue[] => {
    const path = at + pointerKey(name);
    const check = Object.hasOwn(known.checks, name) ? known.checks[name] : undefined;
    if (check === undefined) return [strayIssue(path, name, known)];
    const message = value === undefined ? undefined : check(value);
    return message === undefined ? [] : [{ path, message }];
  });
}

function saying({ path, message, did_you_mean: near }: Issue): string {
  return `${path || "options"} ${message}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

/** Refuses invalid options instead of ignoring them. */
export function refuseIssues(issues: readonly Issue[], what = "options"): void {
  if (issues.length === 0) return;
  const message = `Invalid ${what}: ${issues.map(saying).join("; ")}`;
  throw new CallError("VALIDATION_ERROR", message, { issues, outcome: "not_applied" });
}
