import type { Attempt, Outcome, Redactor } from "@waybill/core";
import type { HttpFacts, UpstreamFailure } from "@waybill/core/cards";

/** How far a request came: nothing had left yet, it may have been read, its status line was seen. */
export type Phase = "connecting" | "sent" | "answered";

export interface HttpLimits {
  /** Of the body after decompression. */
  readonly responseBytes: number;
  readonly headerBytes: number;
  /** From the first step of connecting to the end of the TLS handshake. */
  readonly connectMs: number;
  /** Of the whole, redirects included, where the attempt has no earlier deadline. */
  readonly totalMs: number;
}

export interface HttpRequest {
  readonly method: string;
  /** `http:`, `https:`, or `http+unix://<encoded socket path>/…`. */
  readonly url: string | URL;
  /** A Unix socket to connect to in place of the URL's host. */
  readonly socketPath?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Statuses that are answers rather than failures; those of 2xx unless given. */
  readonly isAnswer?: (status: number) => boolean;
  /** What another status means; by the table of HTTP unless given. */
  readonly failureOf?: (facts: HttpFacts) => UpstreamFailure;
  /** What a 2xx whose body was lost says of a write. GraphQL sends 200 before it is known: unknown. */
  readonly cutOutcome?: Outcome;
  /** Keeps away from connections that were used before. */
  readonly fresh?: boolean;
  /** Takes out of the answer what was sent in secret, before any part of it is quoted. */
  readonly redactor?: Redactor;
  /** Headers of this request that, like `authorization`, do not go along to another host. */
  readonly credentialHeaders?: readonly string[];
}

/** An answer whose body is read as it comes. */
export interface HttpStream {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed; may be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends the connection, read or not. Ending the loop does the same. */
  close(): void;
}

export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** How many requests it took, redirects included. */
  readonly requests: number;
  readonly reusedSocket: boolean;
  /** The request had been sent before, on a connection that broke: a refusal is not about that one. */
  readonly isRepeat?: true;
  readonly rateLimitRemaining?: number;
  /** The upstream's clock, in milliseconds since the epoch. */
  readonly serverDate?: number;
}

/** What the transport asks of an attempt. */
export type HttpAttempt = Pick<
  Attempt,
  "effect" | "isRepeatable" | "signal" | "deadline" | "ready" | "beforeSend" | "waits"
>;

export interface HttpTransport {
  /**
   * Sends one request. A failure is a CallError whose details have `code`, `outcome`, `phase`,
   * `status` and `retry_after_ms` where there are such facts, and `reusedSocket` when the
   * connection was a kept one.
   */
  send(request: HttpRequest, attempt: HttpAttempt): Promise<HttpResponse>;
  /** As `send`, for an answer that may go on without end: only the attempt's deadline ends it. */
  stream(request: HttpRequest, attempt: HttpAttempt): Promise<HttpStream>;
  /** Whether it remembers the rate limits of its upstream (default: false). */
  readonly isLimited?: boolean | undefined;
  /** Connections that are open, idle ones included. */
  readonly openSockets: number;
  /** Ends every connection; requests under way fail. */
  close(): void;
}
