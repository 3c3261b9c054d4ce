import { fail } from "../envelope/index.ts";
import { requestOf } from "./build-request.ts";
import type { CardRouteName } from "./card.ts";
import { choosePart } from "./choose-part.ts";
import { evaluate } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";
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

/** What must be asked before the request of a route can be built. */
export function lookupRequests(
  card: PreparedCard,
  route: CardRouteName,
  scope: CardScope,
): LookupRequest[] {
  const { lookups } = choosePart(card, route, scope);
  const names = lookups.includes("*") ? Object.keys(card.lookups) : lookups;
  return names.map((name) => {
    const lookup = card.lookups[name];
    if (lookup === undefined) throw new Error(`${card.id} has no lookup ${name}`);
    const request = mapInput(card, () => requestOf(lookup.request, inputScope(card, scope)));
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
