import { fail } from "../envelope/index.ts";
import { requestOf } from "./build-request.ts";
import type { CardRouteName } from "./card.ts";
import { choosePart } from "./choose-part.ts";
import { evaluate } from "./mapping/index.ts";
import type { PreparedCard, PreparedLookup } from "./prepared.ts";
import type { CardRequest, CardScope } from "./request.ts";
import { inputScope, mapAnswer, mapInput, outputScope } from "./scope.ts";

export interface LookupRequest {
  /** What the answer is called in `scope.lookup`. */
  readonly name: string;
  readonly request: CardRequest;
  /** Equal for lookups that ask the same, so that a chain asks once. */
  readonly key: string;
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

function allOf(card: PreparedCard, names: readonly string[]): readonly string[] {
  return names.includes("*") ? Object.keys(card.lookups) : names;
}

/** The lookups a lookup waits for. */
export function lookupsBefore(card: PreparedCard, name: string): readonly string[] {
  return allOf(card, lookupNamed(card, name).request.lookups);
}

/** The lookups that a route uses, and those that they use in turn, by name. */
function lookupsNeeded(card: PreparedCard, route: CardRouteName, scope: CardScope): string[] {
  const needed = new Set(allOf(card, choosePart(card, route, scope).lookups));
  // A set that grows while it is walked is walked to its end, and it holds each name once.
  for (const name of needed) for (const other of lookupsBefore(card, name)) needed.add(other);
  return [...needed].toSorted();
}

/**
 * What must be asked next before the request of a route can be built: the lookups that are not in
 * `scope.lookup` yet and wait for none that is not. Nothing when all are there.
 */
export function lookupRequests(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
): LookupRequest[] {
  if (choosePart(card, route, scope).lookups.length === 0) return [];
  const isKnown = (name: string): boolean => Object.hasOwn(scope.lookup ?? {}, name);
  const open = lookupsNeeded(card, route, scope).filter((name) => !isKnown(name));
  const ready = open.filter((name) => lookupsBefore(card, name).every(isKnown));
  if (open.length > 0 && ready.length === 0) {
    throw new Error(`${card.id} has lookups that wait for each other: ${open.join(", ")}`);
  }
  return ready.map((name) => {
    const { request: part } = lookupNamed(card, name);
    const request = mapInput(card, () => requestOf(part, inputScope(card, scope)));
    return { name, request, key: keyOfRequest(request) };
  });
}

/** What a lookup's answer says. Throws NOT_FOUND when it found nothing and must have. */
export function lookupValue(
  card: PreparedCard,
  name: string,
  payload: unknown,
  scope: CardScope,
): unknown {
  const lookup = card.lookups[name]!;
  const { value } = mapAnswer(card, `the lookup ${name}`, () =>
    evaluate(lookup.value, outputScope(card, payload, scope)),
  );
  if ((value !== undefined && value !== null) || lookup.optional === true) return value ?? null;
  throw fail("NOT_FOUND", `${card.id} found no ${name}`, { outcome: "not_applied" });
}
