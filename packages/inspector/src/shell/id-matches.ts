import type { Listed } from "../capabilities/group.ts";

/**
 * Ids that contain every typed word come before the results of a search, the shortest first. A
 * search compares whole words, so it does not find `issue.update` by `issue upd`.
 */
export function idMatches(
  typed: string,
  listed: readonly Listed[],
  found: readonly Listed[],
): Listed[] {
  const words = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  const same = listed
    .filter(({ capability_id: id }) => words.every((word) => id.toLowerCase().includes(word)))
    .toSorted((one, other) => one.capability_id.length - other.capability_id.length);
  const known = new Set(same.map(({ capability_id }) => capability_id));
  return [...same, ...found.filter(({ capability_id }) => !known.has(capability_id))];
}
