import {
  CallError,
  agentErrorCode,
  errorFromUnknown,
  failureResult,
  isResultEnvelope,
  toResultError,
} from "../../envelope/index.ts";
import type { AttemptMeta, ResultEnvelope, ResultErrorOptions } from "../../envelope/index.ts";
import type { PendingRequestMap } from "../../calls/index.ts";
import type { OperationSpec } from "../../operation/index.ts";
import { nextRequestId } from "../../registry/index.ts";
import type { CallOptions } from "../../registry/index.ts";
import { lateSkip } from "../../router/index.ts";
import { withoutAnswer } from "../call/earlier-call.ts";
import type { ExecuteOptions } from "../options/execute-options.ts";
import { EXECUTE_ID } from "./wire.ts";

/** Calls a Waybill in another process, for example a `PendingRequestMap` over a transport. */
export interface RemoteCaller extends Pick<PendingRequestMap, "call"> {
  /**
   * The operations at the other end. Called only if the outcome of a call is unknown (default: not
   * called).
   */
  describe?(): Promise<readonly OperationSpec[]>;
}

/** The time limit of this extra request is short, because the caller is already waiting. */
const DESCRIBE_MS = 1_000;

async function remoteSpec(caller: RemoteCaller, id: string): Promise<OperationSpec | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), DESCRIBE_MS);
  });
  try {
    const specs = await Promise.race([caller.describe?.(), passed]);
    return specs?.find((spec) => spec.id === id);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

type Kind = Pick<ResultErrorOptions, "isWrite" | "isRepeatable">;

/** If the operation has no description, it is treated as a write that may have been applied. */
async function remoteOperationKind(
  caller: RemoteCaller,
  id: string,
  error: CallError,
): Promise<Kind> {
  const isKnown = error.details.outcome === "not_applied" || error.code === "ABORTED";
  const spec = isKnown ? undefined : await remoteSpec(caller, id);
  const isWrite = spec?.effect !== "read";
  return { isWrite, isRepeatable: !isWrite || spec?.idempotent === true };
}

/** Converts the options of a call to the call protocol. */
function protocolOptions({ deadline_ms, idempotency_key, signal }: ExecuteOptions): CallOptions {
  return {
    requestId: nextRequestId(),
    signal,
    idempotencyKey: idempotency_key,
    deadline: deadline_ms === undefined ? undefined : Math.ceil(Date.now() + deadline_ms),
  };
}

function readAttempt(error: CallError, duration_ms: number): AttemptMeta {
  const skip = lateSkip(error);
  return skip === undefined
    ? { route: "local", status: "error", error_code: agentErrorCode(error), duration_ms }
    : { route: "local", status: "skipped", error_code: skip.code, duration_ms };
}

/**
 * The envelope if no answer came from the other process: it could not be reached, or the answer was
 * lost. The outcome of a write is that of the error.
 */
function unreached(
  capability_id: string,
  requestId: string,
  error: CallError,
  duration_ms: number,
  kind: Kind,
): ResultEnvelope {
  const failure = toResultError(error, { requestId, ...kind });
  const attempts = [readAttempt(error, duration_ms)];
  return failureResult(failure, { capability_id, request_id: requestId, attempts });
}

/**
 * Calls `execute` of a Waybill in another process, which writes the envelope. This function
 * writes an envelope only if there was no answer. Never throws.
 */
export async function executeRemotely(
  caller: RemoteCaller,
  capability_id: string,
  params?: unknown,
  options: ExecuteOptions = {},
): Promise<ResultEnvelope> {
  const { signal: _signal, idempotency_key: _key, ...others } = options;
  const facts = protocolOptions(options);
  const started = performance.now();
  try {
    const input = { capability_id, params: params ?? {}, options: others };
    const { data } = await caller.call(EXECUTE_ID, input, facts);
    if (isResultEnvelope(data)) return data;
    throw new CallError(
      "OUTCOME_UNKNOWN",
      "The called Waybill sent an answer that is not a ResultEnvelope; check that its version fits this one",
    );
  } catch (thrown) {
    const duration_ms = Math.round((performance.now() - started) * 1_000) / 1_000;
    const failed = errorFromUnknown(thrown);
    const error = options.idempotency_key === undefined ? failed : withoutAnswer(failed);
    const kind = await remoteOperationKind(caller, capability_id, error);
    return unreached(capability_id, facts.requestId!, error, duration_ms, kind);
  }
}
