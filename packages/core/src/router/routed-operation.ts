import type { CallError, Route } from "../envelope/index.ts";
import { isRepeatable } from "../operation/index.ts";
import type { Identity, OperationContext, OperationSpec } from "../operation/index.ts";
import type { Settler } from "./attempt-routes.ts";
import type { Attempt, RouteChoice } from "./route.ts";
import type { PartialSteps } from "./stepped-operation.ts";
import type { BatchMember } from "./send-batch.ts";

/** A page of a list, in the terms of the route that gave the cursor. */
export interface RequestedPage {
  /** Where the page begins (default: at the first item). */
  readonly cursor?: string | undefined;
  /** Most items on the page (default: the upstream's own number). */
  readonly limit?: number | undefined;
}

/** A request to the routes. */
export interface RoutedRequest {
  /** The input, checked. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Only this route (default: all routes in order). */
  readonly route?: Route | undefined;
  /** The route is that of the previous page, and not one that somebody chose (default: false). */
  readonly isNextPage?: boolean | undefined;
  /**
   * Where the upstream's list continues, for an operation that `pages` (default: the first page).
   */
  readonly page?: RequestedPage | undefined;
  /** Named extra field groups (default: none). */
  readonly include?: readonly string[] | undefined;
  /** Whose call it is (default: the program itself). */
  readonly identity?: Identity | undefined;
  /** The account to use (default: that of the source). */
  readonly account?: string | undefined;
  /** The calls that this one may travel with (default: none). */
  readonly batch?: BatchMember | undefined;
}

/** The read that shows whether a write took place, and the fields by which one can tell. */
export interface VerifyHint {
  readonly capability_id: string;
  readonly params: object;
  readonly fields: readonly string[];
}

/** The accounts that calls of a source can name. */
export interface SourceAccounts {
  /** The names that a caller may use; undefined is the program itself. */
  list(identity: Identity | undefined): Promise<readonly string[]>;
  /** How an account gets connected. */
  connectHint(identity: Identity | undefined, account: string): string;
}

/** An operation that can be done in more than one way. */
export interface RoutedOperation {
  readonly kind: "routed";
  readonly spec: OperationSpec;
  /** Preferred first. */
  readonly routes: readonly Route[];
  /** Which upstream a key belongs to. */
  readonly host: string;
  /** Whether the upstream itself makes a key safe to send twice. */
  readonly honoursKeys: boolean;
  /** Whether a route of it can send several calls in one go. */
  readonly sendsTogether?: boolean;
  /** Present if a call can say which account it uses. */
  readonly accounts?: SourceAccounts;
  /** Done instead of the routes, for inputs that no single request can send. */
  readonly steps?: PartialSteps;
  /** The ways to do one call, in the order to try them. */
  choices(request: RoutedRequest): Promise<readonly RouteChoice[]>;
  /**
   * Finds out whether a write of unknown outcome was applied; undefined if that is not possible.
   * Created before the write, because objects that existed before are not its result; with the
   * trail of an earlier call, it looks for that call's write.
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
  /** The failure of a call as its caller is told of it (default: as it is). */
  toldError?(error: CallError, request: RoutedRequest): CallError;
  /** Has facts forgotten that a failure proved wrong. */
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
    // Making a signal costs more than the rest of this, and not every route asks for one.
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
