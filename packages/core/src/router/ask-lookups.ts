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

/** Sends the lookups of a call. */
export interface LookupAsker {
  /**
   * Returns the value of one lookup. `known` has the values of earlier lookups. `isAlone` is
   * true if no other lookup is sent at the same time.
   */
  ask(lookup: LookupRequest, known: CardScope, isAlone: boolean): Promise<unknown>;
  /** Whether these lookups can be sent in one request, so that several cost as much as one. */
  travelTogether(lookups: readonly LookupRequest[]): boolean;
}

/**
 * Turns NOT_FOUND into null for an optional lookup. For a required lookup, the error names the
 * missing object.
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
    // If an optional lookup is forbidden, a read still returns its answer. A write must fail.
    if (isOptional && card.effect === "read" && code === "AUTH") return null;
    if (code !== "NOT_FOUND") throw thrown;
    if (isOptional) return null;
    // Keeps an error with a hint or suggestions, because it already names what is missing.
    const { hint, did_you_mean: near } = error.details;
    if (hint !== undefined || near !== undefined) throw thrown;
    throw error.with({}, { message: notFoundMessage(card, lookup), cause: thrown });
  }
}

/** The values of the lookups by name, in the order in which they were sent. */
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
 * Returns the scope with all values that the request of a route needs. Lookups without dependencies
 * are sent together, then those that depend on them, and so on.
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
