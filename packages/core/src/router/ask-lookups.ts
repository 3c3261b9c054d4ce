import { lookupRequests } from "../cards/index.ts";
import type { CardRouteName, CardScope, LookupRequest, PreparedCard } from "../cards/index.ts";
import { errorCodeOf, errorFromUnknown } from "../envelope/index.ts";

/** The value of one lookup, given what was found before it. */
type Ask = (lookup: LookupRequest, known: CardScope) => Promise<unknown>;

/** An upstream says that there is nothing with an error, which for some is an answer too. */
async function orNull(asked: Promise<unknown>, isOptional: boolean): Promise<unknown> {
  try {
    return await asked;
  } catch (thrown) {
    if (isOptional && errorCodeOf(errorFromUnknown(thrown)) === "NOT_FOUND") return null;
    throw thrown;
  }
}

/**
 * The scope with everything in it that the request of a route needs. Lookups that wait for none are
 * asked for together, then those that waited for them, and so on.
 */
export async function askLookups(
  card: PreparedCard,
  route: CardRouteName,
  start: CardScope,
  ask: Ask,
): Promise<CardScope> {
  let scope = start;
  for (;;) {
    const lookups = lookupRequests(card, route, scope);
    if (lookups.length === 0) return scope;
    const known = scope;
    const one = (lookup: LookupRequest): Promise<unknown> =>
      orNull(ask(lookup, known), card.lookups[lookup.name]?.optional === true);
    const found = await Promise.all(
      lookups.map(async (lookup) => [lookup.name, await one(lookup)] as const),
    );
    scope = { ...scope, lookup: { ...scope.lookup, ...Object.fromEntries(found) } };
  }
}
