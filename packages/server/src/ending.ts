import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";

/** The error of streams that end because the server is ending. */
export function endingError(): CallError {
  return fail("NOT_READY", "The server is shutting down", {
    hint: "Subscribe again: another server, or this one after its restart, accepts it",
  });
}

/** The error of calls that are still running after the grace period of an ending server. */
export function overdueError(): CallError {
  return fail("NOT_READY", "The server shut down before the call ended", {
    hint: "Repeat a read. Repeat a write only with the same idempotency key, or check it first",
  });
}
