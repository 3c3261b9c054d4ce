import { aBoolean, choiceCheck, optionIssues, refuseIssues } from "../options/check-options.ts";
import type { Check, KnownOptions } from "../options/check-options.ts";
import { EXECUTE_CHECKS } from "../options/execute-options.ts";

/** The options of a whole chain. */
export interface ChainOptions {
  /**
   * Whether the other steps continue when one fails (default: they do). By default, a chain with
   * a write sends nothing if a step is invalid from the start; with `"continue"` it sends the
   * other steps.
   */
  readonly on_error?: "continue" | "stop";
  /** Sends neighbouring writes in one request, if a route can (default: false). */
  readonly merge_writes?: boolean;
  /** Sends nothing and shows what would be sent (default: false). */
  readonly dry_run?: boolean;
  /**
   * The idempotency key of the chain. Each write uses it together with its step's id, except if
   * the step has its own key (default: none).
   */
  readonly idempotency_key?: string;
  /** The account for steps that do not name one (default: none). */
  readonly account?: string;
  /** Time for the whole chain in milliseconds (default: no limit). */
  readonly deadline_ms?: number;
  /** Aborts the chain (default: none). */
  readonly signal?: AbortSignal;
  /**
   * Leaves out rarely needed fields, such as node ids, in steps without `select` (default:
   * false).
   */
  readonly brief?: boolean;
  /** Adds attempts, timings and cost of every step (default: false). */
  readonly trace?: boolean;
  /**
   * Keeps the whole answer within this many tokens, at least 200 for each step (default: no limit).
   */
  readonly max_tokens?: number;
}

const { brief, dry_run, idempotency_key, account, deadline_ms, signal, trace, max_tokens } =
  EXECUTE_CHECKS;
const CHECKS: Readonly<Record<keyof ChainOptions, Check>> = {
  on_error: choiceCheck(["continue", "stop"]),
  merge_writes: aBoolean,
  brief,
  dry_run,
  idempotency_key,
  account,
  deadline_ms,
  signal,
  trace,
  max_tokens,
};
const KNOWN: KnownOptions = { checks: CHECKS, kind: "an option of a chain" };

/**
 * Refuses invalid options, because a misspelt `on_error` would let a chain continue that should
 * stop.
 */
export function assertChainOptions(options: ChainOptions): void {
  refuseIssues(optionIssues(options, KNOWN));
}
