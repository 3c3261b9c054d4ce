import { CallError, isRecord, isResponseEnvelope } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { AbortNode, deadlineClock } from "../operation/index.ts";
import type { DeadlineEntry } from "../operation/index.ts";
import { abortedError } from "../registry/index.ts";
import type { CallOptions } from "../registry/index.ts";
import type { AnswerEvent, CallErrorEvent } from "./events.ts";
import type { AnswerListener, Exchange } from "./transport.ts";

export function errorFromEvent(event: CallErrorEvent): CallError {
  return new CallError(event.code, event.message, event.details ?? {});
}

/** The received envelope. JSON drops undefined `data`, so missing data becomes null. */
export function receivedEnvelope(output: unknown): ResponseEnvelope | undefined {
  if (isResponseEnvelope(output)) return output;
  const whole: unknown =
    isRecord(output) && !("data" in output) ? { ...output, data: null } : output;
  return isResponseEnvelope(whole) ? whole : undefined;
}

/**
 * The error for a peer that answers with a plain value. It breaks the protocol, so the outcome is
 * unknown.
 */
export function notAnEnvelope(): CallError {
  return new CallError("OUTCOME_UNKNOWN", "The answer is not a ResponseEnvelope", {
    outcome: "unknown",
    hint: "The serving side must answer with respond(), which takes an envelope",
  });
}

/** The state of a request on the requester's side, until it ends. */
export abstract class PendingRequest extends AbortNode implements AnswerListener {
  readonly requestId: string;
  /** Whether the request was sent. If so, the other side may act on it. */
  isSent = false;
  exchange: Exchange | undefined;
  readonly #onEnd: (request: PendingRequest) => void;
  readonly #parent: AbortNode | undefined;
  #timer: DeadlineEntry | undefined;
  #stopListening: (() => void) | undefined;
  #isEnded = false;

  constructor(requestId: string, options: CallOptions, onEnd: (request: PendingRequest) => void) {
    super();
    this.requestId = requestId;
    this.#onEnd = onEnd;
    this.#parent = options.parent;
    if (options.deadline !== undefined) this.#timer = deadlineClock.add(this, options.deadline);
    if (options.signal !== undefined) this.#listenTo(options.signal);
  }

  /**
   * From now on, an abort of the parent also ends this request. It may already have been aborted
   * while it was being sent.
   */
  begin(exchange: Exchange): void {
    this.exchange = exchange;
    if (this.aborted !== undefined) this.#cancel(this.aborted);
    if (!this.#isEnded) this.#parent?.attach(this);
  }

  /** Ends a request that the transport could not send. */
  refuse(error: CallError): void {
    if (this.#isEnded) return;
    this.end();
    this.failWith(error);
  }

  abstract hear(event: AnswerEvent): void;

  protected abstract failWith(error: CallError): void;

  protected end(): void {
    this.#isEnded = true;
    if (this.#timer !== undefined) deadlineClock.remove(this.#timer);
    this.#stopListening?.();
    this.#parent?.detach(this);
    this.#onEnd(this);
  }

  /** If the request was sent, it may have been applied; otherwise it was not. */
  protected override onAbort(error: CallError): void {
    this.end();
    this.#cancel(error);
    this.failWith(error.with({ outcome: this.isSent ? "unknown" : "not_applied" }));
  }

  #cancel(error: CallError): void {
    this.exchange?.cancel(error.code === "TIMEOUT" ? "deadline" : error.message);
  }

  #listenTo(signal: AbortSignal): void {
    const abort = (): void => this.abort(abortedError(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    this.#stopListening = () => signal.removeEventListener("abort", abort);
  }
}

/** A call that waits for its single answer. */
export class PendingCall extends PendingRequest {
  resolve!: (output: ResponseEnvelope) => void;
  reject!: (error: CallError) => void;
  #isSettled = false;

  override hear(event: AnswerEvent): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.end();
    if (event.type !== "call.responded") {
      this.reject(event.type === "call.error" ? errorFromEvent(event) : noAnswer());
      return;
    }
    const output = receivedEnvelope(event.output);
    if (output === undefined) this.reject(notAnEnvelope());
    else this.resolve(output);
  }

  protected override failWith(error: CallError): void {
    this.#isSettled = true;
    this.reject(error);
  }
}

function noAnswer(): CallError {
  return new CallError("OUTCOME_UNKNOWN", "The call was completed without an answer", {
    outcome: "unknown",
    hint: "Check whether the call was applied before you repeat it",
  });
}
