import { CallError } from "../envelope/index.ts";
import { AbortNode, deadlineError } from "../operation/index.ts";
import type { AnswerEvent, CallEvent, CallRequestedEvent } from "./events.ts";
import { isPositiveInteger } from "./limits.ts";
import type { AnswerListener, Exchange } from "./transport.ts";

/**
 * A request that is being served. It receives the answers, and calls that its handler makes are
 * aborted with it.
 */
export class ServedCall extends AbortNode implements Exchange {
  readonly request: CallRequestedEvent;
  readonly #requester: AnswerListener;
  readonly #observe: ((event: CallEvent) => void) | undefined;
  #credits: number;
  #onCredit: (() => void) | undefined;
  #isEnded = false;
  #isAnswered = false;

  constructor(
    request: CallRequestedEvent,
    requester: AnswerListener,
    observe: ((event: CallEvent) => void) | undefined,
  ) {
    super();
    this.request = request;
    this.#requester = requester;
    this.#observe = observe;
    this.#credits = request.window ?? 0;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether the requester has received anything yet. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  answer(event: AnswerEvent): void {
    this.#isAnswered = true;
    if (event.type !== "call.responded") this.#isEnded = true;
    this.#requester.hear(event);
  }

  refuse(message: string): this {
    const { requestId } = this.request;
    const details = { outcome: "not_applied" } as const;
    this.answer({ type: "call.error", requestId, code: "VALIDATION_ERROR", message, details });
    return this;
  }

  cancel(reason?: string): void {
    if (this.#isEnded || this.aborted !== undefined) return;
    const { requestId } = this.request;
    const event = { type: "call.aborted", requestId } as const;
    this.#observe?.(reason === undefined ? event : { ...event, reason });
    const isDeadline = reason === "deadline";
    const message = reason ?? "The call was aborted by its caller";
    this.abort(isDeadline ? deadlineError() : new CallError("ABORTED", message));
  }

  /** Ignores anything but a positive integer, because other values would break the counting. */
  credit(count: number): void {
    if (!isPositiveInteger(count)) return;
    this.#credits += count;
    this.#onCredit?.();
  }

  /** Waits until one more value may be sent, and counts that value as sent. */
  async takeCredit(): Promise<void> {
    while (this.#credits <= 0 && this.aborted === undefined) {
      await new Promise<void>((resolve) => {
        this.#onCredit = resolve;
      });
    }
    this.#onCredit = undefined;
    this.#credits -= 1;
  }

  protected override onAbort(): void {
    this.#onCredit?.();
  }
}
