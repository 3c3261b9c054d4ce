import type { MsgHdrs, NatsConnection, PublishOptions } from "@nats-io/transport-node";

/** A message before it is sent. */
export interface Outgoing {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
  readonly reply?: string | undefined;
  /** Told when it could not even be handed to the connection. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Hands messages to the connection once everything that can be done at this moment is done. The
 * connection writes to its socket for every burst of messages, and calls that end one after the
 * other within a moment would each be a burst of their own, at a fifth of the time of a call.
 */
export class Outbox {
  readonly #connection: NatsConnection;
  #waiting: Outgoing[] = [];

  constructor(connection: NatsConnection) {
    this.#connection = connection;
  }

  send(message: Outgoing): void {
    // Runs when there are no promises left to settle, not before.
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
