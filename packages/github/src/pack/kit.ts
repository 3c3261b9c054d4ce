import { TimedCache, ghFactSource, ghRoute } from "@waybill/adapters/command";
import type { OutputRest } from "@waybill/adapters/command";
import { graphqlRoute } from "@waybill/adapters/graphql";
import { githubLimits, limitedTransport, readToken, restRoute } from "@waybill/adapters/http";
import type { WebRouteOptions } from "@waybill/adapters/http";
import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type {
  CardKit,
  CardRequest,
  CardRoute,
  EnvironmentInfo,
  FactSource,
  RouteAnswer,
} from "@waybill/core/cards";
import { assertOwnAnswer } from "./assert-own-answer.ts";
import { functions } from "./functions/index.ts";
import { normaliseInput } from "./inputs.ts";
import { missingRoute } from "./missing-route.ts";
import { missing } from "./missing-object.ts";
import { howToSignIn } from "./github-host.ts";
import type { GithubHost } from "./github-host.ts";
import { IN_ADDRESSES } from "./spread-address.ts";
import { incompleteness } from "./incompleteness.ts";
import { githubGate } from "./gate.ts";
import { githubFiles } from "./github-files.ts";
import type { GithubFiles } from "./github-files.ts";
import { limitedRoute } from "./limited-route.ts";
import { KnownScopes } from "./known-scopes.ts";
import { otherRefs } from "./other-refs.ts";
import { nameReader, renamed } from "./renamed.ts";
import { storedFilesRoute } from "./stored-files-route.ts";
import type { GithubSurroundings, TokenScopeStore } from "./surroundings.ts";
import { scopesIn } from "./token-scopes.ts";
import { warnedRoute } from "./warned-route.ts";

const API_VERSION = "2022-11-28";

/** The most nodes of a document. GitHub refuses documents that request more. */
const MAX_NODES = 500_000;

const TOKEN_MS = 30_000;
const NO_TOKEN_MS = 5_000;

/** The token of a host. Concurrent calls read it once, and a failed read is not kept. */
class PlaceToken {
  readonly #cache = new TimedCache<"token", string | undefined>((token) =>
    token === undefined ? NO_TOKEN_MS : TOKEN_MS,
  );
  readonly #place: GithubHost;
  readonly #scopes: KnownScopes;

  constructor(place: GithubHost, store: TokenScopeStore | undefined) {
    this.#place = place;
    this.#scopes = new KnownScopes(place, store);
  }

  readonly read = (refused?: readonly string[]): Promise<string | undefined> => {
    if (refused !== undefined) this.forget();
    return this.#cache.get("token", () => readToken(this.#place.token, refused));
  };

  /** Stores the scopes of the token that GitHub reports in its responses. */
  async learn(answer: RouteAnswer): Promise<void> {
    const scopes = scopesIn(answer);
    const token = scopes === undefined ? undefined : await this.read();
    if (scopes !== undefined && token !== undefined) await this.#scopes.keep(token, scopes);
  }

  async facts(): Promise<EnvironmentInfo> {
    const { host, tokenHost } = this.#place;
    const token = await this.read();
    if (token !== undefined) {
      const scopes = await this.#scopes.of(token);
      return { host, tokenPresent: true, ...(scopes !== undefined && { scopes }) };
    }
    const tokenHint = howToSignIn(host);
    if (tokenHost === undefined) return { host, tokenPresent: false, tokenHint };
    return { host, tokenHost, tokenHint };
  }

  forget(): void {
    this.#cache.forget("token");
  }
}

function webOptions(
  { socketPath }: GithubHost,
  token: PlaceToken,
  { transport, userAgent }: GithubSurroundings,
): WebRouteOptions {
  return {
    transport,
    userAgent,
    token: token.read,
    headers: { accept: "application/vnd.github+json", "x-github-api-version": API_VERSION },
    ...(socketPath !== undefined && { socketPath }),
  };
}

