import { ORIGINS } from "../operation/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { Catalogue } from "../registry/index.ts";
import type { Source } from "./source.ts";

/** Two sources have one id: one of them keeps it, the other's operation gets a longer one. */
export interface Collision {
  /** The source whose operation was renamed. */
  readonly source: string;
  /** Its own id for the operation. */
  readonly id: string;
  /** The id of the operation here. */
  readonly as: string;
  /** The source that has the id. */
  readonly holder: string;
}

/** The rules that decide which of several sources gets an id. */
export interface IdRules {
  /** All sources, in the order in which ids are given away. */
  readonly sources: readonly Source[];
  /** Ids of packs that the user's configuration takes over. */
  readonly replace: readonly string[];
}

export const NO_RULES: IdRules = { sources: [], replace: [] };

/** Where the sources of an origin stand: a lower number comes first. */
export function getRank({ origin = "program" }: Source): number {
  return ORIGINS.indexOf(origin);
}

function isReplaced(id: string, { origin }: Source, { replace }: IdRules): boolean {
  return origin === "user" && replace.includes(id);
}

/**
 * Ids that begin with the name of a source are kept for it, whether or not it has answered: else the
 * speed of a server would decide who has an id.
 */
function getOwner(small: string, source: Source, { sources }: IdRules): Source | undefined {
  return sources.find(
    (other) => getRank(other) < getRank(source) && small.startsWith(`${other.name.toLowerCase()}.`),
  );
}

/** An id in other letters than one that another source has would be taken for it. */
function lookAlike(small: string, source: Source, registry: Catalogue): OperationSpec | undefined {
  const held = registry.getSpec(small);
  return held?.source === source.name ? undefined : held;
}

/** Who has an id that an operation of a source cannot have; undefined when it can. */
export function findHolder(
  id: string,
  source: Source,
  registry: Catalogue,
  rules: IdRules,
): string | undefined {
  if (source.origin === "pack" && rules.replace.includes(id)) return "your configuration";
  // A source may list anything, also what has no id.
  const small = String(id).toLowerCase();
  const owner = isReplaced(id, source, rules) ? undefined : getOwner(small, source, rules);
  if (owner !== undefined) return owner.name;
  const held = registry.getSpec(id) ?? lookAlike(small, source, registry);
  return held === undefined ? undefined : (held.source ?? "this program");
}
