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

/** Facts about the machine, the credentials and the host. An unknown fact is undefined. */
export interface EnvironmentInfo {
  /** Whether the GitHub CLI is installed. Absent if not known. */
  readonly ghAvailable?: boolean;
  /** Its version. Absent if not known. */
  readonly ghVersion?: string;
  /** Whether it is signed in. Absent if not known. */
  readonly ghAuthenticated?: boolean;
  /** Whether there is a token. Absent if not known. */
  readonly tokenPresent?: boolean;
  /** The host the token belongs to. Absent if not known. */
  readonly tokenHost?: string;
  /** How to give the token that is missing. Absent if nothing is known. */
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

/** One try of one route. */
export interface Attempt {
  /** The effect of the operation. */
  readonly effect: Effect;
  /** Whether sending twice does no harm, so that a kept connection may be used. */
  readonly isRepeatable: boolean;
  /** The key of a keyed write. */
  readonly idempotencyKey: string | undefined;
  /** Who calls. */
  readonly identity: Identity | undefined;
  /** Aborts at the deadline, and when the caller gives up. */
  readonly signal: AbortSignal;
  /** Absolute, in milliseconds since the epoch. */
  readonly deadline: number | undefined;
  /**
   * Ends when all that must be read before a write was read. Who makes requests wait for each other
   * awaits it first, because those reads are requests too. Absent if nothing must be read.
   */
  readonly ready?: (() => Promise<unknown>) | undefined;
  /** Awaited before the first byte of a write leaves; throws when it must not leave. */
  readonly beforeSend: () => Promise<void>;
  /**
   * How long the attempt waited for its turn or for the end of a limit; added to on the way. Absent
   * if nobody counts it.
   */
  readonly waits?: { ms: number };
  /**
   * The call that this is done for, for an upstream that follows calls across processes. Absent
   * outside a call.
   */
  readonly call?: Pick<OperationContext, "requestId" | "trace">;
}

/** A missing part of an answer, with its own failure. */
export interface FieldError {
  /** The place in the data. */
  readonly path: readonly (string | number)[];
  /** Why it is missing. */
  readonly error: CallError;
}

/** The answer before the card's output mapping. */
export interface RouteAnswer {
  /** The answer, and where it came from. */
  readonly response: ResponseEnvelope;
  /** Number of requests that were sent. */
  readonly upstreamRequests: number;
  /** Requests that the upstream will still answer. Absent if it did not say. */
  readonly rateLimitRemaining?: number;
  /**
   * Headers of the answer by lower-case name, for routes whose envelope has no place for them.
   * Absent if the envelope has them.
   */
  readonly headers?: UpstreamHeaders;
  /** How much the upstream sent, before anything was left out. Absent if not counted. */
  readonly rawBytes?: number;
  /**
   * The upstream's own clock, for deciding what was made after the attempt began. Absent if it did
   * not say.
   */
  readonly serverDate?: number;
  /**
   * Cursor of the next page in the upstream's own terms; null when this was the last. Absent if the
   * answer is no page.
   */
  readonly nextCursor?: string | null;
  /** Why parts of the data are null. Absent if none is. */
  readonly fieldErrors?: readonly FieldError[];
}

/**
 * A way to send what cards ask for. It throws a CallError whose details name the agent's code, the
 * outcome for a write, the HTTP status and `retry_after_ms` where there are such facts.
 */
export interface CardRoute {
  /** Which route it is. */
  readonly route: Route;
  /** The facts its preflight needs; asked for together, cached and shared by who provides them. */
  readonly needs: readonly FactName[];
  /** Sends one request. */
  send(request: CardRequest, attempt: Attempt): Promise<RouteAnswer>;
  /** Whether these can be sent in one go (default: never). */
  canSendTogether?(requests: readonly CardRequest[]): boolean;
  /**
   * Sends several in one go, answers in order; a failed one is its CallError. Throws when they were
   * rejected as a whole (default: each is sent alone).
   */
  sendTogether?(
    requests: readonly CardRequest[],
    attempt: Attempt,
  ): Promise<readonly (RouteAnswer | Error)[]>;
  /** The request as a dry run shows it, secrets removed. */
  describe(request: CardRequest): object;
}

/** Tells facts, remembers them for a short time, and forgets them when they proved wrong. */
export interface FactSource {
  /** Tells these facts, as far as they can be found out. */
  facts(names: readonly FactName[]): Promise<EnvironmentInfo>;
  /** Forgets facts that proved wrong. */
  forget(names: readonly FactName[]): void;
}

/** Why a route cannot be used. */
export interface Skip {
  /** Why the route cannot be used. */
  readonly code: PreflightCode;
  /** The next step that would fix it. Absent if none is known. */
  readonly hint?: string;
}

/** A route that may be tried for one call, with why it stands at its place. */
export interface RouteChoice {
  readonly route: Route;
  readonly reason: RouteReason;
  readonly preflight: () => Promise<Skip | undefined>;
  readonly run: (attempt: Attempt) => Promise<RouteAnswer>;
}

/** How to find out who calls. */
export interface ViewerProbe {
  readonly capability: string;
  readonly field: string;
  /** The path to GET for it, where a card brings its own reads. */
  readonly path?: string;
}
