import {
  Pending,
  buildRequest,
  cardReady,
  cardSpec,
  limitsOf,
  lookupValue,
  minVersionOf,
  orderRoutes,
  verifyProbe,
} from "../cards/index.ts";
import type {
  CardFunctions,
  CardRequest,
  CardRouteName,
  CardScope,
  LookupRequest,
  PreparedCard,
} from "../cards/index.ts";
import { CallError, errorFromUnknown, fail } from "../envelope/index.ts";
import type { Route } from "../envelope/index.ts";
import type { Operation, OperationContext, OperationSpec } from "../operation/index.ts";
import { askLookups } from "./ask-lookups.ts";
import { afterRequests, requestsOf } from "./counted.ts";
import { mapAnswer } from "./map-answer.ts";
import { noRouteError, preflightSkip } from "./preflight.ts";
import type { SkippedRoute } from "./preflight.ts";
import { routedHandler } from "./routed-operation.ts";
import type { RoutedOperation, RoutedRequest } from "./routed-operation.ts";
import type { Attempt, CardRoute, FactSource, RouteAnswer, RouteChoice, Skip } from "./route.ts";
import { SendBatch } from "./send-batch.ts";
import type { BatchMember } from "./send-batch.ts";
import { settlerFor } from "./settle.ts";
import type { Settler, ViewerProbe } from "./settle.ts";
import { steppedOperation } from "./stepped-operation.ts";

/** What the cards of one source are run with. */
export interface CardKit {
  readonly routes: readonly CardRoute[];
  readonly facts?: FactSource;
  /** The upstream's name, for keys and messages. */
  readonly host?: string;
  readonly functions?: CardFunctions;
  /** Puts right what callers of any of its cards write instead. */
  readonly normaliseInput?: (
    params: Readonly<Record<string, unknown>>,
    spec: OperationSpec,
  ) => Readonly<Record<string, unknown>>;
  /** The read, and the field of it, that say who calls: `viewer` of a card's `verify`. */
  readonly viewer?: ViewerProbe;
  /** What expressions see as `env`. */
  readonly env?: () => Readonly<Record<string, unknown>>;
}

/** The lookups of one call have no order among them. */
const PLACE = { index: 0 };

const PAGE_SIZE_PARAMS = ["first", "limit", "per_page"];

/** The page size a call asks for, if it asks. */
function pageSizeOf(params: Readonly<Record<string, unknown>>): number {
  const sizes = PAGE_SIZE_PARAMS.map((name) => params[name]);
  return sizes.find((size): size is number => typeof size === "number") ?? 0;
}

/** Only REST requests carry the header, so every route must send one. */
function honoursKeys({ order, parts, idempotencyHeader }: PreparedCard): boolean {
  const isRest = order
    .flatMap((route) => parts[route] ?? [])
    .every((part) => part.kind === "rest" || (part.kind === "use" && part.route === "rest"));
  return isRest && idempotencyHeader !== undefined;
}

/** A header takes less than a key may hold, and says nothing of whose it is when it refuses. */
function assertHeaderText(key: string, header: string): void {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(key)) return;
  const message = `holds a character that the header ${header} cannot`;
  const issues = [{ path: "/idempotency_key", message }];
  throw fail("VALIDATION", `The idempotency key ${message}`, { outcome: "not_applied", issues });
}

function specFor(card: PreparedCard, { normaliseInput }: CardKit): OperationSpec {
  const spec = cardSpec(card);
  if (normaliseInput === undefined) return spec;
  return { ...spec, normaliseInput: (params) => normaliseInput(params, spec) };
}

/** The requests of one try that have ended, and how many have not yet. */
interface Spent {
  requests: number;
  /** Of all answers; undefined as soon as one did not say. */
  bytes: number | undefined;
  underWay: number;
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

/** What fails was sent too, and need not be the end: a lookup may be optional. */
async function counted(spent: Spent, send: () => Promise<RouteAnswer>): Promise<RouteAnswer> {
  spent.underWay += 1;
  try {
    const answer = await send();
    spent.requests += answer.upstreamRequests;
    spent.bytes = sum(spent.bytes, answer.rawBytes);
    return answer;
  } catch (thrown) {
    spent.requests += requestsOf(errorFromUnknown(thrown));
    throw thrown;
  } finally {
    spent.underWay -= 1;
  }
}

/** One card with the routes that can carry it. */
class CardOperation implements RoutedOperation {
  readonly spec: OperationSpec;
  readonly honoursKeys: boolean;
  readonly #card: PreparedCard;
  readonly #kit: CardKit;

