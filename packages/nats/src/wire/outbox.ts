import type { MsgHdrs, NatsConnection, PublishOptions } from "@nats-io/transport-node";

/** A message before it is sent. */
export interface Outgoing {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
  readonly reply?: string | undefined;
  /** Called if the message could not be passed to the connection. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Passes messages to the connection at the end of the current tick, so that the connection
 * writes to its socket once for several messages. Without this, calls that end shortly after
 * each other would each cause a write, which takes a fifth of a call's time.
 */
export class Outbox {
  readonly #connection: NatsConnection;
  #waiting: Outgoing[] = [];

  constructor(connection: NatsConnection) {
    this.#connection = connection;
  }

  send(message: Outgoing): void {
    // Uses `nextTick`, which in a promise callback runs after all pending promise callbacks.
    if (this.#waiting.push(message) === 1) process.nextTick(this.#flush);
  }

  readonly #flush = (): void => {
    const messages = this.#waiting;
    this.#waiting = [];
    for (const message of messages) this.#publish(message);
  };

  #publish({ subject, body, headers, reply, onFailure }: Outgoing): void {
    const options: PublishOptions = {};
    if (headers !== undefined) options.headers = headers;
    if (reply !== undefined) options.reply = reply;
    try {
      this.#connection.publish(subject, body, options);
    } catch (error) {
      onFailure?.(error);
    }
  }
}
