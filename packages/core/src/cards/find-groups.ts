import { isKeys } from "./mapping/index.ts";
import type { PreparedMapping } from "./mapping/index.ts";
import type { PreparedCard } from "./prepared.ts";

/** The paths of the fields that a mapping fills, without the names of lists. */
function fieldPaths(mapping: PreparedMapping, at = ""): string[] {
  if (isKeys(mapping)) return [at];
  if (mapping.is === "from" || mapping.is === "each") return fieldPaths(mapping.value, at);
  if (mapping.is !== "object") return [at];
  return mapping.fields.flatMap(([name, field]) => fieldPaths(field, plainPath(`${at}.${name}`)));
}

/** `items.*.title` may also be written as `title`. */
function plainPath(path: string): string {
  return path
    .split(".")
    .filter((key) => key !== "" && key !== "items" && key !== "*")
    .join(".");
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}.`);
}

function ownPaths({ parts }: PreparedCard): string[] {
  const all = Object.values(parts).flat();
  return all.flatMap(({ output }) => (output === undefined ? [] : fieldPaths(output)));
}

/**
 * The optional field groups that contain the selected paths. Groups that every answer contains
 * are omitted.
 */
export function findGroups(card: PreparedCard, paths: readonly string[]): readonly string[] {
  const names = Object.keys(card.include);
  if (names.length === 0) return [];
  const own = ownPaths(card);
  const wanted = paths.map(plainPath).filter((path) => !own.some((each) => isWithin(each, path)));
  return names.filter((name) => {
    const filled = Object.values(card.include[name]!).flatMap((mapping) => fieldPaths(mapping));
    return wanted.some((path) =>
      filled.some((each) => isWithin(each, path) || isWithin(path, each)),
    );
  });
}
