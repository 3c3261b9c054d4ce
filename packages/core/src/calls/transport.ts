import type { OperationSummary } from "../operation/index.ts";
import type { AnswerEvent, CallRequestedEvent } from "./events.ts";

/** Controls a request that was sent. */
export interface Exchange {
  /** Tells the serving side that the requester no longer waits. */
  cancel(reason?: string): void;
  /** Allows this many more values of a subscription. */
  credit(count: number): void;
}

/** Receives the answers to one request, for its requester only. */
export interface AnswerListener {
  /** Receives one answer. */
  hear(event: AnswerEvent): void;
}

/** Accepts a request and sends its answers to the listener. */
export type AcceptCall = (request: CallRequestedEvent, requester: AnswerListener) => Exchange;

/**
 * Carries calls between requesters and servers. Each request has its own exchange with one
 * server, so no peer can see or answer the request of another.
 */
export interface CallTransport {
  /** Throws only if nothing was sent. Then the outcome of the request is `not_applied`. */
  request(request: CallRequestedEvent, requester: AnswerListener): Exchange;
  /** Serves requests until the returned function is called. */
  serve(accept: AcceptCall, describe: () => readonly OperationSummary[]): () => void;
  /** The operations at the other end. */
  discover(): Promise<readonly OperationSummary[]>;
  /** Closes the transport. */
  close(): Promise<void>;
}
