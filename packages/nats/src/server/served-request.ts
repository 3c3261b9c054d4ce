import { headers as newHeaders } from "@nats-io/transport-node";
import { CallError, errorFromUnknown } from "@waybill/core";
import type { AnswerEvent, AnswerListener, Exchange } from "@waybill/core/protocol";
import { aliveAnswer, errorEvent, writeAnswer } from "../wire/answers.ts";
import type { Answer } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";
import { OrderedTasks } from "../wire/ordered-tasks.ts";
import { sendLarge } from "../wire/wire.ts";
import type { Wire } from "../wire/wire.ts";
import type { EndpointStats } from "./stats.ts";

const MAX_CREDIT = 1_024;

/** Called when a request has ended. */
export interface ServedKeeper {
  ended(served: ServedRequest, error: CallError | undefined): void;
}

/** One request on the worker's side. Answers go only to its inbox. */
export class ServedRequest implements AnswerListener {
  readonly inbox: string;
  readonly requestId: string;
  /**
   * The subject on which the requester of a subscription reaches this worker. Undefined for a call.
   */
  control: string | undefined;
  readonly stats: EndpointStats;
  readonly started: number = performance.now();
  readonly #wire: Wire;
  readonly #keeper: ServedKeeper;
  #outgoing: OrderedTasks | undefined;
  #exchange: Exchange | undefined;
  #cancelled: string | undefined;
  #isEnded = false;

  constructor(
    wire: Wire,
    keeper: ServedKeeper,
    inbox: string,
    requestId: string,
    stats: EndpointStats,
  ) {
    this.#wire = wire;
    this.#keeper = keeper;
    this.inbox = inbox;
    this.requestId = requestId;
    this.stats = stats;
  }

  /**
   * Connects the request to its handler, so that control messages of the requester are passed
   * on.
   */
  begin(exchange: Exchange): void {
    this.#exchange = exchange;
    if (this.#cancelled !== undefined) exchange.cancel(this.#cancelled);
  }

  hear(event: AnswerEvent): void {
    if (this.#isEnded) return;
    const isLast = event.type !== "call.responded" || this.control === undefined;
    if (isLast) this.#isEnded = true;
    const answer = writeAnswer(event);
    if (answer.body.length <= this.#wire.bodies.limit && this.#outgoing === undefined) {
      this.#publish(answer);
      if (isLast) this.#end(event);
    } else this.#answerInOrder(answer, isLast ? event : undefined);
  }

  refuse(error: CallError): void {
    this.hear(errorEvent(this.requestId, error));
  }

  /** Handles a control message of the requester. */
  heed({ cancel, credit, probe }: Control): void {
    if (cancel !== undefined) this.cancel(cancel);
    if (credit !== undefined) this.#exchange?.credit(Math.min(credit, MAX_CREDIT));
    if (probe === true) this.sayAlive();
  }

  cancel(reason: string): void {
    this.#cancelled = reason;
    this.#exchange?.cancel(reason);
  }

  /** Sent with a reply subject, so that the server reports it if the requester is gone. */
  sayAlive(): void {
    this.#publish(aliveAnswer());
  }

  #end(event: AnswerEvent): void {
    this.#keeper.ended(this, event.type === "call.error" ? getError(event) : undefined);
  }

  #answerInOrder(answer: Answer, last: AnswerEvent | undefined): void {
    const end = (): void => {
      if (last !== undefined) this.#end(last);
    };
    this.#outgoing ??= new OrderedTasks();
    this.#outgoing.run(() => {
      const isLarge = answer.body.length > this.#wire.bodies.limit;
      if (isLarge) return this.#publishLarge(answer).finally(end);
      this.#publish(answer);
      return end();
    });
  }

  async #publishLarge(answer: Answer): Promise<void> {
    const headers = answer.headers ?? newHeaders();
    try {
      const message = { ...answer, headers, subject: this.inbox, reply: this.control };
      await sendLarge(this.#wire, message, () => true);
    } catch (thrown) {
      const { code, message, details } = errorFromUnknown(thrown);
      // The operation has run, but its answer cannot be sent.
      const told = { ...details, outcome: "applied" } as const;
      const { requestId } = this;
      this.#publish(writeAnswer({ type: "call.error", requestId, code, message, details: told }));
    }
  }

  #publish({ body, headers }: Answer): void {
    // Ignored: if the connection is closed, the requester notices that itself.
    this.#wire.outbox.send({ subject: this.inbox, body, headers, reply: this.control });
  }
}

function getError({
  code,
  message,
  details,
}: Extract<AnswerEvent, { type: "call.error" }>): CallError {
  return new CallError(code, message, details);
}
