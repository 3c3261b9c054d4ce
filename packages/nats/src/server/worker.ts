import { setTimeout as delay } from "node:timers/promises";
import type { Msg, Subscription } from "@nats-io/transport-node";
import { errorFromUnknown } from "@waybill/core";
import type { OperationSummary } from "@waybill/core";
import type { AcceptCall } from "@waybill/core/protocol";
import { guarded } from "../wire/guarded.ts";
import { HEADER } from "../wire/request-headers.ts";
import { newToken } from "../wire/token.ts";
import type { Wire } from "../wire/wire.ts";
import { version } from "../version.ts";
import { describeInChunks } from "./describe.ts";
import { ServedRequests } from "./served-requests.ts";
import { answerServices } from "./services-protocol.ts";
import { EndpointStats } from "./stats.ts";

/**
 * The maximum number of operations with their own subject. The others are reached through any
 * worker, which costs a second message.
 */
const MAX_SUBJECTS = 10_000;
/** How long aborted requests may take to answer. */
const GRACE_MS = 1_000;

export interface WorkerOptions {
  readonly wire: Wire;
  readonly accept: AcceptCall;
  readonly describe: () => readonly OperationSummary[];
  /** How often the worker checks that subscribers still exist. */
  readonly aliveMs: number;
}

function drained(subscriptions: Subscription[]): void {
  for (const subscription of subscriptions.splice(0)) {
    // Ignored: a closed connection has nothing left to drain.
    subscription.drain().catch(() => {});
  }
}

/** A worker. It receives requests from the queue group of its service and answers them. */
export class Worker {
  readonly #instance: string = newToken();
  readonly #wire: Wire;
  readonly #describe: () => readonly OperationSummary[];
  readonly #served: ServedRequests;
  readonly #endpoints: EndpointStats[] = [];
  /** Subscriptions for new requests. */
  readonly #doors: Subscription[] = [];
  /** Subscriptions for messages about running requests. */
  readonly #lines: Subscription[] = [];
  readonly #alive: NodeJS.Timeout;
  #described: { operations: readonly OperationSummary[]; chunks: readonly string[] } | undefined;

  constructor({ wire, accept, describe, aliveMs }: WorkerOptions) {
    this.#wire = wire;
    this.#describe = describe;
    this.#served = new ServedRequests(wire, accept, wire.subjects.controlOf(this.#instance));
    this.#alive = setInterval(() => this.#served.sayAlive(), aliveMs).unref();
    this.#openLines();
    this.#openDoors();
  }

  /**
   * Accepts no more requests. Requests that were already delivered are still served and controlled.
   */
  stop(): void {
    drained(this.#doors);
    void this.#closeLines();
  }

  /** Resolves when no request is running. Requests that take longer are aborted. */
  async drain(withinMs: number): Promise<void> {
    this.stop();
    // After this, no further request can arrive.
    await this.#flush(withinMs);
    const patience = new AbortController();
    const idle = this.#served.idle().finally(() => patience.abort());
    const wait = (ms: number): Promise<void> =>
      delay(ms, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([idle, wait(withinMs)]);
    this.#served.cancelAll("The worker is shutting down. Call again");
    await Promise.race([idle, wait(GRACE_MS)]);
    await this.#flush(GRACE_MS);
  }

  /** Waits until the server has received everything, or until the time is over if it is gone. */
  async #flush(withinMs: number): Promise<void> {
    const flushed = this.#wire.connection.flush().catch(() => {});
    const patience = new AbortController();
    const late = delay(withinMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([flushed, late]);
    patience.abort();
  }

  /** Ends all subscriptions, because their requesters may have missed a value. */
  disconnected(): void {
    this.#served.cancelSubscriptions("The connection was lost");
  }

  #openLines(): void {
    const { subjects } = this.#wire;
    const own = `${subjects.controlOf(this.#instance)}.*`;
    this.#lines.push(
      this.#subscribe(subjects.control, (message) => this.#served.heed(message)),
      this.#subscribe(own, (message) => this.#served.heedOwn(message)),
    );
  }

  async #closeLines(): Promise<void> {
    await this.#served.idle();
    clearInterval(this.#alive);
    drained(this.#lines);
  }

  #openDoors(): void {
    const { subjects, connection } = this.#wire;
    for (const { id } of this.#describe().slice(0, MAX_SUBJECTS)) {
      const subject = subjects.operation(id);
      if (subject !== undefined) this.#serve(id, subject);
    }
    this.#serve(undefined, subjects.any);
    this.#doors.push(
      this.#subscribe(subjects.describe, (message) => this.#tell(message)),
      ...answerServices(connection, {
        name: subjects.service,
        id: this.#instance,
        version: version(),
        description: "A Waybill",
        queue: subjects.service,
        started: new Date(),
        endpoints: () => this.#endpoints,
      }),
    );
  }

  #serve(id: string | undefined, subject: string): void {
    const stats = new EndpointStats(id ?? "any", subject);
    this.#endpoints.push(stats);
    const take = (message: Msg): void => this.#served.take(message, id, stats);
    this.#doors.push(this.#subscribe(subject, take, { queue: this.#wire.subjects.service }));
  }

  #subscribe(
    subject: string,
    take: (message: Msg) => void,
    shared: { readonly queue?: string } = {},
  ): Subscription {
    return this.#wire.connection.subscribe(subject, { ...shared, callback: guarded(take) });
  }

  /**
   * The description of the current operations. It is created once, because it may be long and
   * every client may ask for it.
   */
  #description(): readonly string[] {
    const operations = this.#describe();
    if (this.#described?.operations !== operations) {
      const chunks = describeInChunks(this.#instance, operations, this.#wire.bodies.limit / 4);
      this.#described = { operations, chunks };
    }
    return this.#described.chunks;
  }

  #tell(message: Msg): void {
    try {
      this.#wire.identities.verify(message.headers?.get(HEADER.identity) ?? "");
      for (const text of this.#description()) message.respond(text);
    } catch (thrown) {
      const { message: error } = errorFromUnknown(thrown);
      message.respond(JSON.stringify({ error }));
    }
  }
}
