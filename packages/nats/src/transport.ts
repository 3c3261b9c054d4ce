import type { NatsConnection, Status } from "@nats-io/transport-node";
import { PermissionViolationError } from "@nats-io/transport-node";
import type { OperationSpec, OperationSummary } from "@waybill/core";
import type {
  AcceptCall,
  AnswerListener,
  CallRequestedEvent,
  CallTransport,
  Exchange,
} from "@waybill/core/protocol";
import { discover } from "./requester/discover.ts";
import { Requester } from "./requester/requester.ts";
import { Worker } from "./server/worker.ts";
import type { Wire } from "./wire/wire.ts";

export interface TransportOptions {
  readonly inboxPrefix?: string | undefined;
  /**
   * After this time without a message, the other end of a request is asked whether it is still
   * alive.
   */
  readonly probeAfterMs?: number | undefined;
  /** How long a call waits for a lost connection to return (default: it does not wait). */
  readonly reconnectMs?: number | undefined;
}

const DEFAULT_PROBE_MS = 5_000;

/** The call protocol on a NATS connection. */
export class NatsTransport implements CallTransport {
  readonly #wire: Wire;
  readonly #requester: Requester;
  readonly #probeAfterMs: number;
  readonly #reconnectMs: number;
  readonly #workers = new Set<Worker>();

  constructor(wire: Wire, options: TransportOptions) {
    const { inboxPrefix, probeAfterMs = DEFAULT_PROBE_MS, reconnectMs = 0 } = options;
    this.#wire = wire;
    this.#reconnectMs = reconnectMs;
    this.#probeAfterMs = probeAfterMs;
    this.#requester = new Requester(wire, inboxPrefix, probeAfterMs);
    void this.#follow(wire.connection);
  }

  request(request: CallRequestedEvent, requester: AnswerListener): Exchange {
    return this.#requester.request(request, requester);
  }

  /**
   * Until when a call that starts now waits for lost connections, both its own and those of
   * workers.
   */
  patience(deadline = Infinity): number {
    return Math.min(Date.now() + this.#reconnectMs, deadline);
  }

  /** Resolves when there is a connection, or at the given time. */
  whenConnected(until: number): Promise<void> {
    return this.#requester.whenConnected(until - Date.now());
  }

  serve(accept: AcceptCall, describe: () => readonly OperationSummary[]): () => void {
    const worker = new Worker({
      wire: this.#wire,
      accept,
      describe,
      aliveMs: this.#probeAfterMs,
    });
    this.#workers.add(worker);
    return () => worker.stop();
  }

  discover(): Promise<readonly OperationSpec[]> {
    return discover(this.#wire);
  }

  /** Accepts no more requests, and waits until the running ones are answered. */
  async drain(withinMs: number): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.drain(withinMs)));
    this.#workers.clear();
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) worker.stop();
    this.#requester.close();
    await this.#wire.connection.close();
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) this.#heed(status);
  }

  #heed(status: Status): void {
    if (status.type === "reconnect") this.#requester.connected();
    if (status.type === "disconnect" || status.type === "close") {
      this.#requester.disconnected();
      for (const worker of this.#workers) worker.disconnected();
    }
    if (status.type !== "error" || !(status.error instanceof PermissionViolationError)) return;
    if (status.error.operation === "publish") this.#requester.forbidden(status.error.subject);
  }
}
