import { CallError, fail } from "@waybill/core";
import { Hono } from "hono";
import type { Context, Next } from "hono";
import { OWN_CHALLENGE, failureAnswer, json, text, wantsText } from "./answers.ts";
import { Callers } from "./callers.ts";
import type { Caller } from "./callers.ts";
import { getConnection, readHeader } from "./connection.ts";
import type { HeaderReader, NodeEnv } from "./connection.ts";
import { HostNames } from "./host-names.ts";
import type { InspectorOptions } from "./inspector/inspector.ts";
import { Page } from "./inspector/page.ts";
import { INSPECTOR_ACTIONS, forViewers, inspectorRoutes } from "./inspector/routes.ts";
import { Metrics } from "./metrics.ts";
import { OpenApi } from "./openapi/document.ts";
import { DEFAULT_LIMITS } from "./options.ts";
import type { HttpAppOptions, HttpLimits } from "./options.ts";
import { Concurrency, RateLimit } from "./rate-limit.ts";
import { chain, codeRoute, execute } from "./routes/calls.ts";
import { capabilities, explain } from "./routes/questions.ts";
import type { Route } from "./routes/route.ts";
import { subscribe } from "./routes/subscribe.ts";
import { isWrongToken } from "./wrong-token.ts";

export interface HttpApp {
  fetch(request: Request, env?: object): Response | Promise<Response>;
  /** Stops background work. Health checks then report that the server is ending. */
  end(): void;
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const NO_QUERY = new URLSearchParams();

function getQuery(url: string): URLSearchParams {
  const mark = url.indexOf("?");
  return mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark + 1));
}

/** The history of calls requires a token, even on this machine. */
function assertTokens({ inspector, tokens = [], oidc = [] }: HttpAppOptions): void {
  if (inspector === undefined || tokens.length > 0 || oidc.length > 0) return;
  throw new CallError(
    "VALIDATION_ERROR",
    'The inspector needs tokens: configure "tokens" or "oidc"',
  );
}

/** The path of the metadata that tells clients who signs callers in (RFC 9728). */
const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The sender of a request, as far as it is known when the request is refused. */
interface Asker {
  readonly id: string;
  readonly header?: HeaderReader;
  readonly address: string;
  caller?: string | undefined;
}

const NOBODY: Asker = { id: "", address: "" };

/** HTTP statuses of refused tokens, hosts and limits. Such requests are reported to `onRefused`. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** The routes of the server and the checks before them. */
class App {
  readonly #options: HttpAppOptions;
  readonly #limits: HttpLimits;
  readonly #names: HostNames;
  readonly #callers: Callers;
  readonly #rate: RateLimit;
  readonly #concurrency = new Concurrency();
  /** Counted by address, because a client that guesses tokens has no identity yet. */
  readonly #wrongTokens: RateLimit;
  readonly #metrics = new Metrics();
  readonly #openApi: OpenApi;
  readonly #ending = new AbortController();
  readonly hono = new Hono();

  constructor(options: HttpAppOptions) {
    assertTokens(options);
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#names = new HostNames(options.hosts, options.origins);
    this.#callers = new Callers(options);
    this.#rate = new RateLimit(this.#limits);
    this.#wrongTokens = new RateLimit(this.#limits);
    this.#openApi = new OpenApi(options);
    this.#addRoutes();
  }

  end(): void {
    this.#ending.abort(new CallError("ABORTED", "The server is shutting down. Call again later"));
  }

