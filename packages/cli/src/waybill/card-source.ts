import { loadCards } from "@waybill/adapters/cards";
import { ghFacts, ghRoute } from "@waybill/adapters/command";
import { graphqlRoute } from "@waybill/adapters/graphql";
import { restRoute } from "@waybill/adapters/http";
import type { HttpTransport } from "@waybill/adapters/http";
import { cardOperation, formatProblem } from "@waybill/core";
import type { CardKit, CardRoute, FactSource, Operation } from "@waybill/core";
import type { CardsSourceConfig } from "@waybill/local";
import { version } from "../version.ts";
import { tokenAccess } from "./token-access.ts";
import type { TokenAccess } from "./token-access.ts";

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly transport: HttpTransport;
}

export interface LoadedSource {
  readonly operations: readonly Operation[];
  readonly secret: string | undefined;
  readonly problems: readonly string[];
}

interface Gh {
  readonly route: CardRoute;
  readonly facts: FactSource;
}

function webRoutes(
  { rest, graphql }: CardsSourceConfig,
  access: TokenAccess,
  transport: HttpTransport,
): CardRoute[] {
  const common = (url: string) => {
    const token = access.tokenFor(new URL(url).hostname);
    const userAgent = `waybill/${version()}`;
    return { transport, userAgent, ...(token !== undefined && { token }) };
  };
  return [
    ...(graphql === undefined ? [] : [graphqlRoute({ ...graphql, ...common(graphql.url) })]),
    ...(rest === undefined ? [] : [restRoute({ ...rest, ...common(rest.baseUrl) })]),
  ];
}

function ghOf(source: CardsSourceConfig, access: TokenAccess, { env }: Surroundings): Gh[] {
  const { cli } = source;
  if (cli === undefined) return [];
  const host = cli.host ?? source.host ?? "github.com";
  const options = { program: cli.program ?? "gh", host, env, token: access.tokenFor(host) };
  const facts = ghFacts(options);
  return [{ facts, route: ghRoute({ ...options, facts }) }];
}

/** What the token says of itself, and what `gh` does where it is configured. */
function factsOf(access: TokenAccess, gh: FactSource | undefined): FactSource {
  return {
    facts: async (names) => ({ ...(await gh?.facts(names)), ...access.facts }),
    forget: (names) => gh?.forget(names),
  };
}

function kitOf(source: CardsSourceConfig, access: TokenAccess, around: Surroundings): CardKit {
  const gh = ghOf(source, access, around);
  const routes = webRoutes(source, access, around.transport);
  const host = source.host ?? access.facts.host ?? source.cli?.host ?? "";
  return {
    routes: [...routes, ...gh.map(({ route }) => route)],
    facts: factsOf(access, gh[0]?.facts),
    host,
    env: () => ({ host }),
  };
}

/** The cards of a folder as operations, on the routes that are configured for them. */
export async function loadCardSource(
  source: CardsSourceConfig,
  around: Surroundings,
): Promise<LoadedSource> {
  const access = tokenAccess(source, around.env);
  const secret = access.value;
  try {
    const { cards, problems } = await loadCards(source.folder);
    const kit = kitOf(source, access, around);
    const operations = cards.map((card) => cardOperation(card, kit));
    return { operations, secret, problems: problems.map(formatProblem) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { operations: [], secret, problems: [`no cards could be read: ${why}`] };
  }
}
