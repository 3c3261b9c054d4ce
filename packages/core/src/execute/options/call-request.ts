import { errorFromUnknown } from "../../envelope/index.ts";
import type { CallError } from "../../envelope/index.ts";
import type { Identity } from "../../operation/index.ts";
import type { CallRequest } from "../call/call.ts";
import { assertOptions } from "./execute-options.ts";
import type { ExecuteOptions } from "./execute-options.ts";

/** Why some options cannot be followed. */
export function refusalOf(options: object): CallError | undefined {
  try {
    assertOptions(options);
    return undefined;
  } catch (thrown) {
    return errorFromUnknown(thrown);
  }
}

/** The options of a door, whose time begins now, as the request of a call. */
export function callRequest(options: ExecuteOptions, identity: Identity | undefined): CallRequest {
  const refusal = refusalOf(options);
  // Of options that would be misread none is followed, but how the answer is to be told.
  if (refusal !== undefined) return { identity, refusal, isTraced: options.trace === true };
  const { deadline_ms } = options;
  return {
    identity,
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
    query: options.query,
    maxTokens: options.max_tokens,
  };
}

/**
 * The way back, for whoever reads what a call was asked for. Left out is what is of this one time
 * (a key, an approval, a signal) and what only tells more.
 */
export function shownOptions(request: CallRequest): Partial<ExecuteOptions> {
  const { route, select, query, include, page, maxTokens, isDry } = request;
  return {
    ...(route !== undefined && { route }),
    ...(select !== undefined && { select }),
    ...(query !== undefined && { query }),
    ...(include !== undefined && { include }),
    ...(page !== undefined && { page }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(isDry !== undefined && { dry_run: isDry }),
  };
}
