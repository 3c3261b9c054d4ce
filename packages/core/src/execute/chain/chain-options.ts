import { aBoolean, oneOf, optionIssues, refuseIssues } from "../options/check-options.ts";
import type { Check, KnownOptions } from "../options/check-options.ts";
import { EXECUTE_CHECKS } from "../options/execute-options.ts";

/** What may be asked of a chain as a whole. */
export interface ChainOptions {
  /**
   * Whether the other steps go on when one fails (default: they do). Without it, a chain with a write
   * sends nothing if a step is wrong from the start; with `"continue"` it sends the other steps.
   */
  readonly on_error?: "continue" | "stop";
  /** Lets neighbouring writes travel in one request, where a route can. */
  readonly merge_writes?: boolean;
  readonly dry_run?: boolean;
  /** Each write gets this key and its step's id, unless it has one of its own. */
  readonly idempotency_key?: string;
  /** For the whole chain. */
  readonly deadline_ms?: number;
  readonly signal?: AbortSignal;
  readonly trace?: boolean;
  /** Keeps the whole answer within this many tokens, at least 200 for each step. */
  readonly max_tokens?: number;
}

const { dry_run, idempotency_key, deadline_ms, signal, trace, max_tokens } = EXECUTE_CHECKS;
const CHECKS: Readonly<Record<keyof ChainOptions, Check>> = {
  on_error: oneOf(["continue", "stop"]),
  merge_writes: aBoolean,
  dry_run,
  idempotency_key,
  deadline_ms,
  signal,
  trace,
  max_tokens,
};
const KNOWN: KnownOptions = { checks: CHECKS, kind: "an option of a chain" };

/** Refuses options that would be misread: a chain that should stop must not go on. */
export function assertChainOptions(options: ChainOptions): void {
  refuseIssues(optionIssues(options, KNOWN));
}
