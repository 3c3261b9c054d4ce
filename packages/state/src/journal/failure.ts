import { fail, isCallError } from "@waybill/core";
import type { CallError, Outcome } from "@waybill/core";
import { readTrouble } from "../sqlite/index.ts";

const FORGOTTEN = "; earlier keys are then lost, so check first whether those writes were applied";

/**
 * The error that a caller gets if the store fails. It has the file, the problem and the next
 * step.
 */
export function storeFailure(error: unknown, path: string, outcome: Outcome): CallError {
  if (isCallError(error)) return error;
  const { problem, remedy, isDamage } = readTrouble(error);
  return fail(
    "NOT_READY",
    `The journal of writes ${problem}`,
    { outcome, hint: `${path}: ${remedy}${isDamage ? FORGOTTEN : ""}` },
    { cause: error },
  );
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
