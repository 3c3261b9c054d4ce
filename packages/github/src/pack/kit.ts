import { TimedCache, ghFacts, ghRoute } from "@waybill/adapters/command";
import type { OutputRest } from "@waybill/adapters/command";
import { graphqlRoute } from "@waybill/adapters/graphql";
import { limitedTransport, readToken, restRoute } from "@waybill/adapters/http";
import type { HttpTransport, WebRouteOptions } from "@waybill/adapters/http";
import { fail } from "@waybill/core";
import type {
  AccountGate,
  CardKit,
  CardRoute,
  CardRouteName,
  EnvironmentFacts,
  FactSource,
  RouteAnswer,
} from "@waybill/core/cards";
import { functions } from "./functions/index.ts";
import { normaliseInput } from "./inputs.ts";
import { missingRoute } from "./missing-route.ts";
import { missing } from "./missing.ts";
import { tokenName } from "./place.ts";
import type { GithubPlace } from "./place.ts";
import { IN_ADDRESSES } from "./spread-address.ts";
import { incompleteness } from "./incompleteness.ts";
import { githubGate } from "./gate.ts";
import { limitedRoute } from "./limited-route.ts";
import { scopesIn } from "./token-scopes.ts";
import { warnedRoute } from "./warned-route.ts";

/** What calls to a GitHub are made with. */
export interface GithubSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly transport: HttpTransport;
  readonly userAgent: string;
  /** The program for the `cli` routes; `gh` unless said. */
  readonly program?: string;
  readonly cwd?: string;
  /** The route that is tried first, whatever a card prefers. */
  readonly prefer?: CardRouteName;
  /** Requests wait here for limits and for each other (default: a new gate). */
  readonly gate?: AccountGate;
  /** The repository that is meant where a call names none. */
  readonly repository?: { readonly owner: string; readonly name: string } | undefined;
}

const API_VERSION = "2022-11-28";

/** GitHub refuses a document that asks for more. */
const MAX_NODES = 500_000;

const TOKEN_MS = 30_000;
const NO_TOKEN_MS = 5_000;

/** The token of a place, asked for once by calls that run together and forgotten when it fails. */
class PlaceToken {
  readonly #cache = new TimedCache<"token", string | undefined>((token) =>
    token === undefined ? NO_TOKEN_MS : TOKEN_MS,
  );
  readonly #place: GithubPlace;
  #known: { readonly token: string; readonly scopes: readonly string[] } | undefined;

  constructor(place: GithubPlace) {
    this.#place = place;
  }

  readonly read = (refused?: readonly string[]): Promise<string | undefined> => {
    if (refused !== undefined) this.forget();
    return this.#cache.get("token", () => readToken(this.#place.token, refused));
  };

  /** Keeps what an answer says of the token that was sent. */
  async learn(answer: RouteAnswer): Promise<void> {
    const scopes = scopesIn(answer);
    const token = await this.read();
    if (scopes !== undefined && token !== undefined) this.#known = { token, scopes };
  }

  async facts(): Promise<EnvironmentFacts> {
    const { host, tokenHost } = this.#place;
    const token = await this.read();
    if (token !== undefined) {
      const known = this.#known?.token === token ? this.#known : undefined;
      return { host, tokenPresent: true, ...(known !== undefined && { scopes: known.scopes }) };
    }
    const tokenHint = `set ${tokenName(host)} or run: gh auth login --hostname ${host}`;
    if (tokenHost === undefined) return { host, tokenPresent: false, tokenHint };
    return { host, tokenHost, tokenHint };
  }

  forget(): void {
    this.#cache.forget("token");
  }
}

function webOptions(
  { socketPath }: GithubPlace,
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

interface Gh {
  readonly route: CardRoute;
  readonly facts: FactSource;
}

/** The beginning of a log or a diff is not what was asked for, and would pass for it. */
async function refuseRest({ size }: OutputRest): Promise<void> {
  throw fail("TOO_LARGE", `The answer is ${size} bytes long, which is more than can be read here`);
}

function ghOf(place: GithubPlace, around: GithubSurroundings): Gh | undefined {
  const { host, ghToken: token, ghConfigDir } = place;
  if (ghConfigDir === null) return undefined;
  const { program = "gh", env, cwd } = around;
  const facts = ghFacts({ program, host, env, token, configDir: ghConfigDir });
  const common = { program, host, env, token, facts, socketConfigDir: ghConfigDir };
  const route = ghRoute({ ...common, cwd, keepRest: refuseRest });
  return { facts, route };
}

function factsOf(token: PlaceToken, gh: Gh | undefined, { env }: GithubSurroundings): FactSource {
  return {
    async facts(names) {
      if (env["WAYBILL_OFFLINE"] === "1") return { offline: true };
      const known = await gh?.facts.facts(names);
      return { ...known, ...(names.includes("tokenPresent") && (await token.facts())) };
    },
    forget(names) {
      token.forget();
      gh?.facts.forget(names);
    },
  };
}

/** The three ways to a GitHub, for all cards. */
export function githubKit(place: GithubPlace, around: GithubSurroundings): CardKit {
  const token = new PlaceToken(place);
  const { gate = githubGate(place) } = around;
  const transport = limitedTransport(around.transport, gate);
  const web = webOptions(place, token, { ...around, transport });
  const gh = ghOf(place, around);
  const standing = place.warning === undefined ? [] : [place.warning];
  const routes = [
    graphqlRoute({ ...web, url: place.graphqlUrl, maxNodes: MAX_NODES }),
    missingRoute(restRoute({ ...web, baseUrl: place.restUrl })),
    ...(gh === undefined ? [] : [missingRoute(limitedRoute(gh.route, gate))]),
  ];
  return {
    routes: routes.map((route) =>
      warnedRoute(route, (answer) => {
        // `gh` may have a token of its own.
        if (route.route !== "cli") void token.learn(answer);
        return [...standing, ...incompleteness(answer)];
      }),
    ),
    facts: factsOf(token, gh, around),
    host: place.host,
    functions,
    normaliseInput: (params, spec) => normaliseInput(params, spec, around.repository, place.host),
    inputsInText: IN_ADDRESSES,
    missing,
    env: () => ({ host: place.host }),
    viewer: { capability: "user.me", field: "login", path: "/user" },
  };
}
