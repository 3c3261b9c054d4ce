import { createInbox } from "@nats-io/transport-node";
import type { Msg, MsgHdrs, Subscription } from "@nats-io/transport-node";
import { CallError, errorFromUnknown } from "@waybill/core";
import { RequestTable } from "@waybill/core/protocol";
import type { AnswerListener, CallRequestedEvent, Exchange } from "@waybill/core/protocol";
import { answerLost, notConnected, unauthenticated } from "../wire/failure.ts";
import { guarded } from "../wire/guarded.ts";
import { toHeader } from "../wire/header-text.ts";
import { HEADER, requestHeaders } from "../wire/request-headers.ts";
import { newToken } from "../wire/token.ts";
import type { Wire } from "../wire/wire.ts";
import { SentRequest } from "./sent-request.ts";
import type { Inbox } from "./sent-request.ts";

const SWEEP_MS = 1_000;
const MAX_NAME = 300;

function encodeInput(input: unknown): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(input) ?? "null");
  } catch (cause) {
    const message = `The input cannot be written as JSON: ${errorFromUnknown(cause).message}`;
    throw new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" }, { cause });
  }
}

/** If the text cannot be an id, the request goes to any worker, which answers with similar ids. */
function unnamed({ operationId }: CallRequestedEvent, headers: MsgHdrs, any: string): string {
  headers.set(HEADER.operation, toHeader(HEADER.operation, operationId.slice(0, MAX_NAME)));
  return any;
}

/**
 * The requests of one connection. All answers arrive on one subscription. Each request has a
 * reply subject that nobody can guess, and one timer watches all requests.
 */
export class Requester implements Inbox {
  readonly #wire: Wire;
  readonly #prefix: string;
  readonly #probeAfterMs: number;
  readonly #pending = new RequestTable<SentRequest>();
  #subscription: Subscription | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #isConnected = true;
  readonly #waiting = new Set<() => void>();

  constructor(wire: Wire, inboxPrefix: string | undefined, probeAfterMs: number) {
    this.#wire = wire;
    this.#prefix = `${createInbox(inboxPrefix)}.`;
    this.#probeAfterMs = probeAfterMs;
  }

  request(event: CallRequestedEvent, listener: AnswerListener): Exchange {
    if (!this.#isConnected || this.#wire.connection.isClosed()) throw notConnected();
    const { subjects, identities } = this.#wire;
    const headers = requestHeaders(event, identities.sign(event.identity));
    const subject = subjects.operation(event.operationId) ?? unnamed(event, headers, subjects.any);
    const message = { subject, body: encodeInput(event.input), headers };
    this.#listen();
    const sent = new SentRequest(this.#wire, this, newToken(), event, listener, message);
    sent.send();
    return sent;
  }

  add(request: SentRequest): string {
    this.#pending.add(request.token, request);
    return this.#prefix + request.token;
  }

  remove(request: SentRequest): void {
    this.#pending.delete(request.token);
  }

  connected(): void {
    this.#isConnected = true;
    for (const done of this.#waiting) done();
  }

  /** Resolves when there is a connection, or when the time is over. */
  async whenConnected(withinMs: number): Promise<void> {
    if (this.#isConnected || withinMs <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => done(), withinMs);
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      this.#waiting.add(done);
    });
  }

  /** Sent requests may have been applied, but their answers can no longer arrive. */
  disconnected(): void {
    this.#isConnected = false;
    for (const request of this.#pending.values()) request.lose();
  }

  /** Called if the server does not allow publishing to this subject. */
  forbidden(subject: string): void {
    const error = unauthenticated(
      `The NATS server does not let this user publish to ${subject}; grant the permission there`,
    );
    for (const request of this.#pending.values()) {
      if (request.subject === subject) request.fail(error);
    }
  }

  close(): void {
    clearInterval(this.#sweep);
    this.disconnected();
    for (const done of this.#waiting) done();
  }

  #listen(): void {
    if (this.#subscription !== undefined && !this.#subscription.isClosed()) return;
    this.#subscription = this.#wire.connection.subscribe(`${this.#prefix}*`, {
      callback: guarded((message) => this.#receive(message)),
    });
    this.#sweep ??= setInterval(() => this.#probe(), SWEEP_MS).unref();
  }

  /** Ignores messages for requests that have ended or do not exist. */
  #receive(message: Msg): void {
    const request = this.#pending.get(message.subject.slice(this.#prefix.length));
    try {
      request?.receive(message);
    } catch (thrown) {
      const { message: why } = errorFromUnknown(thrown);
      request?.fail(answerLost(`The answer cannot be read: ${why}`));
    }
  }

  #probe(): void {
    if (!this.#isConnected) return;
    const now = Date.now();
    for (const request of this.#pending.values()) request.probe(now, this.#probeAfterMs);
  }
}
