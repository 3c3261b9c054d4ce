import { ghFacts, ghRoute } from "@waybill/adapters/command";
import { graphqlRoute } from "@waybill/adapters/graphql";
import { restRoute } from "@waybill/adapters/http";
import type { HttpTransport, WebRouteOptions } from "@waybill/adapters/http";
import type { CardKit, CardRoute, EnvironmentFacts, FactSource } from "@waybill/core";
import { functions } from "./functions/index.ts";
import { normaliseInput } from "./inputs.ts";
import type { GithubPlace } from "./place.ts";

/** What calls to a GitHub are made with. */
export interface GithubSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly transport: HttpTransport;
  readonly userAgent: string;
  /** The program for the `cli` routes; `gh` unless said. */
  readonly program?: string;
  readonly cwd?: string;
}

const API_VERSION = "2022-11-28";

function webOptions(place: GithubPlace, around: GithubSurroundings): WebRouteOptions {
  const { socketPath, token } = place;
  const { transport, userAgent } = around;
  return {
    transport,
    userAgent,
    headers: { accept: "application/vnd.github+json", "x-github-api-version": API_VERSION },
    ...(socketPath !== undefined && { socketPath }),
    ...(token !== undefined && { token }),
  };
}

interface Gh {
  readonly route: CardRoute;
  readonly facts: FactSource;
}

function ghOf(place: GithubPlace, around: GithubSurroundings): Gh | undefined {
  const { host, ghToken: token, ghConfigDir } = place;
  if (ghConfigDir === null) return undefined;
  const { program = "gh", env, cwd } = around;
  const facts = ghFacts({ program, host, env, token, configDir: ghConfigDir });
  const route = ghRoute({ program, host, env, token, cwd, facts, socketConfigDir: ghConfigDir });
  return { facts, route };
}

function factsOf({ host, token }: GithubPlace, gh: Gh | undefined): FactSource {
  const own: EnvironmentFacts = { host, tokenPresent: token !== undefined };
  return {
    facts: async (names) => ({ ...(await gh?.facts.facts(names)), ...own }),
    forget: (names) => gh?.facts.forget(names),
  };
}

/** The three ways to a GitHub, for all cards. */
export function githubKit(place: GithubPlace, around: GithubSurroundings): CardKit {
  const web = webOptions(place, around);
  const gh = ghOf(place, around);
  return {
    routes: [
      graphqlRoute({ ...web, url: place.graphqlUrl }),
      restRoute({ ...web, baseUrl: place.restUrl }),
      ...(gh === undefined ? [] : [gh.route]),
    ],
    facts: factsOf(place, gh),
    host: place.host,
    functions,
    normaliseInput,
    env: () => ({ host: place.host }),
    viewer: { capability: "user.me", field: "login" },
  };
}
