import { ORIGINS } from "../operation/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { Catalogue } from "../registry/index.ts";
import type { Source } from "./source.ts";

/** Two sources use the same id: one keeps it, and the operation of the other gets a longer id. */
export interface Collision {
  /** The source whose operation was renamed. */
  readonly source: string;
  /** The id that the source uses for the operation. */
  readonly id: string;
  /** The id of the operation here. */
  readonly as: string;
  /** The source that keeps the id. */
  readonly holder: string;
}

/** The rules that decide which source gets an id. */
export interface IdRules {
  /** All sources, in the order in which they get ids. */
  readonly sources: readonly Source[];
  /** Ids of packs that the user's configuration replaces. */
  readonly replace: readonly string[];
}

/** A source that gets its ids earlier, because it comes first in the list of sources. */
interface EarlierSource {
  readonly name: string;
  /** The start of its ids, in lower case. */
  readonly start: string;
}

export const NO_RULES: IdRules = { sources: [], replace: [] };

/** The priority of a source by its origin: a lower number comes first. */
export function getRank({ origin = "program" }: Source): number {
  return ORIGINS.indexOf(origin);
}

function isReplaced(id: string, { origin }: Source, { replace }: IdRules): boolean {
  return origin === "user" && replace.includes(id);
}

/** The sources that come before this one, each with the start of its ids. */
export function sourcesBefore(source: Source, { sources }: IdRules): readonly EarlierSource[] {
  const rank = getRank(source);
  return sources
    .filter((other) => getRank(other) < rank)
    .map(({ name }) => ({ name, start: `${name.toLowerCase()}.` }));
}

/**
 * The source for which an id is reserved. Ids that begin with the name of a source are reserved
 * for it, even before it has answered. Otherwise the speed of a server would decide who gets an
 * id.
 */
function getOwner(small: string, earlier: readonly EarlierSource[]): EarlierSource | undefined {
  return earlier.find(({ start }) => small.startsWith(start));
}

/**
 * Finds an operation of another source whose id differs only in letter case, because people
 * would confuse the two.
 */
function lookAlike(small: string, source: Source, registry: Catalogue): OperationSpec | undefined {
  return registry.getAlike(small).find((held) => held.source !== source.name);
}

/**
 * Returns the source that has an id which an operation of another source cannot get. Undefined if
 * the id is free.
 */
export function findHolder(
  id: string,
  source: Source,
  registry: Catalogue,
  rules: IdRules,
  earlier: readonly EarlierSource[],
): string | undefined {
  if (source.origin === "pack" && rules.replace.includes(id)) return "your configuration";
  // Checks the entry, because a source may list anything, even an entry without an id.
  const small = String(id).toLowerCase();
  const owner = isReplaced(id, source, rules) ? undefined : getOwner(small, earlier);
  if (owner !== undefined) return owner.name;
  const held = registry.getSpec(id) ?? lookAlike(small, source, registry);
  return held === undefined ? undefined : (held.source ?? "this program");
}
