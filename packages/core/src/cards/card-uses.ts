import { pointerKey } from "../schema/index.ts";
import { CARD_ROUTES } from "./card.ts";
import type { Card } from "./card.ts";
import type { PreparedMapping, Use } from "./mapping/index.ts";
import { usesLibrary, readUses } from "./mapping/index.ts";
import { pathMappings } from "./read-path.ts";
import type { PreparedCard, PreparedPart, PreparedProbe } from "./prepared.ts";

/** The parts of a prepared card that contain mappings. */
export type CardBody = Pick<
  PreparedCard,
  "parts" | "lookups" | "include" | "suitability" | "verify" | "steps"
>;

/** A mapping with its position, and whether its root value is the params. */
export interface LocatedMapping {
  readonly pointer: string;
  readonly mapping: PreparedMapping;
  readonly seesParams: boolean;
}

const REQUEST_MEMBERS = ["when", "variables", "query", "body", "flags", "positionals", "stdin"];

function partMappings(part: PreparedPart, pointer: string): LocatedMapping[] {
  const members = part as unknown as Readonly<Record<string, PreparedMapping | undefined>>;
  const path = "path" in part ? pathMappings(part.path) : [];
  const located = (name: string, seesParams: boolean): LocatedMapping[] => {
    const mapping = members[name];
    return mapping === undefined ? [] : [{ pointer: `${pointer}/${name}`, mapping, seesParams }];
  };
  return [
    ...path.map((mapping) => ({ pointer: `${pointer}/path`, mapping, seesParams: true })),
    ...REQUEST_MEMBERS.flatMap((name) => located(name, true)),
    ...located("output", false),
  ];
}

function routeMappings(card: Card, body: CardBody): LocatedMapping[] {
  return CARD_ROUTES.flatMap((route) =>
    (body.parts[route] ?? []).flatMap((part, index) =>
      partMappings(part, Array.isArray(card[route]) ? `/${route}/${index}` : `/${route}`),
    ),
  );
}

function lookupMappings(body: CardBody): LocatedMapping[] {
  return Object.entries(body.lookups).flatMap(([name, { request, each, value }]) => {
    const pointer = `/lookup${pointerKey(name)}`;
    const found = { pointer: `${pointer}/value`, mapping: value, seesParams: false };
    const listed =
      each === undefined ? [] : [{ pointer: `${pointer}/each`, mapping: each, seesParams: true }];
    return [...partMappings(request, pointer), ...listed, found];
  });
}

function probeMappings(probe: PreparedProbe | undefined, pointer: string): LocatedMapping[] {
  if (probe === undefined) return [];
  const { request, value, container, containerRequest, second, viewer, when } = probe;
  const over = (name: string, mapping: PreparedMapping | undefined): LocatedMapping[] =>
    mapping === undefined ? [] : [{ pointer: `${pointer}/${name}`, mapping, seesParams: false }];
  return [
    ...partMappings(request, pointer),
    ...(containerRequest === undefined
      ? over("container", container)
      : partMappings(containerRequest, `${pointer}/container`)),
    ...(when === undefined
      ? []
      : [{ pointer: `${pointer}/when`, mapping: when, seesParams: true }]),
    ...pathMappings(second?.path ?? []).flatMap((mapping) => over("second", mapping)),
    ...over("value", value),
    ...over("viewer", viewer),
  ];
}

function verifyMappings({ verify }: CardBody): LocatedMapping[] {
  if (verify === undefined) return [];
  const { when, output } = verify;
  return [
    ...(when === undefined ? [] : [{ pointer: "/verify/when", mapping: when, seesParams: true }]),
    { pointer: "/verify/params", mapping: verify.params, seesParams: true },
    { pointer: "/verify/same", mapping: verify.same, seesParams: true },
    ...probeMappings(verify.graphql, "/verify/graphql"),
    ...probeMappings(verify.rest, "/verify/rest"),
    ...(output === undefined
      ? []
      : [{ pointer: "/verify/output", mapping: output, seesParams: false }]),
  ];
}

/** Every mapping of a card except its conditions, which have another root value. */
export function cardMappings(card: Card, body: CardBody): LocatedMapping[] {
  const groups = Object.entries(body.include).flatMap(([name, group]) =>
    Object.entries(group).map(([route, mapping]) => ({
      pointer: `/include${pointerKey(name)}/${route}`,
      mapping,
      seesParams: false,
    })),
  );
  return [
    ...routeMappings(card, body),
    ...lookupMappings(body),
    ...verifyMappings(body),
    ...groups,
  ];
}

function factNames(uses: readonly Use[]): string[] {
  const ofEnv = uses.filter(({ variable, keys }) => variable === "env" && keys.length > 0);
  return ofEnv.map(({ keys }) => String(keys[0]));
}

/**
 * The environment facts that a card's expressions use, and whether the expressions need the
 * JMESPath library.
 */
export function getUsage(
  card: Card,
  body: CardBody,
): Pick<PreparedCard, "facts" | "usesExpressions"> {
  const predicates = body.suitability.map(({ predicate }) => predicate);
  const located = cardMappings(card, body);
  const uses = [
    ...located.flatMap(({ mapping, seesParams }) => readUses(mapping, seesParams)),
    ...predicates.flatMap((predicate) => readUses(predicate, true)),
  ];
  const all = [
    ...located.map(({ mapping }) => mapping),
    ...predicates,
    ...(body.steps === undefined ? [] : [body.steps.output, body.steps.when ?? []]),
  ];
  return {
    facts: [...new Set(factNames(uses))].toSorted(),
    usesExpressions: all.some(usesLibrary),
  };
}