  constructor(card: PreparedCard, kit: CardKit) {
    this.spec = specFor(card, kit);
    this.honoursKeys = honoursKeys(card);
    this.#card = card;
    this.#kit = kit;
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

  async choices(request: RoutedRequest): Promise<readonly RouteChoice[]> {
    const ordered = await this.#ordered(request);
    return ordered.map(({ route, reason }) => ({
      route,
      reason: request.route === undefined ? reason : "DEFAULT_POLICY",
      preflight: () => this.#preflight(route, request),
      run: (attempt) => this.#run(route, request, attempt),
    }));
  }

  settler(request: RoutedRequest, context: OperationContext): Promise<Settler | undefined> {
    return settlerFor(this.#card, this.#scope(request), context, this.#kit.viewer);
  }

  verifyHint(request: RoutedRequest): { capability_id: string; params: object } | undefined {
    try {
      const probe = verifyProbe(this.#card, this.#scope(request));
      return probe && { capability_id: probe.capability, params: probe.params };
    } catch {
      // A hint that cannot be made is left out; the error it belongs to is what counts.
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

  /** The requests of a route, with `$pending` for what only a lookup can tell. */
  async #described(route: CardRouteName, request: RoutedRequest): Promise<object[]> {
    const requests: CardRequest[] = [];
    const scope = await askLookups(this.#card, route, this.#scope(request), {
      ask: async (lookup) => {
        requests.push(lookup.request);
        return new Pending(`lookup.${lookup.name}`);
      },
      travelTogether: () => true,
    });
    requests.push(this.#request(route, scope));
    return requests.map((each) => ({ route, ...this.#sender(route, each).describe(each) }));
  }

  onAuthFailure(route: Route): void {
    const needs = this.#kit.routes.find((known) => known.route === route)?.needs ?? [];
    this.#kit.facts?.forget(needs);
  }

  async #ordered(request: RoutedRequest): Promise<ReturnType<typeof orderRoutes>> {
    await cardReady(this.#card);
    const facts = await this.#facts(this.#card.facts as Parameters<FactSource["facts"]>[0]);
    const ordered = orderRoutes(this.#card, request.params, facts);
    const wanted = ordered.filter(({ route }) => (request.route ?? route) === route);
    if (wanted.length > 0) return wanted;
    const message = `${this.spec.id} has no ${request.route} route; it has ${this.routes.join(", ")}`;
    throw fail("VALIDATION", message, { outcome: "not_applied" });
  }

  #facts(names: Parameters<FactSource["facts"]>[0]): Promise<object> {
    return names.length === 0 || this.#kit.facts === undefined
      ? Promise.resolve({})
      : this.#kit.facts.facts(names);
  }

  #scope(request: RoutedRequest): CardScope {
    const { env, functions } = this.#kit;
    return {
      params: request.params,
      ...(env !== undefined && { env: env() }),
      ...(functions !== undefined && { functions }),
      ...(request.include !== undefined && { include: request.include }),
    };
  }

  /** The program can send any request; the others only their own kind. */
  #sender(route: CardRouteName, request: CardRequest): CardRoute {
    const name = route === "cli" || request.kind === "command" ? route : request.kind;
    const sender = this.#kit.routes.find((known) => known.route === name);
    if (sender !== undefined) return sender;
    const message = `${this.spec.id} needs the ${name} route, which is not configured`;
    throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
  }

  async #preflight(route: CardRouteName, request: RoutedRequest): Promise<Skip | undefined> {
    const sender = this.#kit.routes.find((known) => known.route === route);
    if (sender === undefined) {
      const code = route === "cli" ? "CLI_NOT_AVAILABLE" : "SOURCE_DOWN";
      return { code, hint: `no ${route} route is configured` };
    }
    try {
      const needs = this.#needs(route, request);
      return preflightSkip(needs, await this.#facts(sender.needs));
    } catch (thrown) {
      // The card has no variant for these inputs on this route: a limit like any other.
      return { code: "LIMIT_EXCEEDED", hint: errorFromUnknown(thrown).message };
    }
  }

  #needs(route: CardRouteName, request: RoutedRequest): Parameters<typeof preflightSkip>[0] {
    const scope = this.#scope(request);
    const { maxPageSize, maxItemsPerCall } = limitsOf(this.#card, route, scope);
    const limit = Math.min(maxPageSize ?? Infinity, maxItemsPerCall ?? Infinity);
    const minGhVersion = minVersionOf(this.#card, route, scope);
    const { scopes } = this.#card;
    return {
      route,
      ...(minGhVersion !== undefined && { minGhVersion }),
      ...(scopes !== undefined && { scopes }),
      ...(pageSizeOf(request.params) > limit && { limitExceeded: `at most ${limit} a page` }),
    };
  }

  /** Asks for what the request needs, and adds what that takes to what was spent. */
  async #lookups(
    route: CardRouteName,
    { batch, ...request }: RoutedRequest,
    attempt: Attempt,
    spent: Spent,
  ): Promise<CardScope> {
    let together: SendBatch | undefined;
    return askLookups(this.#card, route, this.#scope(request), {
      travelTogether: (lookups) => this.#travelTogether(route, lookups),
      ask: async (lookup, known, isAlone) => {
        const send = (member?: BatchMember): Promise<RouteAnswer> =>
          this.#askOne(route, lookup, attempt, spent, member);
        const read = ({ response }: RouteAnswer): unknown =>
          lookupValue(this.#card, lookup, response.data, known);
        const share = (member: BatchMember): Promise<unknown> => {
          const sender = this.#sender(route, lookup.request);
          return member.lookup({ route: sender, key: lookup.key, ask: () => send(member), read });
        };
        if (batch !== undefined) return share(batch);
        return isAlone ? read(await send()) : (together ??= new SendBatch()).join(PLACE, share);
      },
    });
  }

  #travelTogether(route: CardRouteName, lookups: readonly LookupRequest[]): boolean {
    const requests = lookups.map(({ request }) => request);
    const sender = requests[0] && this.#sender(route, requests[0]);
    return sender?.canSendTogether?.(requests) === true;
  }

  #askOne(
    route: CardRouteName,
    { request }: LookupRequest,
    attempt: Attempt,
    spent: Spent,
    member: BatchMember | undefined,
  ): Promise<RouteAnswer> {
    // Copied only here, as copying makes the signal, which costs more than the rest of a call.
    const asking = { ...attempt, effect: "read", isRepeatable: true } as const;
    return counted(spent, () => this.#send(route, request, asking, member));
  }

  #send(
    route: CardRouteName,
    request: CardRequest,
    attempt: Attempt,
    batch: BatchMember | undefined,
  ): Promise<RouteAnswer> {
    const sender = this.#sender(route, request);
    return batch === undefined
      ? sender.send(request, attempt)
      : batch.send(sender, request, attempt);
  }

  #request(route: CardRouteName, scope: CardScope, key?: string): CardRequest {
    const request = buildRequest(this.#card, route, scope);
    const header = this.#card.idempotencyHeader;
    if (request.kind !== "rest" || header === undefined || key === undefined) return request;
    assertHeaderText(key, header);
    return { ...request, headers: { ...request.headers, [header]: key } };
  }

  async #run(route: CardRouteName, request: RoutedRequest, attempt: Attempt): Promise<RouteAnswer> {
    const spent: Spent = { requests: 0, bytes: 0, underWay: 0 };
    try {
      return await this.#runCounting(route, request, attempt, spent);
    } catch (thrown) {
      throw afterRequests(thrown, spent.requests + spent.underWay);
    }
  }

  async #runCounting(
    route: CardRouteName,
    request: RoutedRequest,
    attempt: Attempt,
    spent: Spent,
  ): Promise<RouteAnswer> {
    const scope = await this.#beforeSending(() => this.#lookups(route, request, attempt, spent));
    const full = this.#request(route, scope, attempt.idempotencyKey);
    const sent = this.#attemptWithKey(full, attempt);
    const answer = await counted(spent, () => this.#send(route, full, sent, request.batch));
    const { requests: upstreamRequests, bytes } = spent;
    const all = { ...answer, upstreamRequests, ...(bytes !== undefined && { rawBytes: bytes }) };
    return mapAnswer(this.#card, route, scope, all);
  }

  /** An upstream that honours the key makes sending twice harmless, where the key is sent. */
  #attemptWithKey(request: CardRequest, attempt: Attempt): Attempt {
    const isHonoured =
      request.kind === "rest" &&
      this.#card.idempotencyHeader !== undefined &&
      attempt.idempotencyKey !== undefined;
    return isHonoured ? { ...attempt, isRepeatable: true } : attempt;
  }

  /** Whatever fails before the write itself is sent, the write was not applied. */
  async #beforeSending<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      const { code, message, details } = errorFromUnknown(thrown);
      const notApplied = { ...details, outcome: "not_applied" } as const;
      throw new CallError(code, message, notApplied, { cause: thrown });
    }
  }
}

/** The card as an operation: registered, listed, explained and called like any other. */
export function cardOperation(card: PreparedCard, kit: CardKit): Operation {
  if (card.steps !== undefined) return steppedOperation(card, specFor(card, kit), kit);
  const routed = new CardOperation(card, kit);
  return { spec: routed.spec, handler: routedHandler(routed) };
}
