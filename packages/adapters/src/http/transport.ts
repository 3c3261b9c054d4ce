import type { Attempt, Outcome, Redactor } from "@waybill/core";
import type { HttpResponseInfo, UpstreamFailure } from "@waybill/core/cards";

/** How far a request came: nothing had left yet, it may have been read, its status line was seen. */
export type Phase = "connecting" | "sent" | "answered";

export interface HttpLimits {
  /** Limit of the decompressed body. */
  readonly responseBytes: number;
  readonly headerBytes: number;
  /** From the first step of connecting to the end of the TLS handshake. */
  readonly connectMs: number;
  /** Limit of the whole exchange including redirects, if the attempt has no earlier deadline. */
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
  /** Statuses that count as answers (default: 2xx). */
  readonly isAnswer?: (status: number) => boolean;
  /** The meaning of other statuses (default: the table of HTTP statuses). */
  readonly failureOf?: (facts: HttpResponseInfo) => UpstreamFailure;
  /**
   * The outcome of a write if its 2xx response is lost. GraphQL sends 200 before the result is
   * known, so there it is `unknown`.
   */
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

/** The parts of an attempt that the transport uses. */
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
  /**
   * As `send`, for an answer that may continue without end: only the attempt's deadline ends it.
   */
  stream(request: HttpRequest, attempt: HttpAttempt): Promise<HttpStream>;
  /** Whether it remembers the rate limits of its upstream (default: false). */
  readonly isLimited?: boolean | undefined;
  /** Connections that are open, idle ones included. */
  readonly openSockets: number;
  /** Ends every connection; requests running fail. */
  close(): void;
}
