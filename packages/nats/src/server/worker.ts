import type { Msg, Subscription } from "@nats-io/transport-node";
import { RequestTable, errorFromUnknown } from "@waybill/core";
import type { AcceptCall, CallError, OperationSummary } from "@waybill/core";
import { readControl } from "../wire/control.ts";
import { HEADER, headerTexts } from "../wire/request-headers.ts";
import { newToken } from "../wire/token.ts";
import type { Wire } from "../wire/wire.ts";
import { describeInChunks } from "./describe.ts";
import { eventOf, readRequest, requestIdOf } from "./read-request.ts";
import type { ReadRequest } from "./read-request.ts";
import { Recent } from "./recent.ts";
import { ServedRequest } from "./served-request.ts";
import type { ServedKeeper } from "./served-request.ts";
import { answerServices } from "./services-protocol.ts";
import { EndpointStats } from "./stats.ts";

/** Beyond these an operation is reached by way of any worker, for the price of a second message. */
const MAX_SUBJECTS = 10_000;
const RECENT_BITS = 14;
const VERSION = "0.0.0";

export interface WorkerOptions {
  readonly wire: Wire;
  readonly accept: AcceptCall;
  readonly describe: () => readonly OperationSummary[];
  /** How often it is seen to that those who subscribed are still there. */
  readonly aliveMs: number;
}

/** One that serves: takes requests of its service's queue group and answers them. */
export class Worker implements ServedKeeper {
  readonly instance: string = newToken();
  readonly #wire: Wire;
  readonly #accept: AcceptCall;
  readonly #describe: () => readonly OperationSummary[];
  readonly #aliveMs: number;
  readonly #subscriptions: Subscription[] = [];
  readonly #byInbox = new RequestTable<ServedRequest>();
  readonly #byControl = new Map<string, ServedRequest>();
  readonly #recent = new Recent(RECENT_BITS);
  readonly #endpoints: EndpointStats[] = [];
  readonly #others: EndpointStats;
  #alive: NodeJS.Timeout | undefined;
  #whenIdle: (() => void) | undefined;

  constructor({ wire, accept, describe, aliveMs }: WorkerOptions) {
    this.#wire = wire;
    this.#aliveMs = aliveMs;
    this.#accept = accept;
    this.#describe = describe;
    this.#others = new EndpointStats("any", wire.subjects.any);
  }

