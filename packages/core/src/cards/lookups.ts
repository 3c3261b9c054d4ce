import { fail } from "../envelope/index.ts";
import { partRequest } from "./build-request.ts";
import type { CardRouteName } from "./card.ts";
import { choosePart } from "./choose-part.ts";
import { evaluate, readUses } from "./mapping/index.ts";
import type { PreparedCard, PreparedLookup } from "./prepared.ts";
import type { CardRequest, CardScope } from "./request.ts";
import { inputScope, mapAnswer, mapInput, outputScope } from "./scope.ts";

export interface LookupRequest {
  /** The name of the value in `scope.lookup`. */
  readonly name: string;
  readonly request: CardRequest;
  /** A key that is equal for equal lookups, so that a chain sends them once. */
  readonly key: string;
  /** The current item, if the lookup is sent once per item of a list. */
  readonly item?: unknown;
}

/** A lookup that can be sent now, as one request or as one request per item of a list. */
export interface OpenLookup {
  readonly name: string;
  readonly requests: readonly LookupRequest[];
  readonly isList: boolean;
}

function keyOfRequest(request: CardRequest): string {
  const { kind } = request;
  if (kind === "graphql") return JSON.stringify([kind, request.document, request.variables]);
  return JSON.stringify(request);
}

function lookupNamed(card: PreparedCard, name: string): PreparedLookup {
  const lookup = card.lookups[name];
  if (lookup === undefined) throw new Error(`${card.id} has no lookup ${name}`);
  return lookup;
}

function withRequiredLookups(card: PreparedCard, names: readonly string[]): readonly string[] {
  return names.includes("*") ? Object.keys(card.lookups) : names;
}

/** The lookups that a lookup depends on. */
export function lookupsBefore(card: PreparedCard, name: string): readonly string[] {
  return withRequiredLookups(card, lookupNamed(card, name).request.lookups);
}

/** The lookups that the requested optional field groups use. */
function lookupsOfGroups(card: PreparedCard, route: CardRouteName, scope: CardScope): string[] {
  const mappings = (scope.include ?? []).map((name) => card.include[name]?.[route]);
  const uses = mappings.flatMap((mapping) =>
    mapping === undefined ? [] : readUses(mapping, false),
  );
  return uses
    .filter(({ variable }) => variable === "lookup")
    .map(({ keys }) => (keys.length === 0 ? "*" : String(keys[0])));
}

/** The lookups that the request or output of a call names directly. */
function ownLookups(card: PreparedCard, route: CardRouteName, scope: CardScope): readonly string[] {
  const part = choosePart(card, route, scope);
  const ofGroups = lookupsOfGroups(card, part.route, scope);
  return ofGroups.length === 0 ? part.lookups : [...part.lookups, ...ofGroups];
}

/** The names of all lookups that a route uses, directly or through other lookups. */
function lookupsNeeded(card: PreparedCard, route: CardRouteName, scope: CardScope): string[] {
  const needed = new Set(withRequiredLookups(card, ownLookups(card, route, scope)));
  // This loop also visits the names that it adds while it runs.
  for (const name of needed) for (const other of lookupsBefore(card, name)) needed.add(other);
  return [...needed].toSorted();
}

function lookupRequest(card: PreparedCard, name: string, scope: CardScope): LookupRequest {
  const { request: part } = lookupNamed(card, name);
  const request = mapInput(card, () => partRequest(part, inputScope(card, scope)));
  const { item } = scope;
  return { name, request, key: keyOfRequest(request), ...(item !== undefined && { item }) };
}

/** A list that is absent or null needs no request. */
function openLookup(card: PreparedCard, name: string, scope: CardScope): OpenLookup {
  const { each } = lookupNamed(card, name);
  if (each === undefined) {
    return { name, requests: [lookupRequest(card, name, scope)], isList: false };
  }
  const { value } = mapInput(card, () => evaluate(each, inputScope(card, scope)));
  const items: unknown[] = Array.isArray(value) ? value : [];
  return {
    name,
    requests: items.map((item) => lookupRequest(card, name, { ...scope, item })),
    isList: true,
  };
}

/**
 * The lookups to run next, before the request of a route can be built. They are not in
 * `scope.lookup` yet, and their own inputs are known. Empty when all are done.
 */
export function openLookups(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
): OpenLookup[] {
  if (ownLookups(card, route, scope).length === 0) return [];
  const isKnown = (name: string): boolean => Object.hasOwn(scope.lookup ?? {}, name);
  const open = lookupsNeeded(card, route, scope).filter((name) => !isKnown(name));
  const ready = open.filter((name) => lookupsBefore(card, name).every(isKnown));
  if (open.length > 0 && ready.length === 0) {
    throw new Error(
      `${card.id} has lookups that wait for each other. Remove one of their references: ${open.join(", ")}`,
    );
  }
  return ready.map((name) => openLookup(card, name, scope));
}

/** The requests of all lookups that can be sent next. */
export function lookupRequests(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
): LookupRequest[] {
  return openLookups(card, route, scope).flatMap(({ requests }) => requests);
}

/**
 * Describes the missing object by the name of the lookup: `milestoneTitled` becomes "milestone
 * titled".
 */
export function notFoundMessage(
  { id }: PreparedCard,
  { name, item }: Pick<LookupRequest, "name" | "item">,
): string {
  const which = item === undefined ? "" : ` ${JSON.stringify(item)}`;
  const words = name.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
  return `${id} found no ${words}${which}`;
}

/**
 * Returns the value of a lookup's answer. Throws NOT_FOUND if a required lookup found nothing.
 * An answer without the expected path is an error, because continuing could change a wrong
 * object.
 */
export function lookupValue(
  card: PreparedCard,
  { name, item }: Pick<LookupRequest, "name" | "item">,
  payload: unknown,
  scope: CardScope,
): unknown {
  const lookup = card.lookups[name]!;
  const { value } = mapAnswer(card, `the lookup ${name}`, () =>
    evaluate(lookup.value, outputScope(card, payload, { ...scope, item })),
  );
  if (value === undefined || (value === null && (payload ?? null) === null)) {
    const message = `The answer to the lookup ${name} of ${card.id} has an unexpected form`;
    const hint = "Compare the value of the lookup in the card with the upstream's answer";
    throw fail("SERVER", message, { outcome: "not_applied", hint });
  }
  if (value !== null || lookup.optional === true) return value;
  throw fail("NOT_FOUND", notFoundMessage(card, { name, item }), {
    outcome: "not_applied",
    ...(item === undefined && { unnamed: true }),
  });
}
