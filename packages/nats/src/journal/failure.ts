import { fail, isCallError } from "@waybill/core";
import type { CallError, Outcome } from "@waybill/core";

/** A store that fails, as the caller sees it. */
export function storeFailure(error: unknown, outcome: Outcome): CallError {
  if (isCallError(error)) return error;
  const why = error instanceof Error ? error.message : String(error);
  const hint = `It needs a NATS server with JetStream (nats-server -js): ${why}`;
  const message = "The journal of writes on NATS cannot be used";
  return fail("NOT_READY", message, { outcome, hint }, { cause: error });
}

export function journalClosed(outcome: Outcome): CallError {
  return fail("NOT_READY", "The journal of writes is closed", { outcome });
}

/** Somebody else has the key now, so this call must not send. */
export function leaseLost(): CallError {
  return fail("NOT_READY", "Another call took over this idempotency key", {
    outcome: "not_applied",
    hint: "Call again with the same key to get its result",
  });
}
