import { thrownMessage } from "../envelope/index.ts";
import { pointerKey } from "../schema/index.ts";
import type { Card, CardRouteName } from "./card.ts";
import { CARD_ROUTES, getVariants } from "./card.ts";
import { getUsage } from "./card-uses.ts";
import type { CardBody } from "./card-uses.ts";
import type { MappingProblem } from "./mapping/index.ts";
import { MappingReader } from "./mapping/index.ts";
import type { CardDocuments } from "./prepared-document.ts";
import type { PreparedCard, PreparedPart, PreparedSteps } from "./prepared.ts";
import { readLookup } from "./read-lookup.ts";
import { readCli, readGraphql, readMembers, readRest } from "./read-parts.ts";
import type { Reading } from "./read-query.ts";
import { readVerify } from "./read-verify.ts";
import { STEP_SURROUNDINGS, nameSteps } from "./steps/index.ts";

export interface ReadCard {
  readonly prepared: PreparedCard;
  readonly problems: readonly MappingProblem[];
}

function readVariants<Part>(
  reading: Reading,
  route: CardRouteName,
  written: Part | readonly Part[] | undefined,
  read: (reading: Reading, part: Part, pointer: string) => PreparedPart,
): PreparedPart[] {
  return getVariants(written).map((part, index) =>
    read(reading, part, Array.isArray(written) ? `/${route}/${index}` : `/${route}`),
  );
}

function readRoutes(reading: Reading, card: Card): PreparedCard["parts"] {
  const parts = {
    graphql: readVariants(reading, "graphql", card.graphql, readGraphql),
    rest: readVariants(reading, "rest", card.rest, readRest),
    cli: readVariants(reading, "cli", card.cli, readCli),
  };
  const present = CARD_ROUTES.filter((route) => card[route] !== undefined);
  return Object.fromEntries(present.map((route) => [route, parts[route]]));
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>> | undefined,
  change: (value: From, pointer: string) => To,
): Record<string, To> {
  const entries = Object.entries(record ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, change(value, pointerKey(key))]));
}

function readInclude({ reader }: Reading, card: Card): PreparedCard["include"] {
  return mapValues(card.include, (group, key) =>
    readMembers(reader, group, `/include${key}`, CARD_ROUTES),
  );
}

function readSteps({ reader }: Reading, card: Card): { steps?: PreparedSteps } {
  const { steps, output, steps_when: when } = card;
  if (steps === undefined) return {};
  const read = {
    output: reader.read(output ?? null, "/output"),
    ...(when !== undefined && { when: reader.expression(when, "/steps_when") }),
  };
  try {
    return { steps: { calls: nameSteps(steps, STEP_SURROUNDINGS), ...read } };
  } catch (error) {
    reader.refuse("/steps", thrownMessage(error));
    return { steps: { calls: [], ...read } };
  }
}

function readCode({ code, calls = [] }: Card): Pick<PreparedCard, "code"> {
  return code === undefined ? {} : { code: { program: code, calls } };
}

function readRules({ reader }: Reading, { routing }: Card): PreparedCard["suitability"] {
  return (routing?.suitability ?? []).map((rule, index) => ({
    ...rule,
    predicate: reader.expression(rule.predicate, `/routing/suitability/${index}/predicate`),
  }));
}

function plainMembers(
  card: Card,
): Omit<PreparedCard, keyof CardBody | "code" | "facts" | "usesExpressions"> {
  const { aliases, access, scopes, idempotency_header: header, examples, routing } = card;
  return {
    id: card.capability_id,
    version: card.version,
    description: card.description,
    effect: card.effect,
    idempotent: card.idempotent ?? card.effect === "read",
    inputSchema: card.input_schema,
    outputSchema: card.output_schema,
    order: routing === undefined ? [] : [routing.preferred, ...routing.fallbacks],
    ...(aliases === undefined ? {} : { aliases }),
    ...(card.safe === true ? { safe: true } : {}),
    ...(card.exposed === false ? { exposed: false } : {}),
    ...(access === undefined ? {} : { access }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(header === undefined ? {} : { idempotencyHeader: header }),
    ...(routing?.notes === undefined ? {} : { notes: routing.notes }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** Reads every mapping of a card. The JMESPath library must be loaded. */
export function readCard(card: Card, documents: CardDocuments | undefined): ReadCard {
  const reading: Reading = { reader: new MappingReader(), documents };
  const body: CardBody = {
    parts: readRoutes(reading, card),
    lookups: mapValues(card.lookup, (lookup, key) => readLookup(reading, lookup, `/lookup${key}`)),
    include: readInclude(reading, card),
    suitability: readRules(reading, card),
    ...readVerify(reading, card.verify),
    ...readSteps(reading, card),
  };
  const prepared: PreparedCard = {
    ...plainMembers(card),
    ...body,
    ...readCode(card),
    ...getUsage(card, body),
  };
  return { prepared, problems: reading.reader.problems };
}
