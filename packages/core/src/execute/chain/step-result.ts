// Results of steps that are not called.
import type { NamedStep } from "../../cards/index.ts";
import { CallError, failureResult, successResult, toResultError } from "../../envelope/index.ts";
import type { ResultEnvelope } from "../../envelope/index.ts";

export function failedStep(step: NamedStep, error: CallError, requestId: string): ResultEnvelope {
  const resultError = toResultError(error, { requestId, isWrite: true, isRepeatable: false });
  return failureResult(resultError, { capability_id: step.task, request_id: requestId });
}

export function cancelledError(why: string): CallError {
  return new CallError("ABORTED", why, { outcome: "not_applied" });
}

/** The result of a step whose condition is false. */
export function leftOutStep(step: NamedStep): ResultEnvelope {
  return successResult(null, {
    capability_id: step.task,
    warnings: [`skipped: its condition (${step.when}) is false`],
  });
}
