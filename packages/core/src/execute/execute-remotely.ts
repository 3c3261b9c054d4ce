import {
  CallError,
  errorCodeOf,
  errorFromUnknown,
  failureResult,
  isResultEnvelope,
  toResultError,
} from "../envelope/index.ts";
import type { AttemptMeta, ResultEnvelope } from "../envelope/index.ts";
import type { PendingRequestMap } from "../calls/index.ts";
import { nextRequestId } from "../registry/index.ts";
import type { CallOptions } from "../registry/index.ts";
import { lateSkip } from "../router/index.ts";
import type { ExecuteOptions } from "./options.ts";
import { EXECUTE_ID } from "./wire.ts";

/** The way to a Waybill in another process, such as a `PendingRequestMap` over a transport. */
export type RemoteCaller = Pick<PendingRequestMap, "call">;

/** What travels beside the input, in the words of the call protocol. */
function factsOf({ deadline_ms, idempotency_key, signal }: ExecuteOptions): CallOptions {
  return {
    requestId: nextRequestId(),
    signal,
    idempotencyKey: idempotency_key,
    deadline: deadline_ms === undefined ? undefined : Math.ceil(Date.now() + deadline_ms),
  };
}

function attemptOf(error: CallError, duration_ms: number): AttemptMeta {
  const skip = lateSkip(error);
  return skip === undefined
    ? { route: "local", status: "error", error_code: errorCodeOf(error), duration_ms }
    : { route: "local", status: "skipped", error_code: skip.code, duration_ms };
}

/** The other end could not be asked, or its answer was lost. What it would have done is not known. */
function unreached(
  capability_id: string,
  requestId: string,
  error: CallError,
  started: number,
): ResultEnvelope {
  const duration_ms = Math.round((performance.now() - started) * 1_000) / 1_000;
  const failure = toResultError(error, { requestId, isWrite: true, isRepeatable: false });
  const attempts = [attemptOf(error, duration_ms)];
  return failureResult(failure, { capability_id, request_id: requestId, attempts });
}

/**
 * `execute` of a Waybill that is elsewhere. The envelope is the other end's own; only where it could
 * not be had, it is written here. Never throws.
 */
export async function executeRemotely(
  caller: RemoteCaller,
  capability_id: string,
  params?: unknown,
  options: ExecuteOptions = {},
): Promise<ResultEnvelope> {
  const { signal: _signal, idempotency_key: _key, ...others } = options;
  const facts = factsOf(options);
  const started = performance.now();
  try {
    const input = { capability_id, params: params ?? {}, options: others };
    const { data } = await caller.call(EXECUTE_ID, input, facts);
    if (isResultEnvelope(data)) return data;
    throw new CallError("OUTCOME_UNKNOWN", "The other end answered with something else");
  } catch (thrown) {
    return unreached(capability_id, facts.requestId!, errorFromUnknown(thrown), started);
  }
}
