import { notFoundMessage, openLookups } from "../cards/index.ts";
import type {
  CardRouteName,
  CardScope,
  LookupRequest,
  OpenLookup,
  PreparedCard,
} from "../cards/index.ts";
import { agentErrorCode, errorFromUnknown } from "../envelope/index.ts";
import { MAX_CONCURRENT, runLimited } from "./run-limited.ts";

/** How lookups are asked. */
export interface LookupAsker {
  /** The value of one, given what was found before it; `isAlone` if no other is asked now. */
  ask(lookup: LookupRequest, known: CardScope, isAlone: boolean): Promise<unknown>;
  /** Whether these travel together, so that many are as good as one. */
  travelTogether(lookups: readonly LookupRequest[]): boolean;
}

/**
 * An upstream says that there is nothing with an error, which for some is an answer too; for the
 * others it must say what it was that does not exist.
 */
async function orNull(
  card: PreparedCard,
  lookup: LookupRequest,
  asked: Promise<unknown>,
): Promise<unknown> {
  try {
    return await asked;
  } catch (thrown) {
    const error = errorFromUnknown(thrown);
    const code = agentErrorCode(error);
    const isOptional = card.lookups[lookup.name]?.optional === true;
    // A reader without a right to the rest still gets the answer; a write must know.
    if (isOptional && card.effect === "read" && code === "AUTH") return null;
    if (code !== "NOT_FOUND") throw thrown;
    if (isOptional) return null;
    // Who has a hint has already said what was looked for.
    if (error.details.hint !== undefined) throw thrown;
    throw error.with({}, { message: notFoundMessage(card, lookup), cause: thrown });
  }
}

/** The lookups' results by name, in the order of the questions. */
function byName(
  open: readonly OpenLookup[],
  values: readonly unknown[],
): Readonly<Record<string, unknown>> {
  let start = 0;
  return Object.fromEntries(
    open.map(({ name, requests, isList }) => {
      const own = values.slice(start, start + requests.length);
      start += requests.length;
      return [name, isList ? own : own[0]];
    }),
  );
}

/**
 * The scope with everything in it that the request of a route needs. Lookups that wait for none are
 * requested together, then those that waited for them, and so on.
 */
export async function askLookups(
  card: PreparedCard,
  route: CardRouteName,
  start: CardScope,
  asker: LookupAsker,
): Promise<CardScope> {
  let scope = start;
  for (;;) {
    const open = openLookups(card, route, scope);
    if (open.length === 0) return scope;
    const known = scope;
    const lookups = open.flatMap(({ requests }) => requests);
    const width = asker.travelTogether(lookups) ? lookups.length : MAX_CONCURRENT;
    const values = await runLimited(lookups, width, (lookup) =>
      orNull(card, lookup, asker.ask(lookup, known, lookups.length === 1)),
    );
    scope = { ...scope, lookup: { ...scope.lookup, ...byName(open, values) } };
  }
}
