import { CallError, fail, isCallError } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";

const OVERDUE = "The server shut down before the call ended";
const REPEAT =
  "Repeat a read. Repeat a write only with the same idempotency key, or check it first";

/** The error of streams that end because the server is ending. */
export function endingError(): CallError {
  return fail("NOT_READY", "The server is shutting down", {
    hint: "Subscribe again: another server, or this one after its restart, accepts it",
  });
}

/** The error of a request that was still arriving after the grace period of an ending server. */
export function notReceivedError(): CallError {
  return fail("NOT_READY", "The server shut down before the request had arrived", {
    outcome: "not_applied",
    hint: "Send it again: nothing was called",
  });
}

/** Aborts the calls that are still running after the grace period of an ending server. */
export function overdueError(): CallError {
  return new CallError("ABORTED", OVERDUE, { hint: REPEAT });
}

function isOverdue({ reason }: AbortSignal): boolean {
  return isCallError(reason) && reason.message === OVERDUE;
}

/** The result for the caller. A call that the ending server aborted was not cancelled by its caller. */
export function readOverdue(result: ResultEnvelope, signal: AbortSignal): ResultEnvelope {
  if (result.ok || result.error.code !== "CANCELLED" || !isOverdue(signal)) return result;
  const { details = {} } = result.error;
  // Reads have no outcome.
  const retryable = details["outcome"] === undefined || details["outcome"] === "not_applied";
  return { ...result, error: { ...result.error, code: "NOT_READY", retryable } };
}
