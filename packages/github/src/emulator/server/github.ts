import { Faults, primaryLimit } from "../faults/index.ts";
import { executeGraphql, getOperations } from "../graphql/index.ts";
import type { Operations } from "../graphql/index.ts";
import { Input, isInputObject } from "../input.ts";
import { answerMatch, matchRoute } from "../rest/match-route.ts";
import { failure, json, ok } from "../rest/reply.ts";
import type { Reply } from "../rest/reply.ts";
import { Store } from "../store/store.ts";
import type { Clock } from "../store/store.ts";
import type { Token, World } from "../world/index.ts";
import { findDoor } from "./addresses.ts";
import type { Door, Listening } from "./addresses.ts";
import { API_VERSIONS, refuseVersion } from "../rest/api-version.ts";
import { withValidators } from "./conditional.ts";
import { RateLimits } from "./rate-limits.ts";
import type { Resource } from "./rate-limits.ts";
import { parseJson } from "./request.ts";
import type { WireRequest } from "./request.ts";
import { hasScope, neededScope, openSession } from "./session.ts";
import type { Session } from "./session.ts";
import { readStorage } from "./storage.ts";

export interface GithubOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly rateLimits?: Partial<Record<Resource, number>>;
  /** Called with the name of each mutation, right after it was applied. */
  readonly onApplied?: ((mutation: string, store: Store) => void) | undefined;
}

/** A request for the limits does not count against them. */
const RATE_LIMIT = "/rate_limit";

interface State {
  readonly store: Store;
  readonly tokens: readonly Token[];
  readonly limits: RateLimits;
}

function makeState({ world, clock, rateLimits = {}, onApplied }: GithubOptions): State {
  const store = new Store(clock);
  const tokens = world(store);
  store.forgetCounts();
  if (onApplied !== undefined) store.watch((name) => onApplied(name, store));
  return { store, tokens, limits: new RateLimits(clock, rateLimits) };
}

/** One emulated GitHub: a store, its tokens and its faults. It does not open sockets. */
export class Github {
  readonly faults = new Faults();
  readonly #options: GithubOptions;
  #state: State;

  constructor(options: GithubOptions) {
    this.#options = options;
    this.#state = makeState(options);
  }

  get store(): Store {
    return this.#state.store;
  }

  get #limits(): RateLimits {
    return this.#state.limits;
  }

  get #tokens(): readonly Token[] {
    return this.#state.tokens;
  }

  /** Restores the initial world, without faults. */
  reset(): void {
    this.faults.clear();
    this.#state = makeState(this.#options);
  }

  door(request: WireRequest, listening: Listening): Door {
    return findDoor(request.host, request.url.pathname, listening);
  }

  /** Answers as GitHub does, without faults. */
  async answer(request: WireRequest, door: Door): Promise<Reply> {
    const { headers, url } = request;
    if (door.kind === "storage") return readStorage(this.store, url, headers["authorization"]);
    if (door.kind === "page") return failure(404, "Not Found");
    const session = openSession(this.store, this.#tokens, headers["authorization"]);
    if ("status" in session) return session;
    const resource = getResource(door);
    const found = await this.#answerFor(session, resource, request, door);
    const reply = withValidators(found, request);
    // As on GitHub, a response with status 304 does not count against the rate limit.
    const isCounted = door.path !== RATE_LIMIT;
    if (reply.status === 304 && isCounted) this.#limits.giveBack(session.viewer.login, resource);
    return withHeaders(reply, {
      ...this.#limits.headers(session.viewer.login, resource),
      "x-github-api-version-selected": headers["x-github-api-version"] ?? API_VERSIONS[0],
      "x-oauth-scopes": session.scopes.join(", "),
      "x-accepted-oauth-scopes": neededScope(request.method, door.path) ?? "",
    });
  }

  /** The answer to a request after an injected rate limit: no requests are left. */
  limitReply(request: WireRequest, door: Door): Reply {
    const session = openSession(this.store, this.#tokens, request.headers["authorization"]);
    if ("status" in session) return session;
    const resource = getResource(door);
    const headers = this.#limits.headers(session.viewer.login, resource);
    const limit = headers["x-ratelimit-limit"]!;
    const gone = { "x-ratelimit-remaining": "0", "x-ratelimit-used": limit };
    return withHeaders(primaryLimit(session.viewer, resource === "graphql"), {
      ...headers,
      ...gone,
    });
  }

  async #answerFor(
    session: Session,
    resource: Resource,
    request: WireRequest,
    door: Door,
  ): Promise<Reply> {
    const { login } = session.viewer;
    if (door.path === RATE_LIMIT) return ok(this.#limits.overview(login));
    if (!this.#limits.use(login, resource))
      return primaryLimit(session.viewer, resource === "graphql");
    if (door.kind === "graphql") return this.#graphql(session, request, door);
    return this.#rest(session, request, door);
  }

  async #graphql(
    { viewer, scopes }: Session,
    { method, body }: WireRequest,
    { urls }: Door,
  ): Promise<Reply> {
    if (method !== "POST") return failure(404, "Not Found");
    const parsed = parseJson(body);
    if (!isInputObject(parsed)) return failure(400, "Problems parsing JSON");
    const rate = this.#limits.state(viewer.login, "graphql");
    const result = await executeGraphql(new Input(parsed), {
      store: this.store,
      viewer,
      scopes,
      urls,
      rate,
    });
    return json(200, result);
  }

  async #rest(
    { viewer, scopes }: Session,
    request: WireRequest,
    { path, urls }: Door,
  ): Promise<Reply> {
    const { method, headers, body } = request;
    const unsupported = refuseVersion(headers["x-github-api-version"]);
    if (unsupported !== undefined) return unsupported;
    const real = this.#currentPath(path);
    const match = matchRoute(method === "HEAD" ? "GET" : method, real);
    if (match === undefined) return failure(404, "Not Found");
    const needed = neededScope(method, real);
    if (needed !== undefined && !hasScope(scopes, needed)) {
      return failure(403, "Resource not accessible by personal access token");
    }
    const isJson = body.length > 0 && !(headers["content-type"] ?? "").includes("octet-stream");
    const parsed = isJson ? parseJson(body) : undefined;
    const expectsJson = isJson && !match.route.template.endsWith("/assets");
    if (expectsJson && parsed === undefined) return failure(400, "Problems parsing JSON");
    const url = new URL(request.url);
    url.pathname = path;
    return answerMatch(match, {
      store: this.store,
      viewer,
      scopes,
      urls,
      url,
      accept: headers["accept"] ?? "",
      contentType: headers["content-type"] ?? "",
      parsedBody: parsed,
      rawBody: body,
    });
  }

  /** Replaces `/repositories/1`, the target of redirects from old names, by the current path. */
  #currentPath(path: string): string {
    const [, id, rest = ""] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? [];
    const found = this.store.repositories.find((one) => String(one.id) === id);
    return found === undefined ? path : `/repos/${found.owner.login}/${found.name}${rest}`;
  }
}

function getResource({ kind, path }: Door): Resource {
  if (kind === "graphql") return "graphql";
  return path.startsWith("/search/") ? "search" : "core";
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

export function operationsIn({ body }: WireRequest, { kind }: Door): Operations {
  const parsed = kind === "graphql" ? parseJson(body) : undefined;
  return isInputObject(parsed) && typeof parsed["query"] === "string"
    ? getOperations(parsed["query"])
    : { names: [], isMutation: false };
}
