import { loadCards } from "@waybill/adapters/cards";
import { ghFactSource, ghRoute } from "@waybill/adapters/command";
import { graphqlRoute } from "@waybill/adapters/graphql";
import { rememberLimits, restRoute } from "@waybill/adapters/http";
import type { HttpTransport } from "@waybill/adapters/http";
import type { ProgramCalls } from "@waybill/code";
import { errorFromUnknown, fail } from "@waybill/core";
import { cardOperation, formatProblem, lateSource } from "@waybill/core/cards";
import type { Source, SourceProblem } from "@waybill/core";
import type {
  CardKit,
  CardProblem,
  CardRoute,
  CardRouteName,
  FactSource,
  PreparedCard,
} from "@waybill/core/cards";
import type { CardsSourceConfig } from "@waybill/state";
import { NO_ROUTE } from "../../sources/describe.ts";
import { tokenAccess } from "./token-access.ts";
import type { TokenAccess } from "./token-access.ts";
import { userAgent } from "./surroundings.ts";
import type { Surroundings } from "./surroundings.ts";

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
    const token = access.sourceFor(new URL(url).hostname);
    return { transport, userAgent: userAgent(), ...(token !== undefined && { token }) };
  };
  return [
    ...(graphql === undefined ? [] : [graphqlRoute({ ...graphql, ...common(graphql.url) })]),
    ...(rest === undefined ? [] : [restRoute({ ...rest, ...common(rest.baseUrl) })]),
  ];
}

function getGh(source: CardsSourceConfig, access: TokenAccess, { env }: Surroundings): Gh[] {
  const { cli } = source;
  if (cli === undefined) return [];
  const host = cli.host ?? source.host ?? "github.com";
  const options = { program: cli.program ?? "gh", host, env, token: access.tokenFor(host) };
  const facts = ghFactSource(options);
  return [{ facts, route: ghRoute({ ...options, facts }) }];
}

/** Facts that a card can require, about the token and, if it is configured, about `gh`. */
function cardFactSource(access: TokenAccess, gh: FactSource | undefined): FactSource {
  return {
    facts: async (names) => ({ ...(await gh?.facts(names)), ...access.facts }),
    forget: (names) => gh?.forget(names),
  };
}

function getKit(
  name: string,
  source: CardsSourceConfig,
  access: TokenAccess,
  around: Surroundings,
): CardKit {
  const gh = getGh(source, access, around);
  const way = around.transport(source.allow_private);
  const routes = webRoutes(source, access, rememberLimits(way, { name, store: around.limits }));
  const host = source.host ?? access.facts.host ?? source.cli?.host ?? "";
  return {
    routes: [...routes, ...gh.map(({ route }) => route)],
    facts: cardFactSource(access, gh[0]?.facts),
    host,
    programs: around.programs,
    env: () => ({ host }),
  };
}

function getProblem(source: string, problem: CardProblem): SourceProblem {
  return { source, operationId: "", message: formatProblem(problem) };
}

/** How to configure each route of a card: by a flag, and in the file. */
const SETTINGS: Readonly<Record<CardRouteName, string>> = {
  rest: "rest (--base-url URL)",
  graphql: "graphql (--graphql-url URL)",
  cli: 'cli ("cli": {} in the configuration)',
};

/**
 * The missing requirement of a card without a usable route; undefined if it has one, or consists of
 * steps or a program.
 */
function getLack({ order }: PreparedCard, config: CardsSourceConfig): string | undefined {
  const isReachable = order.length === 0 || order.some((route) => config[route] !== undefined);
  if (isReachable) return undefined;
  const settings = order.map((route) => SETTINGS[route]).join(" or ");
  return `${NO_ROUTE}; it needs ${settings}`;
}

/** The code for programs is loaded only if a card in the folder has one. */
async function readProgram(program: string): Promise<ProgramCalls> {
  const { readProgramCalls } = await import("@waybill/code");
  return readProgramCalls(program);
}

/** The cards of a folder, with the configured routes. */
export function openSource(name: string, config: CardsSourceConfig, around: Surroundings): Source {
  return lateSource(name, async () => {
    const access = await tokenAccess(config, around.secrets);
    const { cards, problems } = await loadCards(config.folder, { readProgram }).catch(
      (error: unknown) => {
        throw fail("VALIDATION", `no cards could be read: ${errorFromUnknown(error).message}`);
      },
    );
    const kit = getKit(name, config, access, around);
    const unreachable = cards.flatMap((card): SourceProblem[] => {
      const message = getLack(card, config);
      return message === undefined ? [] : [{ source: name, operationId: card.id, message }];
    });
    const lacking = new Set(unreachable.map(({ operationId }) => operationId));
    const operations = cards
      .filter(({ id }) => !lacking.has(id))
      .map((card) => {
        const operation = cardOperation(card, kit);
        return { summary: operation.spec, make: () => operation };
      });
    const broken = problems.map((problem) => getProblem(name, problem));
    return { operations, problems: [...broken, ...unreachable] };
  });
}
