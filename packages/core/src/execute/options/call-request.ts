import { errorFromUnknown } from "../../envelope/index.ts";
import type { CallError } from "../../envelope/index.ts";
import type { Identity } from "../../operation/index.ts";
import type { CallRequest } from "../call/call.ts";
import { assertOptions } from "./execute-options.ts";
import type { ExecuteOptions } from "./execute-options.ts";

/** The error of options that cannot be followed; undefined if they can. */
export function optionsRefusal(options: object): CallError | undefined {
  try {
    assertOptions(options);
    return undefined;
  } catch (thrown) {
    return errorFromUnknown(thrown);
  }
}

/** The options of a door, whose time begins now, as the request of a call. */
export function callRequest(options: ExecuteOptions, identity: Identity | undefined): CallRequest {
  const refusal = optionsRefusal(options);
  // Misread options are not followed, except for how much the answer tells.
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
    query: options.query,
    maxTokens: options.max_tokens,
  };
}

/**
 * The way back, for an observer. Left out are options that belong to this one call (a key, an
 * approval, a signal) and `trace`.
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
