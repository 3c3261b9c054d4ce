import {
  Pending,
  buildRequest,
  cardReady,
  findGroups,
  orderRoutes,
  verifyProbe,
} from "../cards/index.ts";
import type {
  CardRequest,
  CardRouteName,
  CardScope,
  PreparedCard,
  VerifyProbe,
} from "../cards/index.ts";
import { fail } from "../envelope/index.ts";
import type { CallError, Route, RouteReason } from "../envelope/index.ts";
import type { Operation, OperationContext, OperationSpec } from "../operation/index.ts";
import { askLookups } from "./ask-lookups.ts";
import type { Settler } from "./attempt-routes.ts";
import { cardError } from "./card-error.ts";
import { factsFor, routeNamed, scopeFor, senderFor, specFor } from "./card-kit.ts";
import type { CardKit } from "./card-kit.ts";
import { cardPreflight } from "./card-preflight.ts";
import { CardRun } from "./card-run.ts";
import { codeOperation } from "./code-operation.ts";
import { honoursKeys } from "./key-header.ts";
import { runReadings } from "./input-readings.ts";
import { noRouteError, reasonForSkip } from "./preflight.ts";
import type { SkippedRoute } from "./preflight.ts";
import type { RoutedOperation, RoutedRequest, VerifyHint } from "./routed-operation.ts";
import type { FactName, RouteChoice, Skip } from "./route.ts";
import { settlerFor } from "./settle.ts";
import { partialSteps, steppedRun } from "./stepped-operation.ts";
import type { PartialSteps } from "./stepped-operation.ts";

/**
 * Returns a hint only if all fields that identify the object are known. With one field less, a
 * match may be another caller's object.
 */
function findHint(probe: VerifyProbe): VerifyHint | undefined {
  const { capability, params, same, missing, created, before } = probe;
  if (capability === undefined) return undefined;
  const known = [before, created].filter((field) => field !== undefined);
  const fields = [...known, ...Object.keys(same), ...missing];
  return { capability_id: capability, params, fields };
}

/** One card, with the routes that can send its requests. */
class CardOperation implements RoutedOperation {
  readonly kind = "routed";
  readonly spec: OperationSpec;
  readonly honoursKeys: boolean;
  readonly steps?: PartialSteps;
  readonly #card: PreparedCard;
  readonly #kit: CardKit;

  constructor(card: PreparedCard, kit: CardKit) {
    this.spec = specFor(card, kit);
    this.honoursKeys = honoursKeys(card);
    this.#card = card;
    this.#kit = kit;
    if (card.steps !== undefined) this.steps = partialSteps(card, this.spec, kit);
  }

  get routes(): readonly Route[] {
    return this.#card.order;
  }

  get host(): string {
    return this.#kit.host ?? "";
  }

  get sendsTogether(): boolean {
    return this.#kit.routes.some(
      (known) => known.sendTogether !== undefined && this.routes.includes(known.route),
    );
  }

  groupsFor(paths: readonly string[]): readonly string[] {
    return findGroups(this.#card, paths);
  }

  async choices(request: RoutedRequest): Promise<readonly RouteChoice[]> {
    const ordered = await this.#ordered(request);
    const given = request.route && (await this.#givenReason(request));
    return ordered.map(({ route, reason }) => ({
      route,
      reason: given ?? reason,
      preflight: () => this.#preflight(route, request),
      run: (attempt) =>
        runReadings(this.spec, this.#kit, request, (read) =>
          new CardRun(this.#card, this.#kit, route, attempt).run(read),
        ),
    }));
  }

  async settler(
    request: RoutedRequest,
    context: OperationContext,
    trail?: string,
  ): Promise<Settler | undefined> {
    await cardReady(this.#card);
    const scope = this.#scope(request);
    return settlerFor({ card: this.#card, scope, context, kit: this.#kit }, trail);
  }

  verifyHint(request: RoutedRequest): VerifyHint | undefined {
    try {
      const probe = verifyProbe(this.#card, this.#scope(request));
      return probe && findHint(probe);
    } catch {
      // Ignored, because the hint is optional and the error itself matters more.
      return undefined;
    }
  }

  async dryRun(request: RoutedRequest): Promise<readonly object[]> {
    const skipped: SkippedRoute[] = [];
    for (const { route } of await this.#ordered(request)) {
      const skip = await this.#preflight(route, request);
      if (skip === undefined) return this.#described(route, request);
      skipped.push({ route, skip });
    }
    throw noRouteError(this.spec.id, skipped);
  }

  toldError(error: CallError, { params }: RoutedRequest): CallError {
    return cardError(this.#card, this.#kit, params, error);
  }

  onAuthFailure(route: Route): void {
    this.#kit.facts?.forget(routeNamed(this.#kit, route)?.needs ?? []);
  }

  /** The requests of a route. `$pending` stands for a value that only a lookup can provide. */
  async #described(route: CardRouteName, request: RoutedRequest): Promise<object[]> {
    const requests: CardRequest[] = [];
    const scope = await askLookups(this.#card, route, this.#scope(request), {
      ask: async (lookup) => {
        requests.push(lookup.request);
        return new Pending(`lookup.${lookup.name}`);
      },
      travelTogether: () => true,
    });
    requests.push(buildRequest(this.#card, route, scope));
    return requests.map((each) => {
      const sender = senderFor(this.#kit, this.#card, route, each);
      return { route, ...sender.describe(each) };
    });
  }

  /**
   * The reason for using a route that was requested. Page 2 of a list repeats the reason of page
   * 1.
   */
  async #givenReason(request: RoutedRequest): Promise<RouteReason | undefined> {
    if (request.isNextPage !== true) return "DEFAULT_POLICY";
    const [preferred] = await this.#ordered({ ...request, route: undefined });
    if (preferred === undefined || preferred.route === request.route) return preferred?.reason;
    const skip = await this.#preflight(preferred.route, request);
    return skip === undefined
      ? "PREFERRED_ROUTE_FAILED"
      : reasonForSkip(preferred.route, skip.code);
  }

  /** The routes to try for a call, in order, each with its reason. */
  async #ordered(request: RoutedRequest): Promise<ReturnType<typeof orderRoutes>> {
    await cardReady(this.#card);
    const facts = await factsFor(this.#kit, this.#card.facts as readonly FactName[]);
    const ordered = orderRoutes(this.#card, request.params, facts);
    const wanted = ordered.filter(({ route }) => (request.route ?? route) === route);
    if (wanted.length > 0) return wanted;
    const message = `${this.spec.id} has no ${request.route} route; it has ${this.routes.join(", ")}`;
    throw fail("VALIDATION", message, { outcome: "not_applied" });
  }

  #preflight(route: CardRouteName, request: RoutedRequest): Promise<Skip | undefined> {
    return cardPreflight(this.#card, this.#kit, route, request);
  }

  #scope(request: RoutedRequest): CardScope {
    return scopeFor(this.#kit, request);
  }
}

/** The card as an operation: registered, listed, explained and called like any other. */
export function cardOperation(card: PreparedCard, kit: CardKit): Operation {
  const spec = specFor(card, kit);
  if (card.code !== undefined) return codeOperation(card, card.code, spec, kit.programs);
  if (card.steps === undefined || card.steps.when !== undefined) {
    const run = new CardOperation(card, kit);
    return { spec: run.spec, run };
  }
  return { spec, run: steppedRun(card, spec, kit) };
}
