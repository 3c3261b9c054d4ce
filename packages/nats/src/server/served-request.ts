import type { Msg } from "@nats-io/transport-node";
import { CallError, errorFromUnknown } from "@waybill/core";
import type { AnswerEvent, AnswerListener, Exchange } from "@waybill/core";
import { aliveAnswer, errorEvent, writeAnswer } from "../wire/answers.ts";
import type { Answer } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";
import { Orderly } from "../wire/orderly.ts";
import { headersOf, publish, publishLarge } from "../wire/wire.ts";
import type { Wire } from "../wire/wire.ts";

/** What the worker keeps of a request until it has ended. */
export interface ServedOptions {
  readonly wire: Wire;
  readonly requestId: string;
  readonly onEnd: (served: ServedRequest, error: CallError | undefined) => void;
}

/** The worker's end of one request: answers go to its inbox and nowhere else. */
export class ServedRequest implements AnswerListener {
  readonly inbox: string;
  readonly requestId: string;
  /** Where a subscription's requester reaches this worker; undefined for a call. */
  control: string | undefined;
  readonly #wire: Wire;
  readonly #onEnd: ServedOptions["onEnd"];
  #outgoing: Orderly | undefined;
  #exchange: Exchange | undefined;
  #cancelled: string | undefined;
  #isEnded = false;

  constructor(message: Msg, options: ServedOptions) {
    this.inbox = message.reply ?? "";
    this.requestId = options.requestId;
    this.#wire = options.wire;
    this.#onEnd = options.onEnd;
  }

  /** From here on what the requester says is passed on. */
  begin(exchange: Exchange): void {
    this.#exchange = exchange;
    if (this.#cancelled !== undefined) exchange.cancel(this.#cancelled);
  }

  hear(event: AnswerEvent): void {
    if (this.#isEnded) return;
    const isLast = event.type !== "call.responded" || this.control === undefined;
    if (isLast) this.#isEnded = true;
    this.#answer(writeAnswer(event), () => {
      if (isLast) this.#onEnd(this, event.type === "call.error" ? errorOf(event) : undefined);
    });
  }

  refuse(error: CallError): void {
    this.hear(errorEvent(this.requestId, error));
  }

  /** What its requester says of it. */
  heed({ cancel, credit, probe }: Control): void {
    if (cancel !== undefined) this.cancel(cancel);
    if (credit !== undefined) this.#exchange?.credit(credit);
    if (probe === true) this.sayAlive();
  }

  cancel(reason: string): void {
    this.#cancelled = reason;
    this.#exchange?.cancel(reason);
  }

  /** With a reply to it, so that the server tells us when the requester is gone. */
  sayAlive(): void {
    this.#publish(aliveAnswer());
  }

  #answer(answer: Answer, done: () => void): void {
    const isLarge = answer.body.length > this.#wire.bodies.limit;
    if (!isLarge && this.#outgoing === undefined) {
      this.#publish(answer);
      done();
      return;
    }
    this.#outgoing ??= new Orderly();
    this.#outgoing.run(() => {
      if (isLarge) return this.#publishLarge(answer).finally(done);
      this.#publish(answer);
      return done();
    });
  }

  async #publishLarge(answer: Answer): Promise<void> {
    const headers = headersOf(answer);
    try {
      const message = { ...answer, headers, subject: this.inbox, reply: this.control };
      await publishLarge(this.#wire, message, () => true);
    } catch (thrown) {
      const { code, message, details } = errorFromUnknown(thrown);
      // The operation has run; only its answer cannot be sent.
      const told = { ...details, outcome: "applied" } as const;
      const { requestId } = this;
      this.#publish(writeAnswer({ type: "call.error", requestId, code, message, details: told }));
    }
  }

  #publish({ body, headers }: Answer): void {
    try {
      publish(this.#wire, { subject: this.inbox, body, headers, reply: this.control });
    } catch {
      // The connection is closed: the requester finds out by itself.
    }
  }
}

function errorOf({
  code,
  message,
  details,
}: Extract<AnswerEvent, { type: "call.error" }>): CallError {
  return new CallError(code, message, details);
}
