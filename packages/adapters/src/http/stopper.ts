import { agentErrorCode, errorFromUnknown, fail } from "@waybill/core";
import type { CallError } from "@waybill/core";

const MAX_DELAY = 2_147_483_647;
const LATE = "The deadline passed";
const MORE_TIME = "To allow more time, pass a longer deadline";

/** A reason with a hint says itself why the request was stopped and what to do. */
function getReason(signal: AbortSignal): CallError {
  const cause: unknown = signal.reason;
  const reason = errorFromUnknown(cause);
  const { hint } = reason.details;
  if (agentErrorCode(reason) === "TIMEOUT") {
    return fail("TIMEOUT", LATE, { hint: MORE_TIME }, { cause });
  }
  return hint === undefined
    ? fail("CANCELLED", "The caller cancelled the request", {}, { cause })
    : fail("CANCELLED", reason.message, { hint }, { cause });
}

/** Combines everything that can stop a request. Only the first reason counts. */
export class Stopper {
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #hint: string;
  #end: ((reason: CallError) => void) | undefined;
  #reason: CallError | undefined;

  /** The hint says how a caller gets more time than the deadline. */
  constructor(signal: AbortSignal, deadline: number, hint = MORE_TIME) {
    this.#signal = signal;
    this.#hint = hint;
    const left = deadline - Date.now();
    this.#timer = setTimeout(this.#onDeadline, Math.min(left, MAX_DELAY));
    if (left <= 0) this.#onDeadline();
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  get reason(): CallError | undefined {
    return this.#reason;
  }

  /** Sets the action that stops the request. It replaces the previous action. */
  onStop(end: ((reason: CallError) => void) | undefined): void {
    this.#end = end;
  }

  stop(reason: CallError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#end?.(reason);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#end = undefined;
  }

  readonly #onDeadline = (): void => this.stop(fail("TIMEOUT", LATE, { hint: this.#hint }));
  readonly #onAbort = (): void => this.stop(getReason(this.#signal));
}
