import { fail, isCallError } from "@waybill/core";
import type { CallError, Outcome } from "@waybill/core";

/** Converts a NATS error message to the problem of the store and its fix. */
const PROBLEMS: readonly (readonly [RegExp, string, string])[] = [
  [
    /insufficient storage|maximum bytes|resource limits? exceeded|no space|insufficient resources/iu,
    "is full",
    "Give JetStream more space (max_file_store), or wait until old keys expire",
  ],
  [
    /jetstream not enabled|jetstream is not|no responders|not enabled for account/iu,
    "needs JetStream",
    "Start the server with JetStream (nats-server -js)",
  ],
  [
    /^the record \S+ in the bucket \S+ is damaged$/u,
    "has a damaged record",
    "Check whether the write was applied, then delete the record",
  ],
];
const OTHERWISE = ["cannot be used", "Check that the NATS server is running"] as const;

/** The error for a failed store, in the form that the caller sees. */
export function storeFailure(error: unknown, outcome: Outcome): CallError {
  if (isCallError(error)) return error;
  const why = error instanceof Error ? error.message : String(error);
  const found = PROBLEMS.find(([pattern]) => pattern.test(why));
  const [problem, remedy] = found === undefined ? OTHERWISE : [found[1], found[2]];
  const message = `The journal of writes on NATS ${problem}`;
  return fail("NOT_READY", message, { outcome, hint: `${remedy}: ${why}` }, { cause: error });
}

export function journalClosed(outcome: Outcome): CallError {
  return fail("NOT_READY", "The journal of writes is closed; open a new one and repeat the call", {
    outcome,
  });
}

/**
 * Another call has the key now, so this call must not send. The other call may have been
 * applied.
 */
export function leaseLost(): CallError {
  return fail("NOT_READY", "Another call took over this idempotency key", {
    outcome: "unknown",
    hint: "Call again with the same key to get its result",
  });
}
