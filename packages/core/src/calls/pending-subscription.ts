import { CallError } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import { deadlineClock } from "../operation/index.ts";
import type { DeadlineEntry } from "../operation/index.ts";
import type { CallOptions } from "../registry/index.ts";
import type { AnswerEvent } from "./events.ts";
import { PendingRequest, errorFromEvent } from "./pending-call.ts";

export interface SubscribeOptions extends CallOptions {
  /** Ends the subscription with TIMEOUT when no value came for this many milliseconds. */
  readonly idleTimeout?: number;
  /** How many values may be under way before the consumer has taken one. */
  readonly window?: number;
}

const DEFAULT_WINDOW = 16;
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

interface Waiter {
  readonly resolve: (result: IteratorResult<ResponseEnvelope>) => void;
  readonly reject: (error: CallError) => void;
}

/**
 * Values of a subscription on their way to their consumer. The other end may send only as many as
 * were asked for, and more are asked for as the consumer takes them, so nothing piles up.
 */
export class PendingSubscription
  extends PendingRequest
  implements AsyncIterableIterator<ResponseEnvelope>
{
  readonly #window: number;
  readonly #idleTimeout: number | undefined;
  readonly #values: ResponseEnvelope[] = [];
  #waiter: Waiter | undefined;
  #idleTimer: DeadlineEntry | undefined;
  #ended: { error?: CallError } | undefined;

  constructor(
    requestId: string,
    options: SubscribeOptions,
    onEnd: (request: PendingRequest) => void,
  ) {
    super(requestId, options, onEnd);
    this.#window = Math.max(1, options.window ?? DEFAULT_WINDOW);
    this.#idleTimeout = options.idleTimeout;
    this.#restartIdleTimer();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  override hear(event: AnswerEvent): void {
    if (this.#ended !== undefined) return;
    if (event.type === "call.responded") this.#take(event.output);
    else if (event.type === "call.error") this.#finish({ error: errorFromEvent(event) });
    else this.#finish({});
  }

  /** Asks for the first values. */
  open(): void {
    this.exchange?.credit(this.#window);
  }

  next(): Promise<IteratorResult<ResponseEnvelope>> {
    const value = this.#values.shift();
    if (value !== undefined) {
      if (this.#ended === undefined) this.exchange?.credit(1);
      return Promise.resolve({ done: false, value });
    }
    if (this.#ended !== undefined) return this.#endResult(this.#ended);
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  /** The consumer has had enough; the other end is told so. */
  return(): Promise<IteratorResult<ResponseEnvelope>> {
    if (this.#ended === undefined) {
      this.abort(new CallError("ABORTED", "The subscriber stopped listening"));
      this.#ended = {};
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
    this.#restartIdleTimer();
    const waiter = this.#waiter;
    if (waiter === undefined) {
      this.#values.push(value);
      return;
    }
    this.#waiter = undefined;
    this.exchange?.credit(1);
    waiter.resolve({ done: false, value });
  }

  #finish(ended: { error?: CallError }): void {
    if (this.#ended !== undefined) return;
    this.#ended = ended;
    this.#stopIdleTimer();
    this.end();
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (waiter === undefined) return;
    if (ended.error === undefined) waiter.resolve(DONE);
    else waiter.reject(ended.error);
  }

  #restartIdleTimer(): void {
    this.#stopIdleTimer();
    if (this.#idleTimeout === undefined) return;
    this.#idleTimer = deadlineClock.add(this, Date.now() + this.#idleTimeout);
  }

  #stopIdleTimer(): void {
    if (this.#idleTimer !== undefined) deadlineClock.remove(this.#idleTimer);
    this.#idleTimer = undefined;
  }
}

