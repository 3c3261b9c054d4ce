import type { OperationSummary } from "../operation/index.ts";
import type { AnswerEvent, CallRequestedEvent } from "./events.ts";

/** The requester's control over a running request. */
export interface Exchange {
  /** Tells the serving side that nobody waits any more. */
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
 * Carries calls between requesters and servers. A request goes to one server, and its answers
 * return on the same exchange, so no peer can see or answer another's request.
 */
export interface CallTransport {
  /** Throws only if nothing was sent. The requester treats that as not applied. */
  request(request: CallRequestedEvent, requester: AnswerListener): Exchange;
  /** Serves requests until the returned function is called. */
  serve(accept: AcceptCall, describe: () => readonly OperationSummary[]): () => void;
  /** The operations at the other end. */
  discover(): Promise<readonly OperationSummary[]>;
  /** Closes the transport. */
  close(): Promise<void>;
}
