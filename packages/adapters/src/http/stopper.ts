import { agentErrorCode, errorFromUnknown, fail } from "@waybill/core";
import type { CallError } from "@waybill/core";

const MAX_DELAY = 2_147_483_647;
const LATE = "The deadline passed";
const MORE_TIME = "To allow more time, pass a longer deadline";

function getReason(signal: AbortSignal): CallError {
  const cause: unknown = signal.reason;
  return agentErrorCode(errorFromUnknown(cause)) === "TIMEOUT"
    ? fail("TIMEOUT", LATE, { hint: MORE_TIME }, { cause })
    : fail("CANCELLED", "The caller cancelled the request", {}, { cause });
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
