import { openLookups } from "../cards/index.ts";
import type {
  CardRouteName,
  CardScope,
  LookupRequest,
  OpenLookup,
  PreparedCard,
} from "../cards/index.ts";
import { errorCodeOf, errorFromUnknown } from "../envelope/index.ts";

/** The value of one lookup, given what was found before it; `isAlone` if no other is asked now. */
type Ask = (lookup: LookupRequest, known: CardScope, isAlone: boolean) => Promise<unknown>;

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
    const open = openLookups(card, route, scope);
    if (open.length === 0) return scope;
    const known = scope;
    const isAlone = open.flatMap(({ requests }) => requests).length === 1;
    const one = (lookup: LookupRequest): Promise<unknown> =>
      orNull(ask(lookup, known, isAlone), card.lookups[lookup.name]?.optional === true);
    const all = async ({ name, requests, isList }: OpenLookup): Promise<[string, unknown]> => {
      const values = await Promise.all(requests.map(one));
      return [name, isList ? values : values[0]];
    };
    const found = Object.fromEntries(await Promise.all(open.map(all)));
    scope = { ...scope, lookup: { ...scope.lookup, ...found } };
  }
}
