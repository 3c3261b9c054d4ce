import { CallError, fail } from "@waybill/core";

/**
 * The error if no worker received the request. Nothing was applied, and an immediate retry would
 * not help.
 */
export function sourceDown(message: string, hint: string): CallError {
  return fail("NETWORK", message, { outcome: "not_applied", preflight: "SOURCE_DOWN", hint });
}

export function notConnected(): CallError {
  return sourceDown(
    "There is no connection to the NATS server",
    "Check that it is running; Waybill reconnects automatically",
  );
}

/** The error if the request was sent, but its worker can no longer answer. */
export function answerLost(message: string): CallError {
  return new CallError("OUTCOME_UNKNOWN", message, {
    outcome: "unknown",
    hint: "Repeat a read freely; repeat a write only with the same idempotency key",
  });
}

export function unauthenticated(message: string): CallError {
  return fail("AUTH", message, { outcome: "not_applied" });
}
