import type { CallError, Route } from "../envelope/index.ts";
import { isRepeatable } from "../operation/index.ts";
import type { Identity, OperationContext, OperationSpec } from "../operation/index.ts";
import type { Settler } from "./attempt-routes.ts";
import type { Attempt, RouteChoice } from "./route.ts";
import type { PartialSteps } from "./stepped-operation.ts";
import type { BatchMember } from "./send-batch.ts";

/** A page of a list. The cursor belongs to the route that returned it. */
export interface RequestedPage {
  /** Where the page begins (default: at the first item). */
  readonly cursor?: string | undefined;
  /** Maximum number of items on the page (default: the upstream's own number). */
  readonly limit?: number | undefined;
}

/** A request to the routes. */
export interface RoutedRequest {
  /** The validated input. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The only route to use (default: all routes in order). */
  readonly route?: Route | undefined;
  /**
   * Whether `route` is the route of the previous page, and not the caller's choice (default:
   * false).
   */
  readonly isNextPage?: boolean | undefined;
  /**
   * Where the upstream's list continues, for an operation with `pages` (default: the first page).
   */
  readonly page?: RequestedPage | undefined;
  /** Named extra field groups (default: none). */
  readonly include?: readonly string[] | undefined;
  /** The caller (default: the program itself). */
  readonly identity?: Identity | undefined;
  /** The account to use (default: that of the source). */
  readonly account?: string | undefined;
  /** The batch whose requests may be merged with the request of this call (default: none). */
  readonly batch?: BatchMember | undefined;
}

/** The read that shows whether a write was applied, and the fields to compare. */
export interface VerifyHint {
  readonly capability_id: string;
  readonly params: object;
  readonly fields: readonly string[];
}

/** The accounts that calls of a source can name. */
export interface SourceAccounts {
  /** The names that a caller may use; undefined is the program itself. */
  list(identity: Identity | undefined): Promise<readonly string[]>;
  /** How to connect an account, one sentence. */
  connectHint(identity: Identity | undefined, account: string): string;
}

/** An operation that can be run over more than one route. */
export interface RoutedOperation {
  readonly kind: "routed";
  readonly spec: OperationSpec;
  /** The routes, preferred first. */
  readonly routes: readonly Route[];
  /** The upstream that idempotency keys belong to. */
  readonly host: string;
  /** Whether the upstream itself prevents that a write with the same key is applied twice. */
  readonly honoursKeys: boolean;
  /** Whether one of its routes can send several calls as one request. */
  readonly sendsTogether?: boolean;
  /** Present if a call can say which account it uses. */
  readonly accounts?: SourceAccounts;
  /** Steps that run instead of the routes, for inputs that no single request can send. */
  readonly steps?: PartialSteps;
  /** The optional field groups that contain the selected paths (default: none). */
  groupsFor?(paths: readonly string[]): readonly string[];
  /** The routes to try for one call, in order. */
  choices(request: RoutedRequest): Promise<readonly RouteChoice[]>;
  /**
   * Creates the object that finds out whether a write with an unknown outcome was applied, or
   * undefined if that is not possible. It is created before the write, because it must know
   * which objects existed before. With the trail of an earlier call, it looks for that call's
   * write.
   */
  settler(
    request: RoutedRequest,
    context: OperationContext,
    trail?: string,
  ): Promise<Settler | undefined>;
  /** The read that shows whether a write was applied, for a user who has to check by hand. */
  verifyHint(request: RoutedRequest): VerifyHint | undefined;
  /** The requests that would be sent, without secrets. */
  dryRun(request: RoutedRequest): Promise<readonly object[]>;
  /** The error as the caller sees it (default: unchanged). */
  toldError?(error: CallError, request: RoutedRequest): CallError;
  /** Drops the facts about credentials that were refused. */
  onAuthFailure(route: Route): void;
}

async function sendFreely(): Promise<void> {}

export function attemptFor(
  routed: RoutedOperation,
  context: OperationContext,
  beforeSend: Attempt["beforeSend"] = sendFreely,
  ready?: Attempt["ready"],
): Attempt {
  const { spec, honoursKeys } = routed;
  const { idempotencyKey } = context;
  return {
    effect: spec.effect,
    isRepeatable: isRepeatable(spec) || (honoursKeys && idempotencyKey !== undefined),
    idempotencyKey,
    identity: context.identity,
    // Uses a getter, because creating a signal is expensive and not every route needs one.
    get signal() {
      return context.signal;
    },
    deadline: context.deadline,
    beforeSend,
    ready,
    waits: { ms: 0 },
    call: context,
  };
}
