import { CallError } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { deadlineClock } from "../operation/index.ts";
import type { DeadlineEntry } from "../operation/index.ts";
import type { CallOptions } from "../registry/index.ts";
import type { AnswerEvent } from "./events.ts";
import { PendingRequest, errorFromEvent, notAnEnvelope, receivedEnvelope } from "./pending-call.ts";

/** Options of a subscription. */
export interface SubscribeOptions extends CallOptions {
  /**
   * Ends the subscription with TIMEOUT if no value comes for this many milliseconds (default: no
   * limit).
   */
  readonly idleTimeout?: number;
  /** How many values may be in flight before the consumer takes one (default: 16). */
  readonly window?: number;
}

export const DEFAULT_WINDOW = 16;
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

interface Waiter {
  readonly resolve: (result: IteratorResult<ResponseEnvelope>) => void;
  readonly reject: (error: CallError) => void;
}

/**
 * Values of a subscription on their way to the consumer. The other end may send only as many as
 * were requested, and more are requested as the consumer takes them, so the buffer stays small.
 */
export class PendingSubscription
  extends PendingRequest
  implements AsyncIterableIterator<ResponseEnvelope>
{
  readonly #idleTimeout: number | undefined;
  readonly #values: ResponseEnvelope[] = [];
  readonly #waiters: Waiter[] = [];
  #idleTimer: DeadlineEntry | undefined;
  #ended: { error?: CallError } | undefined;

  constructor(
    requestId: string,
    options: SubscribeOptions,
    onEnd: (request: PendingRequest) => void,
  ) {
    super(requestId, options, onEnd);
    this.#idleTimeout = options.idleTimeout;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  override hear(event: AnswerEvent): void {
    if (this.#ended !== undefined) return;
    if (event.type === "call.responded") this.#hearValue(event.output);
    else if (event.type === "call.error") this.#finish({ error: errorFromEvent(event) });
    else this.#finish({});
  }

  #hearValue(output: unknown): void {
    const envelope = receivedEnvelope(output);
    if (envelope === undefined) this.#finish({ error: notAnEnvelope() });
    else this.#take(envelope);
  }

  next(): Promise<IteratorResult<ResponseEnvelope>> {
    const value = this.#values.shift();
    if (value !== undefined) {
      if (this.#ended === undefined) this.exchange?.credit(1);
      return Promise.resolve({ done: false, value });
    }
    if (this.#ended !== undefined) return this.#endResult(this.#ended);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      if (this.#waiters.length === 1) this.#startIdleTimer();
    });
  }

  /** Ends the subscription and tells the other end. */
  return(): Promise<IteratorResult<ResponseEnvelope>> {
    if (this.#ended === undefined) {
      this.#finish({});
      this.abort(new CallError("ABORTED", "The subscriber stopped listening"));
    }
    this.#values.length = 0;
    return Promise.resolve(DONE);
  }

  protected override failWith(error: CallError): void {
    this.#finish({ error });
  }

  #endResult(ended: { error?: CallError }): Promise<IteratorResult<ResponseEnvelope>> {
    if (ended.error === undefined) return Promise.resolve(DONE);
    this.#ended = {};
    return Promise.reject(ended.error);
  }

  #take(value: ResponseEnvelope): void {
    const waiter = this.#waiters.shift();
    if (waiter === undefined) {
      this.#values.push(value);
      return;
    }
    this.#stopIdleTimer();
    if (this.#waiters.length > 0) this.#startIdleTimer();
    this.exchange?.credit(1);
    waiter.resolve({ done: false, value });
  }

  #finish(ended: { error?: CallError }): void {
    if (this.#ended !== undefined) return;
    this.#ended = ended;
    this.#stopIdleTimer();
    this.end();
    for (const waiter of this.#waiters.splice(0)) {
      if (ended.error === undefined) waiter.resolve(DONE);
      else waiter.reject(ended.error);
    }
  }

  /**
   * The idle time counts only while the consumer waits, so that a slow consumer does not cause a
   * timeout.
   */
  #startIdleTimer(): void {
    if (this.#idleTimeout === undefined) return;
    this.#idleTimer = deadlineClock.add(this, Date.now() + this.#idleTimeout);
  }

  #stopIdleTimer(): void {
    if (this.#idleTimer !== undefined) deadlineClock.remove(this.#idleTimer);
    this.#idleTimer = undefined;
  }
}
