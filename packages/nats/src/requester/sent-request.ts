import type { Msg, MsgHdrs } from "@nats-io/transport-node";
import { errorFromUnknown, fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import type {
  AnswerEvent,
  AnswerListener,
  CallRequestedEvent,
  Exchange,
} from "@waybill/core/protocol";
import { errorEvent, answerKind, readAnswer } from "../wire/answers.ts";
import { writeControl } from "../wire/control.ts";
import type { Control } from "../wire/control.ts";
import { answerLost, notConnected, sourceDown } from "../wire/failure.ts";
import { toHeader } from "../wire/header-text.ts";
import { OrderedTasks } from "../wire/ordered-tasks.ts";
import type { Outgoing } from "../wire/outbox.ts";
import { HEADER } from "../wire/request-headers.ts";
import { sendLarge } from "../wire/wire.ts";
import type { Wire } from "../wire/wire.ts";

/** Receives the answers to requests. */
export interface Inbox {
  add(request: SentRequest): string;
  remove(request: SentRequest): void;
}

export interface RequestMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly headers: MsgHdrs;
}

function notSent(error: unknown): CallError {
  return fail("NETWORK", errorFromUnknown(error).message, { outcome: "not_applied" });
}

/** How many times a worker is asked about a request without an answer. */
const MAX_SILENT = 3;

/** One request on the requester's side. */
export class SentRequest implements Exchange {
  readonly token: string;
  readonly #wire: Wire;
  readonly #inbox: Inbox;
  readonly #event: CallRequestedEvent;
  readonly #listener: AnswerListener;
  #message: RequestMessage & Outgoing & { readonly reply: string };
  #incoming: OrderedTasks | undefined;
  /**
   * The subject on which the worker of the request listens. Undefined until the worker has sent
   * it.
   */
  #control: string | undefined;
  /** Whether the request was published. False while a large body is being stored. */
  #isSent = true;
  #isEnded = false;
  #isAnyone = false;
  #heardAt = Date.now();
  #silent = 0;

  constructor(
    wire: Wire,
    inbox: Inbox,
    token: string,
    event: CallRequestedEvent,
    listener: AnswerListener,
    message: RequestMessage,
  ) {
    this.#wire = wire;
    this.#inbox = inbox;
    this.token = token;
    this.#event = event;
    this.#listener = listener;
    const { subject, body, headers } = message;
    const onFailure = (error: unknown): void => this.fail(notSent(error));
    this.#message = { subject, body, headers, reply: inbox.add(this), onFailure };
  }

  /** The subject that the request went to. */
  get subject(): string {
    return this.#message.subject;
  }

  send(): void {
    const message = this.#message;
    if (message.body.length <= this.#wire.bodies.limit) this.#wire.outbox.send(message);
    else this.#sendLarge();
  }

  cancel(reason?: string): void {
    if (this.#isEnded) return;
    this.#end();
    this.#tell({ cancel: reason ?? "The call was aborted by its caller" });
  }

  credit(count: number): void {
    if (!this.#isEnded) this.#tell({ credit: count });
  }

  /** Handles a message to this request's own inbox. */
  receive(message: Msg): void {
    const kind = answerKind(message);
    this.#heardAt = Date.now();
    if (kind === "nobody") this.#nobody();
    else this.#silent = 0;
    if (kind !== "answer") return;
    if (message.reply) this.#control = message.reply;
    const name = message.headers?.get(HEADER.body) ?? "";
    if (name === "" && this.#incoming === undefined) this.#hear(this.#read(message));
    else this.#receiveInOrder(message, name);
  }

  /** Ends the request, because no more messages can arrive. */
  lose(): void {
    const message = "The connection to the NATS server was lost before the answer arrived";
    this.fail(this.#isSent ? answerLost(message) : notConnected());
  }

  /** Ends the request without an answer. */
  fail(error: CallError): void {
    this.#hear(errorEvent(this.#event.requestId, error));
  }

  /**
   * Asks the worker about a request that was silent for a while. If no worker serves it, the
   * request is lost.
   */
  probe(now: number, afterMs: number): void {
    if (!this.#isSent) return;
    if (now - this.#heardAt < afterMs * (this.#silent + 1)) return;
    if (this.#silent >= MAX_SILENT) {
      this.fail(answerLost("The worker that runs this call has stopped, or is too busy to answer"));
      return;
    }
    this.#silent += 1;
    this.#tell({ probe: true });
  }

  #sendLarge(): void {
    this.#isSent = false;
    const isWanted = (): boolean => {
      this.#isSent = !this.#isEnded;
      return this.#isSent;
    };
    sendLarge(this.#wire, this.#message, isWanted).catch((thrown: unknown) => {
      this.fail(errorFromUnknown(thrown));
    });
  }

  #tell(control: Omit<Control, "inbox">): void {
    const { subjects, outbox } = this.#wire;
    const { reply } = this.#message;
    outbox.send({
      subject: this.#control ?? subjects.control,
      body: writeControl({ inbox: reply, ...control }),
      // Sent with a reply subject, so that the server answers immediately if no worker receives the
      // message.
      reply: control.probe === true ? reply : undefined,
    });
  }

  /** No worker listens on the subject, so any worker is asked whether the operation exists. */
  #nobody(): void {
    const { subjects } = this.#wire;
    if (this.#silent > 0) {
      this.fail(answerLost("The worker that runs this call has stopped"));
    } else if (this.#isAnyone) {
      const message = `No worker serves ${this.#event.operationId} as ${subjects.service} on this NATS server`;
      this.fail(
        sourceDown(message, `Start a worker: waybill serve nats --service ${subjects.service}`),
      );
    } else {
      this.#askAnyone();
    }
  }

  #askAnyone(): void {
    this.#isAnyone = true;
    const { headers, body } = this.#message;
    headers.set(HEADER.operation, toHeader(HEADER.operation, this.#event.operationId));
    this.#message = {
      ...this.#message,
      subject: this.#wire.subjects.any,
      // A large body is stored already and no worker has fetched it, so it is not sent again.
      body: headers.has(HEADER.body) ? new Uint8Array() : body,
    };
    this.#wire.outbox.send(this.#message);
  }

  #receiveInOrder(message: Msg, name: string): void {
    this.#incoming ??= new OrderedTasks();
    this.#incoming.run(() =>
      name === "" ? this.#hear(this.#read(message)) : this.#fetch(message, name),
    );
  }

  async #fetch({ headers }: Msg, name: string): Promise<void> {
    const { requestId } = this.#event;
    try {
      this.#hear(readAnswer(requestId, headers, await this.#wire.bodies.take(name)));
    } catch (thrown) {
      const { message, details } = errorFromUnknown(thrown);
      const code = details.code ?? "NETWORK";
      // The operation ran and was answered. Only the body of the answer is lost.
      const error = fail(
        code,
        `The call was made, but the body of its answer was lost: ${message}. Repeat a read, but not a write`,
        { outcome: "applied" },
      );
      this.#hear(errorEvent(requestId, error));
    }
  }

  #read({ headers, data }: Msg): AnswerEvent {
    return readAnswer(this.#event.requestId, headers, data);
  }

  #hear(event: AnswerEvent): void {
    if (this.#isEnded) return;
    const isValue = this.#event.window !== undefined && event.type === "call.responded";
    if (!isValue) this.#end();
    this.#listener.hear(event);
  }

  #end(): void {
    this.#isEnded = true;
    this.#inbox.remove(this);
  }
}
