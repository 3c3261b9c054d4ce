import type { CardRequest } from "../cards/index.ts";
import type {
  CallError,
  PreflightCode,
  ResponseEnvelope,
  Route,
  RouteReason,
  UpstreamHeaders,
} from "../envelope/index.ts";
import type { Effect, Identity, OperationContext } from "../operation/index.ts";

/** Facts about the machine, the credentials and the host. Unknown facts are undefined. */
export interface EnvironmentInfo {
  /** Whether the GitHub CLI is installed. Absent if not known. */
  readonly ghAvailable?: boolean;
  /** Version of the GitHub CLI. Absent if not known. */
  readonly ghVersion?: string;
  /** Whether the GitHub CLI is signed in. Absent if not known. */
  readonly ghAuthenticated?: boolean;
  /** Whether there is a token. Absent if not known. */
  readonly tokenPresent?: boolean;
  /** The host the token belongs to. Absent if not known. */
  readonly tokenHost?: string;
  /** How to provide a missing token. Absent if nothing is known. */
  readonly tokenHint?: string;
  /** Scopes of the token, when known without a request. Absent if not known. */
  readonly scopes?: readonly string[];
  /** The host that is called. Absent if not known. */
  readonly host?: string;
  /** Whether the network is switched off. Absent if not known. */
  readonly offline?: boolean;
  /** Whether the source does not answer. Absent if not known. */
  readonly sourceDown?: boolean;
}

/** The name of a fact about the environment. */
export type FactName = keyof EnvironmentInfo;

/** One attempt on one route. */
export interface Attempt {
  /** The effect of the operation. */
  readonly effect: Effect;
  /** Whether sending twice is harmless. Then a kept-alive connection may be used. */
  readonly isRepeatable: boolean;
  /**
   * Whether the attempt reads to find out if a write was applied. Only an answer of the upstream
   * itself shows that (default: false).
   */
  readonly isProbe?: boolean;
  /** The idempotency key of a write. */
  readonly idempotencyKey: string | undefined;
  /** The caller. */
  readonly identity: Identity | undefined;
  /** Aborts at the deadline, or when the caller aborts. */
  readonly signal: AbortSignal;
  /** When the attempt must end, in milliseconds since the epoch. */
  readonly deadline: number | undefined;
  /**
   * Resolves when everything that must be read before a write has been read. Code that queues
   * requests must await it first, because those reads are requests too. Absent if nothing must
   * be read.
   */
  readonly ready?: (() => Promise<unknown>) | undefined;
  /** Awaited before the first byte of a write is sent. Throws if the write must not be sent. */
  readonly beforeSend: () => Promise<void>;
  /**
   * The time that the attempt waited for its turn or for the end of a limit. Each wait is added.
   * Absent if waiting is not counted.
   */
  readonly waits?: { ms: number };
  /**
   * The call that the attempt belongs to, for upstreams that trace calls across processes.
   * Absent outside a call.
   */
  readonly call?: Pick<OperationContext, "requestId" | "trace">;
}

/** A missing part of an answer, with the error for that part. */
export interface FieldError {
  /** The path of the missing part in the data. */
  readonly path: readonly (string | number)[];
  /** Why the part is missing. */
  readonly error: CallError;
}

/** The answer of a route, before the card's output mapping. */
export interface RouteAnswer {
  /** The answer, and where it came from. */
  readonly response: ResponseEnvelope;
  /** Number of requests that were sent. */
  readonly upstreamRequests: number;
  /** Requests that are left within the upstream's rate limit. Absent if it did not say. */
  readonly rateLimitRemaining?: number;
  /**
   * Headers of the answer by lower-case name. Used by routes whose envelope has no headers.
   * Absent if the envelope has them.
   */
  readonly headers?: UpstreamHeaders;
  /** Bytes that the upstream sent, before anything was removed. Absent if not counted. */
  readonly rawBytes?: number;
  /**
   * The time on the upstream's clock. It shows whether an object was created after the attempt
   * began. Absent if the upstream did not say.
   */
  readonly serverDate?: number;
  /**
   * The upstream's cursor for the next page; null on the last page. Absent if the answer is not
   * a page.
   */
  readonly nextCursor?: string | null;
  /** The reasons for parts of the data that are null. Absent if there are none. */
  readonly fieldErrors?: readonly FieldError[];
}

/**
 * Sends the requests of cards. Throws a CallError whose details may have the agent's error code,
 * the outcome of a write, the HTTP status and `retry_after_ms`.
 */
export interface CardRoute {
  /** The name of the route. */
  readonly route: Route;
  /** The facts that decide whether the route can be used. They are fetched together and cached. */
  readonly needs: readonly FactName[];
  /** Sends one request. */
  send(request: CardRequest, attempt: Attempt): Promise<RouteAnswer>;
  /** Whether these requests can be sent as one request (default: never). */
  canSendTogether?(requests: readonly CardRequest[]): boolean;
  /**
   * Sends several requests as one. The answers have the same order, and a failed request has its
   * CallError there. Throws if the whole request was rejected (default: each is sent alone).
   */
  sendTogether?(
    requests: readonly CardRequest[],
    attempt: Attempt,
  ): Promise<readonly (RouteAnswer | Error)[]>;
  /** The request as a dry run shows it, without secrets. */
  describe(request: CardRequest): object;
}

/** Provides facts, caches them for a short time, and drops them when they prove wrong. */
export interface FactSource {
  /** Returns these facts, as far as they can be determined. */
  facts(names: readonly FactName[]): Promise<EnvironmentInfo>;
  /** Drops facts that proved wrong. */
  forget(names: readonly FactName[]): void;
}

/** Why a route cannot be used. */
export interface Skip {
  /** Why the route cannot be used. */
  readonly code: PreflightCode;
  /** The next step that would fix it. Absent if none is known. */
  readonly hint?: string;
}

/** A route that may be tried for one call, with the reason for its position. */
export interface RouteChoice {
  readonly route: Route;
  readonly reason: RouteReason;
  readonly preflight: () => Promise<Skip | undefined>;
  readonly run: (attempt: Attempt) => Promise<RouteAnswer>;
}

/** How to find out the identity of the caller. */
export interface ViewerProbe {
  readonly capability: string;
  readonly field: string;
  /**
   * The path of a GET request for it, used if a card has its own reads. Absent if there is none.
   */
  readonly path?: string;
}