  start(): void {
    const { subjects, connection } = this.#wire;
    for (const { id } of this.#describe().slice(0, MAX_SUBJECTS)) this.#serve(id);
    this.#listen(subjects.any, true, (message) => this.#take(message, undefined, this.#others));
    this.#listen(subjects.describe, false, (message) => this.#tell(message));
    this.#listen(subjects.control, false, (message) => this.#heed(message));
    const own = `${subjects.controlOf(this.instance)}.*`;
    this.#listen(own, false, (message) => this.#heedOwn(message));
    this.#subscriptions.push(
      ...answerServices(connection, {
        name: subjects.service,
        id: this.instance,
        version: VERSION,
        description: "A Waybill",
        queue: subjects.service,
        started: new Date(),
        endpoints: () => [...this.#endpoints, this.#others],
      }),
    );
    this.#alive = setInterval(() => this.#sayAlive(), this.#aliveMs).unref();
  }

  /** Takes no more requests; what was delivered before is still served. */
  stop(): void {
    clearInterval(this.#alive);
    for (const subscription of this.#subscriptions.splice(0)) {
      // A connection that is closed has nothing left to drain.
      subscription.drain().catch(() => {});
    }
  }

  /** Resolves when nothing is being served any more; what lasts longer is aborted. */
  async drain(withinMs: number): Promise<void> {
    const { connection } = this.#wire;
    this.stop();
    // Behind this nothing can be on its way to us any more.
    await connection.flush().catch(() => {});
    if (this.#byInbox.size > 0) await this.#idle(withinMs);
    await connection.flush().catch(() => {});
  }

  /** A subscription cannot go on when its requester may have missed a value. */
  disconnected(): void {
    for (const served of this.#byControl.values()) served.cancel("The connection was lost");
  }

  #idle(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        for (const served of this.#byInbox.values()) served.cancel("The worker is shutting down");
      }, withinMs);
      const tooLate = setTimeout(resolve, withinMs + 1_000);
      this.#whenIdle = () => {
        clearTimeout(late);
        clearTimeout(tooLate);
        resolve();
      };
    });
  }

  #serve(id: string): void {
    const subject = this.#wire.subjects.operation(id);
    if (subject === undefined) return;
    const stats = new EndpointStats(id, subject);
    this.#endpoints.push(stats);
    this.#listen(subject, true, (message) => this.#take(message, id, stats));
  }

  #listen(subject: string, isShared: boolean, take: (message: Msg) => void): void {
    const { connection, subjects } = this.#wire;
    const subscription = connection.subscribe(subject, {
      ...(isShared && { queue: subjects.service }),
      callback: (error, message) => {
        if (error === null) take(message);
      },
    });
    this.#subscriptions.push(subscription);
  }

  /** A request. One without an inbox asks for nothing; one that came before is not served twice. */
  #take(message: Msg, operationId: string | undefined, stats: EndpointStats): void {
    const { reply = "" } = message;
    if (reply === "" || !this.#recent.add(reply)) return;
    const texts = headerTexts(message.headers);
    const requestId = requestIdOf(texts);
    const served = new ServedRequest(this.#wire, this, reply, requestId, stats);
    this.#byInbox.add(reply, served);
    try {
      const request = readRequest(this.#wire, texts, operationId, requestId);
      if (request.window !== undefined) this.#stayInTouch(served);
      if (request.bodyName === "") this.#begin(served, request, message.data);
      else void this.#fetch(served, request);
    } catch (thrown) {
      served.refuse(errorFromUnknown(thrown));
    }
  }

  /** A subscription lasts, so its requester gets a subject of its own to speak to this worker. */
  #stayInTouch(served: ServedRequest): void {
    served.control = `${this.#wire.subjects.controlOf(this.instance)}.${newToken()}`;
    this.#byControl.set(served.control, served);
  }

  #begin(served: ServedRequest, request: ReadRequest, body: Uint8Array): void {
    served.begin(this.#accept(eventOf(request, body), served));
  }

  async #fetch(served: ServedRequest, request: ReadRequest): Promise<void> {
    try {
      this.#begin(served, request, await this.#wire.bodies.take(request.bodyName));
    } catch (thrown) {
      served.refuse(errorFromUnknown(thrown));
    }
  }

  ended({ inbox, control, stats, started }: ServedRequest, error: CallError | undefined): void {
    stats.ended(performance.now() - started, error);
    this.#byInbox.delete(inbox);
    if (control !== undefined) this.#byControl.delete(control);
    if (this.#byInbox.size === 0) this.#whenIdle?.();
  }

  #heed(message: Msg): void {
    const control = readControl(message.data);
    if (control !== undefined) this.#byInbox.get(control.inbox)?.heed(control);
  }

  /** The server answers for a requester that is gone. */
  #heedOwn(message: Msg): void {
    const isGone = message.headers?.code === 503 && message.data.length === 0;
    if (!isGone) this.#heed(message);
    else this.#byControl.get(message.subject)?.cancel("The subscriber is gone");
  }

  #sayAlive(): void {
    for (const served of this.#byControl.values()) served.sayAlive();
  }

  #tell(message: Msg): void {
    try {
      this.#wire.identities.verify(message.headers?.get(HEADER.identity) ?? "");
      for (const text of describeInChunks(this.#describe(), this.#wire.bodies.limit / 4)) {
        message.respond(text);
      }
    } catch (thrown) {
      const { message: error } = errorFromUnknown(thrown);
      message.respond(JSON.stringify({ error }));
    }
  }
}
