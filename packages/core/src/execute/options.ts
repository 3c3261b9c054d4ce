import { MIN_TOKENS } from "../budget/index.ts";
import { CallError, ROUTES, isRecord } from "../envelope/index.ts";
import type { Issue, Route } from "../envelope/index.ts";
import { nearestNames, pointerKey } from "../schema/index.ts";

/** Where a list goes on, and how many items a page has. */
export interface PageOptions {
  /** The `end_cursor` of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
}

/** What an agent may ask of a call besides its params. */
export interface ExecuteOptions {
  /** Adds attempts, timings, cost and the request id to the answer. */
  readonly trace?: boolean;
  /** Keeps the whole answer within this many tokens, at least 200. */
  readonly max_tokens?: number;
  /** Only these parts of the data: `number`, `author.login`, `items.*.title`. */
  readonly select?: readonly string[];
  /** A JMESPath expression; its value is the data. */
  readonly query?: string;
  readonly page?: PageOptions;
  /** Field groups that the capability offers beyond its usual output. */
  readonly include?: readonly string[];
  /** Gives up after this many milliseconds. */
  readonly deadline_ms?: number;
  readonly signal?: AbortSignal;
  /** Makes a write safe to repeat: the same key again gives the recorded result. */
  readonly idempotency_key?: string;
  /** Only this route. */
  readonly route?: Route;
  /** Sends nothing and shows what would be sent. */
  readonly dry_run?: boolean;
  /** What a refusal gave, to be passed back once a person has agreed. */
  readonly approve?: string;
}

const NO_OPTIONS: ExecuteOptions = Object.freeze({});
const MAX_PATHS = 200;
const MAX_TEXT = 10_000;

type Check = (value: unknown) => string | undefined;

const aBoolean: Check = (value) =>
  typeof value === "boolean" ? undefined : "must be true or false";
const aText: Check = (value) =>
  typeof value === "string" && value !== "" && value.length <= MAX_TEXT
    ? undefined
    : "must be a text";
const aList: Check = (value) =>
  Array.isArray(value) &&
  value.length <= MAX_PATHS &&
  value.every((item) => aText(item) === undefined)
    ? undefined
    : `must be a list of at most ${MAX_PATHS} texts`;

function isPage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { cursor, limit, ...others } = value;
  const hasCursor = cursor === undefined || aText(cursor) === undefined;
  const hasLimit = limit === undefined || (Number.isInteger(limit) && (limit as number) > 0);
  return hasCursor && hasLimit && Object.keys(others).length === 0;
}

const CHECKS: Readonly<Record<keyof ExecuteOptions, Check>> = {
  trace: aBoolean,
  max_tokens: (value) =>
    Number.isInteger(value) && (value as number) >= MIN_TOKENS
      ? undefined
      : `must be a whole number of at least ${MIN_TOKENS}`,
  select: aList,
  query: aText,
  page: (value) => (isPage(value) ? undefined : "must be {cursor?: text, limit?: number}"),
  include: aList,
  deadline_ms: (value) =>
    typeof value === "number" && value > 0 ? undefined : "must be a number above 0",
  signal: (value) => (value instanceof AbortSignal ? undefined : "must be an AbortSignal"),
  idempotency_key: aText,
  route: (value) =>
    ROUTES.includes(value as Route) ? undefined : `must be one of ${ROUTES.join(", ")}`,
  dry_run: aBoolean,
  approve: aText,
};

/** Options that a plain local call has nothing to do with. */
const SPECIAL = [
  "max_tokens",
  "select",
  "query",
  "page",
  "include",
  "idempotency_key",
  "route",
  "dry_run",
  "approve",
] as const;

/** Whether a call asks for more than to be run and answered. */
export function isSpecial(options: ExecuteOptions): boolean {
  return options !== NO_OPTIONS && SPECIAL.some((name) => options[name] !== undefined);
}
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
