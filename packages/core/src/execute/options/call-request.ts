import { errorFromUnknown } from "../../envelope/index.ts";
import type { CallError } from "../../envelope/index.ts";
import type { Identity } from "../../operation/index.ts";
import type { CallRequest } from "../call/call.ts";
import { assertOptions } from "./execute-options.ts";
import type { ExecuteOptions } from "./execute-options.ts";

/** The error for invalid options. Undefined if they are valid. */
export function optionsRefusal(options: object): CallError | undefined {
  try {
    assertOptions(options);
    return undefined;
  } catch (thrown) {
    return errorFromUnknown(thrown);
  }
}

/** Converts options to the request of a call. The deadline starts now. */
export function callRequest(options: ExecuteOptions, identity: Identity | undefined): CallRequest {
  const refusal = optionsRefusal(options);
  // Ignores all invalid options except `trace`.
  if (refusal !== undefined) return { identity, refusal, isTraced: options.trace === true };
  const { deadline_ms } = options;
  return {
    identity,
    account: options.account,
    deadline: deadline_ms === undefined ? undefined : Date.now() + deadline_ms,
    signal: options.signal,
    idempotencyKey: options.idempotency_key,
    isTraced: options.trace,
    route: options.route,
    page: options.page,
    include: options.include,
    isDry: options.dry_run,
    approve: options.approve,
    select: options.select,
    // A trace shows all fields.
    isBrief: options.brief === true && options.trace !== true,
    query: options.query,
    maxTokens: options.max_tokens,
  };
}

/**
 * Converts a request back to options, for an observer. Omits `trace` and the options that are
 * valid for one call only (key, approval, signal).
 */
export function shownOptions(request: CallRequest): Partial<ExecuteOptions> {
  const { route, account, select, query, include, page, maxTokens, isDry } = request;
  return {
    ...(route !== undefined && { route }),
    ...(account !== undefined && { account }),
    ...(select !== undefined && { select }),
    ...(query !== undefined && { query }),
    ...(include !== undefined && { include }),
    ...(page !== undefined && { page }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(isDry !== undefined && { dry_run: isDry }),
  };
}
