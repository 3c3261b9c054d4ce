import { ORIGINS } from "../operation/index.ts";
import type { Catalogue } from "../registry/index.ts";
import type { Source } from "./source.ts";

/** Two sources have one id: one of them keeps it, the other's operation gets a longer one. */
export interface Collision {
  /** The source whose operation was renamed. */
  readonly source: string;
  /** What it calls the operation. */
  readonly id: string;
  /** What the operation is called here. */
  readonly as: string;
  /** The source that has the id. */
  readonly holder: string;
}

/** What decides who of several sources has an id. */
export interface IdRules {
  /** All sources, in the order in which ids are given away. */
  readonly sources: readonly Source[];
  /** Ids of packs that the user's configuration takes over. */
  readonly replace: readonly string[];
}

export const NO_RULES: IdRules = { sources: [], replace: [] };

/** Where the sources of an origin stand: a lower number comes first. */
export function rankOf({ origin = "program" }: Source): number {
  return ORIGINS.indexOf(origin);
}

function isReplaced(id: string, { origin }: Source, { replace }: IdRules): boolean {
  return origin === "user" && replace.includes(id);
}

/**
 * Ids that begin with the name of a source are kept for it, whether or not it has answered: else the
 * speed of a server would decide who has an id.
 */
function ownerOf(id: string, source: Source, { sources }: IdRules): Source | undefined {
  return sources.find((other) => rankOf(other) < rankOf(source) && id.startsWith(`${other.name}.`));
}

/** Who has an id that an operation of a source cannot have; undefined when it can. */
export function holderOf(
  id: string,
  source: Source,
  registry: Catalogue,
  rules: IdRules,
): string | undefined {
  if (source.origin === "pack" && rules.replace.includes(id)) return "your configuration";
  const owner = isReplaced(id, source, rules) ? undefined : ownerOf(id, source, rules);
  if (owner !== undefined) return owner.name;
  const held = registry.getSpec(id);
  return held === undefined ? undefined : (held.source ?? "this program");
}
