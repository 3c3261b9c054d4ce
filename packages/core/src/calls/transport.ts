import type { OperationSummary } from "../operation/index.ts";
import type { AnswerEvent, CallRequestedEvent } from "./events.ts";

/** The requester's hold on a request running. */
export interface Exchange {
  /** Tells the serving side that nobody waits any more. */
  cancel(reason?: string): void;
  /** Allows that many more values of a subscription. */
  credit(count: number): void;
}

/** Where the answers to one request go: its requester, and nobody else. */
export interface AnswerListener {
  /** Takes one answer. */
  hear(event: AnswerEvent): void;
}

/** Takes a request and answers it to the listener that came with it. */
export type AcceptCall = (request: CallRequestedEvent, requester: AnswerListener) => Exchange;

/**
 * Carries calls between a requester and the servers. Requests go to one server; answers
 * come back on the exchange they belong to, so no peer sees, or can answer, another's request.
 */
export interface CallTransport {
  /** Throws only when nothing was sent; the requester takes that for not applied. */
  request(request: CallRequestedEvent, requester: AnswerListener): Exchange;
  /** Serves requests until the returned function is called. */
  serve(accept: AcceptCall, describe: () => readonly OperationSummary[]): () => void;
  /** The operations at the other end. */
  discover(): Promise<readonly OperationSummary[]>;
  /** Ends the transport. */
  close(): Promise<void>;
}
