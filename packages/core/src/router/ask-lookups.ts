import { lookupRequests } from "../cards/index.ts";
import type { CardRouteName, CardScope, LookupRequest, PreparedCard } from "../cards/index.ts";

/** The value of one lookup, given what was found before it. */
type Ask = (lookup: LookupRequest, known: CardScope) => Promise<unknown>;

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
    const found = await Promise.all(
      lookups.map(async (lookup) => [lookup.name, await ask(lookup, known)] as const),
    );
    scope = { ...scope, lookup: { ...scope.lookup, ...Object.fromEntries(found) } };
  }
}
