import type { Msg } from "@nats-io/transport-node";
import { CallError, errorFromUnknown, fail } from "@waybill/core";
import { RequestTable } from "@waybill/core/protocol";
import type { AcceptCall } from "@waybill/core/protocol";
import { readControl } from "../wire/control.ts";
import { HEADER, headerTexts } from "../wire/request-headers.ts";
import type { HeaderTexts } from "../wire/request-headers.ts";
import { newToken } from "../wire/token.ts";
import type { Wire } from "../wire/wire.ts";
import { getEvent, readRequest, getRequestId } from "./read-request.ts";
import type { ReadRequest } from "./read-request.ts";
import { RecentStrings } from "./recent-strings.ts";
import { ServedRequest } from "./served-request.ts";
import type { ServedKeeper } from "./served-request.ts";
import type { EndpointStats } from "./stats.ts";

const RECENT_BITS = 14;
const MAX_SERVED = 10_000;
const BUSY_RETRY_MS = 1_000;

function tooBusy(): CallError {
  return fail(
    "RATE_LIMIT",
    `This worker already handles ${MAX_SERVED} requests. Wait and try again`,
    {
      outcome: "not_applied",
      retry_after_ms: BUSY_RETRY_MS,
    },
  );
}

function unreadableHeaders(): CallError {
  const message = "The headers of the request are malformed; write them with a NATS client library";
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

function inboxTaken(): CallError {
  const message =
    "Another request with this reply subject is running; use a separate subject for each request";
  return new CallError("VALIDATION_ERROR", message, { outcome: "not_applied" });
}

/** Reads the headers of a message. Undefined if the headers are malformed. */
function readHeaderTexts(message: Msg): HeaderTexts | undefined {
  try {
    return headerTexts(message.headers);
  } catch {
    return undefined;
  }
}

/** The running requests of a worker. */
export class ServedRequests implements ServedKeeper {
  readonly #wire: Wire;
  readonly #accept: AcceptCall;
  readonly #control: string;
  readonly #byInbox = new RequestTable<ServedRequest>();
  readonly #byControl = new Map<string, ServedRequest>();
  readonly #recent = new RecentStrings(RECENT_BITS);
  readonly #whenIdle: (() => void)[] = [];

  /** @param control the prefix of the subjects of subscriptions; each subscription has its own */
  constructor(wire: Wire, accept: AcceptCall, control: string) {
    this.#wire = wire;
    this.#accept = accept;
    this.#control = control;
  }

  /**
   * Accepts a request. A request without an inbox is ignored, and a repeated one is not served
   * twice.
   */
  take(message: Msg, operationId: string | undefined, stats: EndpointStats): void {
    const { reply = "" } = message;
    if (reply === "") return;
    const texts = readHeaderTexts(message);
    if (this.#cameBefore(reply, texts?.get(HEADER.requestId) ?? "")) return;
    const requestId = texts === undefined ? newToken() : getRequestId(texts);
    const served = new ServedRequest(this.#wire, this, reply, requestId, stats);
    const isAlone = this.#byInbox.add(reply, served);
    try {
      if (!isAlone) throw inboxTaken();
      if (this.#byInbox.size > MAX_SERVED) throw tooBusy();
      if (texts === undefined) throw unreadableHeaders();
      const request = readRequest(this.#wire, texts, operationId, requestId);
      if (request.window !== undefined) this.#stayInTouch(served);
      if (request.bodyName === "") this.#begin(served, request, message.data);
      else void this.#fetch(served, request);
    } catch (thrown) {
      served.refuse(errorFromUnknown(thrown));
    }
  }

  /** Handles a control message. Messages about requests of other workers are ignored. */
  heed({ data }: Msg): void {
    const control = readControl(data);
    if (control !== undefined) this.#byInbox.get(control.inbox)?.heed(control);
  }

  /**
   * Handles a message on a subscription's own subject, where the server also reports that a
   * requester is gone.
   */
  heedOwn(message: Msg): void {
    const isGone = message.headers?.code === 503 && message.data.length === 0;
    if (!isGone) this.heed(message);
    else this.#byControl.get(message.subject)?.cancel("The subscriber has disconnected");
  }

  /**
   * Tells the requesters of subscriptions that this worker is alive, and detects requesters that
   * are gone.
   */
  sayAlive(): void {
    for (const served of this.#byControl.values()) served.sayAlive();
  }

  cancelSubscriptions(reason: string): void {
    for (const served of this.#byControl.values()) served.cancel(reason);
  }

  cancelAll(reason: string): void {
    for (const served of this.#byInbox.values()) served.cancel(reason);
  }

  /** Resolves when no request is running. */
  idle(): Promise<void> {
    if (this.#byInbox.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
    });
  }

  ended(served: ServedRequest, error: CallError | undefined): void {
    const { inbox, control, stats, started } = served;
    stats.ended(performance.now() - started, error);
    if (this.#byInbox.get(inbox) === served) this.#byInbox.delete(inbox);
    if (control !== undefined) this.#byControl.delete(control);
    if (this.#byInbox.size > 0 || this.#whenIdle.length === 0) return;
    for (const tell of this.#whenIdle.splice(0)) tell();
  }

  /**
   * Only running requests count as repeats, because a client without request ids may use one
   * inbox for all requests.
   */
  #cameBefore(reply: string, requestId: string): boolean {
    if (requestId === "") return this.#byInbox.get(reply) !== undefined;
    return !this.#recent.add(reply, requestId);
  }

  /**
   * Gives the requester of a subscription its own subject to reach this worker, because a
   * subscription lasts long.
   */
  #stayInTouch(served: ServedRequest): void {
    served.control = `${this.#control}.${newToken()}`;
    this.#byControl.set(served.control, served);
  }

  #begin(served: ServedRequest, request: ReadRequest, body: Uint8Array): void {
    served.begin(this.#accept(getEvent(request, body), served));
  }

  async #fetch(served: ServedRequest, request: ReadRequest): Promise<void> {
    try {
      this.#begin(served, request, await this.#wire.bodies.take(request.bodyName));
    } catch (thrown) {
      served.refuse(errorFromUnknown(thrown));
    }
  }
}
