import type { CodeGraph } from "../../graph/index.ts";
import type { ChangedFile } from "../answer/changed-file.ts";
import { definitionOfSymbol, namedDefinitions } from "../names/definitions.ts";
import type { Definition } from "../names/definitions.ts";
import { getUsers } from "./impact-reach.ts";

function declaredNames(graph: CodeGraph, path: string): Set<string> {
  const file = graph.files.find(path);
  const names = new Set<string>();
  if (file === undefined) return names;
  for (const symbol of graph.symbols.inFile(file)) {
    names.add(definitionOfSymbol(graph, symbol).name);
  }
  for (const row of graph.exports.inFile(file)) names.add(graph.exports.name(row));
  return names;
}

/** The names that a file no longer has. A removed class includes its members. */
export function removedFrom(
  now: CodeGraph,
  before: CodeGraph,
  { path, from = path }: ChangedFile,
): Definition[] {
  const file = before.files.find(from);
  if (file === undefined) return [];
  const left = declaredNames(now, path);
  const { symbols, exports } = before;
  const isRemoved = (symbol: number | undefined): boolean =>
    symbol !== undefined &&
    symbols.kind(symbol) !== "module" &&
    !left.has(definitionOfSymbol(before, symbol).name);
  const removed = new Map<string, Definition>();
  for (const symbol of symbols.inFile(file)) {
    if (!isRemoved(symbol) || isRemoved(symbols.parent(symbol))) continue;
    const definition = definitionOfSymbol(before, symbol);
    removed.set(definition.name, definition);
  }
  for (const row of exports.inFile(file)) {
    const name = exports.name(row);
    if (left.has(name) || removed.has(name)) continue;
    removed.set(name, { file, name, symbol: undefined, export: row });
  }
  return [...removed.values()];
}

/** The most removed names to examine. */
const MAX_LOOKED_AT = 500;

/**
 * The first removed name that an unchanged file still uses and that no longer resolves. Not every
 * language has an issue kind for this.
 */
export function firstMissed(
  now: CodeGraph,
  before: CodeGraph,
  changed: readonly ChangedFile[],
  all: readonly ChangedFile[],
): string | undefined {
  const paths = new Set(all.map(({ path }) => path));
  const isMissed = (definition: Definition): boolean => {
    const users = Array.from(getUsers(before, definition), (file) => before.files.path(file));
    const others = users.filter((path) => !paths.has(path) && now.files.find(path) !== undefined);
    if (others.length === 0) return false;
    const name = definition.name.slice(definition.name.lastIndexOf(".") + 1);
    const served = new Set(
      namedDefinitions(now, name, undefined).flatMap((each) => [...getUsers(now, each)]),
    );
    return others.some((path) => !served.has(now.files.find(path)!));
  };
  // After a rename, users of the old path miss everything in the file.
  const lost = changed.flatMap(({ from, ...file }) =>
    removedFrom(now, before, from === undefined ? file : { ...file, path: from }),
  );
  return lost.slice(0, MAX_LOOKED_AT).find(isMissed)?.name;
}
