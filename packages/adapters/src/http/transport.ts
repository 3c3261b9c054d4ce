import type { Attempt, Outcome, Redactor } from "@waybill/core";
import type { HttpResponseInfo, UpstreamFailure } from "@waybill/core/cards";

/**
 * How far a request got: nothing was sent yet, the server may have received it, or its status
 * line was received.
 */
export type Phase = "connecting" | "sent" | "answered";

export interface HttpLimits {
  /** Maximum size of the decompressed body. */
  readonly responseBytes: number;
  readonly headerBytes: number;
  /** Time from the start of connecting to the end of the TLS handshake. */
  readonly connectMs: number;
  /** Time for the whole exchange including redirects, if the attempt has no earlier deadline. */
  readonly totalMs: number;
}

export interface HttpRequest {
  readonly method: string;
  /** `http:`, `https:`, or `http+unix://<encoded socket path>/…`. */
  readonly url: string | URL;
  /** A Unix socket to connect to instead of the URL's host. */
  readonly socketPath?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Statuses that count as success (default: 2xx). */
  readonly isAnswer?: (status: number) => boolean;
  /** The meaning of other statuses (default: the table of HTTP statuses). */
  readonly failureOf?: (facts: HttpResponseInfo) => UpstreamFailure;
  /**
   * The outcome of a write if its 2xx response is lost. For GraphQL it is `unknown`, because a
   * server sends 200 before the result is known.
   */
  readonly cutOutcome?: Outcome;
  /** Uses only new connections. */
  readonly fresh?: boolean;
  /** Removes secrets from the response, before any part of it is quoted. */
  readonly redactor?: Redactor;
  /** Headers of this request that are not sent to another host, like `authorization`. */
  readonly credentialHeaders?: readonly string[];
}

/** A response whose body is read as a stream. */
export interface HttpStream {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decompressed body. It can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Closes the connection, even if the body was not read. Leaving the loop early does the same. */
  close(): void;
}

export interface HttpResponse {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decompressed body. */
  readonly body: Uint8Array;
  /** The final URL, after redirects. */
  readonly url: string;
  /** How many requests were sent, including redirects. */
  readonly requests: number;
  readonly reusedSocket: boolean;
  /**
   * Set if the request was also sent on an earlier connection that broke. A refusal then says
   * nothing about the first request.
   */
  readonly isRepeat?: true;
  readonly rateLimitRemaining?: number;
  /** The time on the upstream's clock, in milliseconds since the epoch. */
  readonly serverDate?: number;
}

/** The members of an attempt that the transport uses. */
export type HttpAttempt = Pick<
  Attempt,
  "effect" | "isRepeatable" | "signal" | "deadline" | "ready" | "beforeSend" | "waits"
>;

export interface HttpTransport {
  /**
   * Sends one request. An error is a CallError whose details may have `code`, `outcome`,
   * `phase`, `status` and `retry_after_ms`, and `reusedSocket` if a kept-alive connection was
   * used.
   */
  send(request: HttpRequest, attempt: HttpAttempt): Promise<HttpResponse>;
  /**
   * Like `send`, for a response without a fixed end. Only the deadline of the attempt limits it.
   */
  stream(request: HttpRequest, attempt: HttpAttempt): Promise<HttpStream>;
  /** Whether the transport remembers the rate limits of its upstream (default: false). */
  readonly isLimited?: boolean | undefined;
  /** Number of open connections, including idle ones. */
  readonly openSockets: number;
  /** Closes every connection. Running requests fail. */
  close(): void;
}
