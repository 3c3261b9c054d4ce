import type { Listed } from "../capabilities/group.ts";

/**
 * Ids that contain the typed text come before the results of a search, because a search compares
 * whole words and does not find `issue.update` by `issue.upd`.
 */
export function idMatches(
  typed: string,
  listed: readonly Listed[],
  found: readonly Listed[],
): Listed[] {
  const text = typed.trim().toLowerCase();
  if (text === "") return [];
  const same = listed.filter(({ capability_id }) => capability_id.toLowerCase().includes(text));
  const known = new Set(same.map(({ capability_id }) => capability_id));
  return [...same, ...found.filter(({ capability_id }) => !known.has(capability_id))];
}
