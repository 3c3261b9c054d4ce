import { CallError, errorFromUnknown } from "@waybill/core";
import type { Outcome } from "@waybill/core";

const MAX_DELAY = 2_147_483_647;

export interface Ending {
  readonly signal?: AbortSignal | undefined;
  /** When the program must end, in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
}

function aborted(reason: unknown, outcome: Outcome): CallError {
  const { code, message, details } = errorFromUnknown(reason);
  const kept = code === "TIMEOUT" ? code : "ABORTED";
  return new CallError(kept, message, { ...details, outcome }, { cause: reason });
}

function timedOut(outcome: Outcome): CallError {
  const message =
    "The deadline passed before the program ended; to allow more time, pass a longer deadline";
  return new CallError("TIMEOUT", message, { outcome });
}

/**
 * Throws if the call was already aborted or its deadline has passed. Nothing was started, so
 * nothing was applied.
 */
export function refuseIfOver({ signal, deadline }: Ending): void {
  if (signal?.aborted === true) throw aborted(signal.reason, "not_applied");
  if (deadline !== undefined && deadline <= Date.now()) throw timedOut("not_applied");
}

/**
 * Calls back with the reason when a running program must end. Returns a function that stops
 * watching.
 */
export function watchEnding(
  { signal, deadline }: Ending,
  end: (why: CallError) => void,
): () => void {
  const onAbort = (): void => end(aborted(signal?.reason, "unknown"));
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  const delay = Math.min(Math.max(0, (deadline ?? Infinity) - Date.now()), MAX_DELAY);
  const timer =
    deadline === undefined ? undefined : setTimeout(() => end(timedOut("unknown")), delay);
  return () => {
    signal?.removeEventListener("abort", onAbort);
    clearTimeout(timer);
  };
}