/** Users of `gh` expect that a new release is published. */
function unpublished(request: CardRequest, { response: { data } }: RouteAnswer): string[] {
  const isNew = request.kind === "rest" && request.method === "POST";
  const isRelease = isNew && request.path.endsWith("/releases");
  const isDraft = isRelease && isRecord(data) && data["draft"] === true;
  return isDraft ? ["The release is a draft; release.publish publishes it"] : [];
}

interface Gh {
  readonly route: CardRoute;
  readonly facts: FactSource;
}

/** Refuses output that was cut off: the start of a log or diff could be mistaken for all of it. */
async function refuseRest({ size }: OutputRest): Promise<void> {
  throw fail(
    "TOO_LARGE",
    `The answer is ${size} bytes long, which is too large. Request a smaller part of it`,
  );
}

function findGh(place: GithubHost, around: GithubSurroundings): Gh | undefined {
  const { host, ghToken: token, ghConfigDir } = place;
  if (ghConfigDir === null) return undefined;
  const { program = "gh", env, cwd } = around;
  const facts = ghFactSource({ program, host, env, token, configDir: ghConfigDir });
  const common = { program, host, env, token, facts, socketConfigDir: ghConfigDir };
  const route = ghRoute({ ...common, cwd, keepRest: refuseRest });
  return { facts, route: storedFilesRoute(route, place, facts) };
}

function githubFactSource(
  token: PlaceToken,
  gh: Gh | undefined,
  isOffline: (() => boolean) | undefined,
): FactSource {
  return {
    async facts(names) {
      if (names.includes("offline") && isOffline?.() === true) return { offline: true };
      const known = await gh?.facts.facts(names);
      return { ...known, ...(names.includes("tokenPresent") && (await token.facts())) };
    },
    forget(names) {
      token.forget();
      gh?.facts.forget(names);
    },
  };
}

/** The parts that run the capabilities of a GitHub host. */
export interface GithubKit extends CardKit {
  readonly files: GithubFiles;
  /** Resolves when everything that was learnt from responses is stored. */
  settled(): Promise<void>;
}

/** The three routes to a GitHub host, for all cards. */
export function githubKit(place: GithubHost, around: GithubSurroundings): GithubKit {
  const token = new PlaceToken(place, around.scopes);
  const { gate = githubGate(place) } = around;
  const transport = limitedTransport(around.transport, githubLimits(gate));
  const web = webOptions(place, token, { ...around, transport });
  const gh = findGh(place, around);
  let learning: Promise<unknown> = Promise.resolve();
  const standing = place.warning === undefined ? [] : [place.warning];
  const routes = [
    graphqlRoute({ ...web, url: place.graphqlUrl, maxNodes: MAX_NODES }),
    missingRoute(restRoute({ ...web, baseUrl: place.restUrl })),
    ...(gh === undefined ? [] : [missingRoute(limitedRoute(gh.route, gate))]),
  ];
  return {
    routes: routes.map((route) =>
      warnedRoute(route, async (answer, { request, attempt, ask }) => {
        if (place.isStandIn !== true) assertOwnAnswer(answer, request, attempt);
        // The `cli` route is skipped, because `gh` may use its own token.
        if (route.route !== "cli") learning = Promise.all([learning, token.learn(answer)]);
        const moved = await renamed(request, answer, nameReader(ask));
        const news = [
          ...incompleteness(answer, request),
          ...unpublished(request, answer),
          ...moved,
        ];
        return [...standing, ...news];
      }),
    ),
    facts: githubFactSource(token, gh, around.isOffline),
    files: githubFiles(place, around, token.read, gate),
    settled: async () => void (await learning),
    host: place.host,
    functions,
    normaliseInput: (params, spec) => normaliseInput(params, spec, around.repository, place.host),
    inputsInText: IN_ADDRESSES,
    otherReadings: otherRefs,
    missing,
    env: () => ({ host: place.host }),
    viewer: { capability: "user.me", field: "login", path: "/user" },
  };
}
