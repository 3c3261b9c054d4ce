import { isRecord } from "../envelope/index.ts";
import { nearestNames, pointerKey } from "../schema/index.ts";
import { CARD_ROUTES, getVariants } from "./card.ts";
import type { Card, CardCli } from "./card.ts";
import { verifyNameFindings } from "./check-verify.ts";
import type { Finding } from "./finding.ts";

/** Names that a request mapping can use besides the params. */
const RESERVED = ["lookup", "env"];

/** The inputs that a card declares. Undefined if its schema allows any name. */
export function inputNames(card: Card): string[] | undefined {
  const properties = isRecord(card.input_schema) ? card.input_schema["properties"] : undefined;
  return isRecord(properties) ? Object.keys(properties) : undefined;
}

export function withNearest(message: string, name: string, known: Iterable<string>): string {
  const [near] = nearestNames(name, known, 1);
  return near === undefined ? message : `${message}; did you mean "${near}"?`;
}

function routeFinding(card: Card, route: "rest" | "graphql" | "cli", pointer: string): Finding[] {
  if (card[route] !== undefined) return [];
  return [{ pointer, message: `the card has no ${route} route` }];
}

/**
 * The routes that `routing` does not list. A route that only `cli.use` sends need not be listed.
 */
function unusedRoutes(card: Card, named: readonly string[]): string[] {
  const used = [...named, ...getVariants(card.cli).map(({ use }) => use)];
  return CARD_ROUTES.filter((route) => card[route] !== undefined && !used.includes(route));
}

function routingFindings(card: Card): Finding[] {
  if (card.routing === undefined) return [];
  const { preferred, fallbacks, suitability = [] } = card.routing;
  const named = [preferred, ...fallbacks];
  return [
    ...routeFinding(card, preferred, "/routing/preferred"),
    ...fallbacks.flatMap((route, index) => [
      ...routeFinding(card, route, `/routing/fallbacks/${index}`),
      ...(named.indexOf(route) <= index
        ? [{ pointer: `/routing/fallbacks/${index}`, message: `${route} is named twice` }]
        : []),
    ]),
    ...suitability.flatMap(({ route }, index) =>
      named.includes(route)
        ? []
        : [
            {
              pointer: `/routing/suitability/${index}/route`,
              message: `${route} is not one of the routes in "routing"`,
            },
          ],
    ),
    ...unusedRoutes(card, named).map((route) => ({
      pointer: `/${route}`,
      message: `is not used; add "${route}" to "routing", or remove this part`,
    })),
  ];
}

function cliFinding(card: Card, part: CardCli, pointer: string): Finding[] {
  if ((part.use === undefined) === (part.command === undefined)) {
    return [{ pointer, message: `needs either "use" or "command"` }];
  }
  if (part.use !== undefined) return routeFinding(card, part.use, `${pointer}/use`);
  return part.output === undefined ? [{ pointer, message: `a command needs an "output"` }] : [];
}

function cliFindings(card: Card): Finding[] {
  return getVariants(card.cli).flatMap((part, index) =>
    cliFinding(card, part, Array.isArray(card.cli) ? `/cli/${index}` : "/cli"),
  );
}

function aliasFindings(card: Card): Finding[] {
  const inputs = inputNames(card) ?? [];
  const owners = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [name, others] of Object.entries(card.aliases ?? {})) {
    const pointer = `/aliases${pointerKey(name)}`;
    if (!inputs.includes(name)) {
      findings.push({ pointer, message: withNearest("is not an input", name, inputs) });
    }
    for (const other of others) {
      const owner = inputs.includes(other) ? "an input" : owners.get(other);
      if (owner !== undefined)
        findings.push({ pointer, message: `"${other}" is already ${owner}; choose another name` });
      owners.set(other, `another name of ${name}`);
    }
  }
  return findings;
}

function lookupFindings(card: Card): Finding[] {
  return Object.entries(card.lookup ?? {}).flatMap(([name, { document, path }]) =>
    (document === undefined) === (path === undefined)
      ? [{ pointer: `/lookup${pointerKey(name)}`, message: `needs either "document" or "path"` }]
      : [],
  );
}

/**
 * Finds names in a card, such as ids of other capabilities, that do not exist or are used twice.
 */
export function nameFindings(card: Card, capabilities: ReadonlySet<string> | undefined): Finding[] {
  const reserved = (inputNames(card) ?? []).filter((name) => RESERVED.includes(name));
  return [
    ...reserved.map((name) => ({
      pointer: `/input_schema/properties/${name}`,
      message: "is reserved in expressions; choose another name for the input",
    })),
    ...routingFindings(card),
    ...cliFindings(card),
    ...aliasFindings(card),
    ...lookupFindings(card),
    ...verifyNameFindings(card, capabilities),
  ];
}