  #addRoutes(): void {
    const { hono } = this;
    hono.post("/v1/execute/:id", this.#route("execute", execute));
    hono.post("/v1/chain", this.#route("chain", chain));
    hono.get("/v1/capabilities", this.#route("capabilities", capabilities));
    hono.get("/v1/explain/:id", this.#route("explain", explain));
    hono.get("/v1/subscribe/:id", this.#route("subscribe", subscribe));
    hono.get(
      "/openapi.json",
      this.#route("openapi", () => this.#openApi.answer()),
    );
    hono.get(
      "/metrics",
      this.#route("metrics", () => text(this.#metrics.text(), METRICS_TYPE)),
    );
    const { mcp, inspector, code } = this.#options;
    if (code !== undefined) hono.post("/v1/code", this.#route("code", codeRoute(code)));
    if (mcp !== undefined) {
      hono.all(
        "/mcp",
        this.#route("mcp", ({ request, caller: { identity } }) => mcp(request, { identity })),
      );
    }
    if (inspector !== undefined) this.#addInspector(inspector);
    hono.get("/health", (context) => this.#health(context));
    if (this.#options.oidc !== undefined) {
      hono.get(METADATA_PATH, (context) => this.#metadata(context));
      hono.get(`${METADATA_PATH}/mcp`, (context) => this.#metadata(context));
    }
    hono.notFound(({ req }) =>
      this.#answerTo("none", () => this.#noSuchPlace(req.method, req.path), {
        ...NOBODY,
        header: (name) => req.header(name),
      }),
    );
  }

  #addInspector(inspector: InspectorOptions): void {
    const { hono } = this;
    for (const [path, route] of Object.entries(inspectorRoutes(inspector))) {
      hono.get(`/v1/inspect/${path}`, this.#route("inspect", forViewers(inspector.scope, route)));
    }
    for (const [path, route] of Object.entries(INSPECTOR_ACTIONS)) {
      hono.post(`/v1/inspect/${path}`, this.#route("inspect", forViewers(inspector.scope, route)));
    }
    if (inspector.page === undefined) return;
    const page = new Page(inspector.page);
    hono.get("/*", (context, next) => this.#page(page, context, next));
  }

  /** The page's files need no token. The data that it shows does. */
  async #page(page: Page, { req, env }: Context, next: Next): Promise<Response | void> {
    const header = readHeader((env ?? {}) as NodeEnv, req.raw);
    let found: Response | undefined;
    try {
      this.#names.assert(header, true);
      found = await page.answer(req.path, header);
    } catch (thrown) {
      return this.#answerTo("page", () => Promise.reject(thrown));
    }
    return found === undefined ? next() : this.#answerTo("page", () => found);
  }

  /** Open to everybody, because monitoring uses it. The host name is still checked. */
  #health({ req, env }: Context): Promise<Response> {
    return this.#answerTo("health", () => {
      this.#names.assert(readHeader((env ?? {}) as NodeEnv, req.raw));
      const isEnding = this.#ending.signal.aborted;
      return json({ status: isEnding ? "ending" : "ok" }, isEnding ? 503 : 200);
    });
  }

  #address(header: HeaderReader): string {
    return this.#options.url ?? `http://${header("host") ?? "localhost"}`;
  }

  #metadata({ req, env }: Context): Promise<Response> {
    return this.#answerTo("metadata", () => {
      const header = readHeader((env ?? {}) as NodeEnv, req.raw);
      this.#names.assert(header);
      return json({
        resource: this.#address(header),
        authorization_servers: (this.#options.oidc ?? []).map(({ issuer }) => issuer),
        bearer_methods_supported: ["header"],
      });
    });
  }

  #challenge({ header }: Asker): string {
    if (this.#options.oidc === undefined || header === undefined) return OWN_CHALLENGE;
    return `${OWN_CHALLENGE}, resource_metadata="${this.#address(header)}${METADATA_PATH}"`;
  }

  #noSuchPlace(method: string, path: string): Response {
    const hint = "GET /openapi.json lists all paths";
    throw fail("NOT_FOUND", `There is no ${method} ${path.slice(0, 200)}`, { hint });
  }

  /**
   * After too many wrong tokens from an address, short tokens are refused without a lookup, to
   * stop guessing. Long tokens are still accepted, because many callers may share the address of
   * a proxy.
   */
  #callerAt(address: string, header: HeaderReader): Caller | Promise<Caller> {
    if (!this.#callers.isUnguessable(header)) this.#wrongTokens.assertLeft(address);
    const count = (thrown: unknown): never => {
      if (isWrongToken(thrown)) this.#wrongTokens.take(address);
      throw thrown;
    };
    try {
      const found = this.#callers.find(header);
      return found instanceof Promise ? found.catch(count) : found;
    } catch (thrown) {
      return count(thrown);
    }
  }

  /** Runs a request within the limits of its caller. */
  async #within(
    { identity, limits }: Caller,
    address: string,
    run: () => Response | Promise<Response>,
  ): Promise<Response> {
    const key = identity?.id ?? address;
    this.#rate.take(key, limits);
    const leave = this.#concurrency.enter(key, limits?.concurrent ?? this.#limits.concurrent);
    try {
      return await run();
    } finally {
      leave();
    }
  }

  /** Runs the checks of every request, then the route. */
  #route(name: string, route: Route): (context: Context) => Promise<Response> {
    return (context) => {
      const { raw } = context.req;
      const env = (context.env ?? {}) as NodeEnv;
      const header = readHeader(env, raw);
      const connection = getConnection(env);
      const id = context.req.param("id") ?? "";
      const address = connection?.address ?? "";
      const asker: Asker = { id, header, address };
      const go = (caller: Caller): Promise<Response> => {
        asker.caller = caller.identity?.id;
        return this.#within(caller, address, () =>
          route({
            request: raw,
            header,
            incoming: env.incoming,
            id,
            query: getQuery(env.incoming?.url ?? raw.url),
            caller,
            limits: this.#limits,
            signal: connection?.signal ?? raw.signal,
            ending: this.#ending.signal,
          }),
        );
      };
      return this.#answerTo(
        name,
        () => {
          this.#names.assert(header);
          const found = this.#callerAt(address, header);
          return found instanceof Promise ? found.then(go) : go(found);
        },
        asker,
      );
    };
  }

  async #answerTo(
    name: string,
    run: () => Response | Promise<Response>,
    asker = NOBODY,
  ): Promise<Response> {
    const started = performance.now();
    this.#metrics.underway += 1;
    let response: Response;
    try {
      response = await run();
    } catch (thrown) {
      response = failureAnswer(thrown, {
        capability_id: asker.id,
        challenge: this.#challenge(asker),
        isBrief: asker.header !== undefined && wantsText(asker.header),
      });
      this.#tellRefusal(name, asker, response.status, thrown);
    }
    this.#metrics.underway -= 1;
    this.#metrics.count(name, response.status, (performance.now() - started) / 1_000);
    return response;
  }

  #tellRefusal(route: string, { id, address, caller }: Asker, status: number, thrown: unknown) {
    if (!REFUSALS.has(status)) return;
    const message = thrown instanceof Error ? thrown.message : "";
    this.#options.onRefused?.({ route, capability_id: id, address, caller, status, message });
  }
}

/** Creates Waybill's HTTP server as a function from request to response. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const app = new App(options);
  return {
    fetch: (request, env = {}) => app.hono.fetch(request, env),
    end: () => app.end(),
  };
}
