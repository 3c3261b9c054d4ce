import { fail } from "../envelope/index.ts";
import type { Route } from "../envelope/index.ts";
import type { Operation, OperationSpec } from "../operation/index.ts";
import { noRouteError } from "./preflight.ts";
import type { Attempt, RouteAnswer, RouteChoice, Skip } from "./route.ts";
import type { RoutedOperation, RoutedRequest } from "./routed-operation.ts";

/**
 * An operation with a single route, as a source defines it. The router adds retries, outcomes,
 * keys and dry runs, as for a card with several routes.
 */
export interface OneRoute {
  /** Read when it is needed, so it may be a getter that computes it. */
  readonly spec: OperationSpec;
  /** The route. */
  readonly route: Route;
  /** The upstream that idempotency keys belong to. */
  readonly host: string;
  /**
   * Whether the upstream itself prevents that a write with the same key is applied twice
   * (default: false).
   */
  readonly honoursKeys?: boolean;
  /**
   * Returns why the route cannot be used now, such as a missing credential (default: the route
   * can always be used).
   */
  preflight?(request: RoutedRequest): Promise<Skip | undefined>;
  /** Sends the request of one call. */
  send(request: RoutedRequest, attempt: Attempt): Promise<RouteAnswer>;
  /** The request as a dry run shows it, without secrets. */
  describe(request: RoutedRequest): object | Promise<object>;
  /** Called when a credential was refused (default: none). */
  onAuthFailure?(): void;
}

class OneRouteOperation implements RoutedOperation {
  readonly kind = "routed";
  readonly #one: OneRoute;

  constructor(one: OneRoute) {
    this.#one = one;
  }

  get spec(): OperationSpec {
    return this.#one.spec;
  }

  get routes(): readonly Route[] {
    return [this.#one.route];
  }

  get host(): string {
    return this.#one.host;
  }

  get honoursKeys(): boolean {
    return this.#one.honoursKeys ?? false;
  }

  async choices(request: RoutedRequest): Promise<readonly RouteChoice[]> {
    this.#checkRoute(request.route);
    const one = this.#one;
    return [
      {
        route: one.route,
        reason: "DEFAULT_POLICY",
        preflight: async () => one.preflight?.(request),
        run: (attempt) => one.send(request, attempt),
      },
    ];
  }

  async dryRun(request: RoutedRequest): Promise<readonly object[]> {
    this.#checkRoute(request.route);
    const skip = await this.#one.preflight?.(request);
    if (skip !== undefined) throw noRouteError(this.spec.id, [{ route: this.#one.route, skip }]);
    return [{ route: this.#one.route, ...(await this.#one.describe(request)) }];
  }

  settler(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  verifyHint(): undefined {
    return undefined;
  }

  onAuthFailure(): void {
    this.#one.onAuthFailure?.();
  }

  #checkRoute(wanted: Route | undefined): void {
    const { route, spec } = this.#one;
    if (wanted === undefined || wanted === route) return;
    const message = `${spec.id} has no ${wanted} route; it has ${route}`;
    throw fail("VALIDATION", message, { outcome: "not_applied" });
  }
}

/** Creates an operation of a source that has a single route. */
export function oneRouteOperation(one: OneRoute): Operation {
  return {
    get spec() {
      return one.spec;
    },
    run: new OneRouteOperation(one),
  };
}
