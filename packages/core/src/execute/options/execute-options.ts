import { MIN_TOKENS } from "../../budget/index.ts";
import { ROUTES, isRecord } from "../../envelope/index.ts";
import type { Route } from "../../envelope/index.ts";
import {
  aBoolean,
  aList,
  aText,
  isNone,
  choiceCheck,
  optionIssues,
  refuseIssues,
} from "./check-options.ts";
import type { Check, KnownOptions } from "./check-options.ts";

/** Where a list continues, and how many items a page has. */
export interface PageOptions {
  /** The `end_cursor` of the previous page (default: the first page). */
  readonly cursor?: string;
  /** Number of items on a page (default: the default of the capability). */
  readonly limit?: number;
}

/** The options of a call besides its params. */
export interface ExecuteOptions {
  /** Adds attempts, timings, cost and the request id to the answer (default: false). */
  readonly trace?: boolean;
  /** Keeps the whole answer within this many tokens, at least 200 (default: no limit). */
  readonly max_tokens?: number;
  /**
   * Returns only these parts of the data: `number`, `author.login`, `items.*.title` (default: all).
   */
  readonly select?: readonly string[];
  /**
   * Leaves out rarely needed fields, such as node ids, if neither `select` nor `query` is given.
   * `meta.left_out` names them (default: false).
   */
  readonly brief?: boolean;
  /** A JMESPath expression. Its result replaces the data (default: none). */
  readonly query?: string;
  /** The page of a list (default: the first). */
  readonly page?: PageOptions;
  /** Field groups that the capability offers besides its usual output (default: none). */
  readonly include?: readonly string[];
  /** Gives up after this many milliseconds (default: no limit). */
  readonly deadline_ms?: number;
  /** Aborts the call (default: none). */
  readonly signal?: AbortSignal;
  /**
   * An idempotency key makes a write safe to repeat: the same key returns the recorded result
   * (default: none).
   */
  readonly idempotency_key?: string;
  /** Uses only this route (default: any). */
  readonly route?: Route;
  /**
   * The account of the source, by its name in `waybill connections` (default: the default
   * account of the source).
   */
  readonly account?: string;
  /** Sends nothing and shows what would be sent (default: false). */
  readonly dry_run?: boolean;
  /** The approval token from a refusal. Pass it back after a person has agreed (default: none). */
  readonly approve?: string;
}

const MAX_CURSOR = 1_000_000;

function isCursor(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value.length <= MAX_CURSOR;
}

function isPage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { cursor, limit, ...others } = value;
  const hasCursor = cursor === undefined || isCursor(cursor);
  const hasLimit = limit === undefined || (Number.isInteger(limit) && (limit as number) > 0);
  return hasCursor && hasLimit && Object.keys(others).length === 0;
}

export const EXECUTE_CHECKS: Readonly<Record<keyof ExecuteOptions, Check>> = {
  trace: aBoolean,
  max_tokens: (value) =>
    Number.isInteger(value) && (value as number) >= MIN_TOKENS
      ? undefined
      : `must be a whole number of at least ${MIN_TOKENS}`,
  select: aList,
  brief: aBoolean,
  query: aText,
  page: (value) => (isPage(value) ? undefined : "must be {cursor?: string, limit?: number}"),
  include: aList,
  deadline_ms: (value) =>
    typeof value === "number" && value > 0 ? undefined : "must be a number above 0",
  signal: (value) => (value instanceof AbortSignal ? undefined : "must be an AbortSignal"),
  idempotency_key: aText,
  route: choiceCheck(ROUTES),
  account: aText,
  dry_run: aBoolean,
  approve: aText,
};

const KNOWN: KnownOptions = { checks: EXECUTE_CHECKS, kind: "an option" };

/** Refuses invalid options instead of ignoring them. */
export function assertOptions(options: object): void {
  if (!isNone(options)) refuseIssues(optionIssues(options, KNOWN));
}
