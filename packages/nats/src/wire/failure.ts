import { CallError, fail } from "@waybill/core";

/** Nobody took the request, so nothing was done and nothing would be by trying again at once. */
export function sourceDown(message: string, hint: string): CallError {
  return fail("NETWORK", message, { outcome: "not_applied", preflight: "SOURCE_DOWN", hint });
}

export function notConnected(): CallError {
  return sourceDown(
    "There is no connection to the NATS server",
    "See whether it runs; the connection comes back by itself",
  );
}

/** The request was sent, and whoever had it can no longer answer. */
export function answerLost(message: string): CallError {
  return new CallError("OUTCOME_UNKNOWN", message, {
    outcome: "unknown",
    hint: "A read may be called again; a write only with the idempotency key it had",
  });
}

export function unauthenticated(message: string): CallError {
  return fail("AUTH", message, { outcome: "not_applied" });
}
