import type { CodeGraph, Language, UnresolvedKind } from "../../graph/index.ts";

/** Groups of languages whose files can use each other's names. */
const FAMILIES: Readonly<Partial<Record<Language, string>>> = {
  typescript: "script",
  javascript: "script",
  vue: "script",
  svelte: "script",
  astro: "script",
};

function getFamily(graph: CodeGraph, file: number): string {
  const language = graph.files.language(file);
  return FAMILIES[language] ?? language;
}

/** Whether two files can use each other's names. */
export function areRelated(graph: CodeGraph, one: number, other: number): boolean {
  return getFamily(graph, one) === getFamily(graph, other);
}

/** Unparsed languages that can call code of a group by name. */
const CALLERS: Readonly<Record<string, RegExp>> = {
  script: /\.(?:rs|php|rb|erb|ex|exs|cs|html?)$/u,
  python: /\.(?:c|cc|cpp|h|hpp|rs|pyx)$/u,
  go: /\.(?:c|cc|cpp|h|hpp|m|mm)$/u,
};

function canUse(graph: CodeGraph, file: number, family: string): boolean {
  if (getFamily(graph, file) === family) return true;
  return CALLERS[family]?.test(graph.files.path(file)) === true;
}

/**
 * The files with unresolved uses of a name in one of these ways. Only files that can use code of
 * `from` count.
 */
export function unresolvedIn(
  graph: CodeGraph,
  name: string,
  kind: UnresolvedKind,
  from: number,
): Set<number> {
  const family = getFamily(graph, from);
  const found = new Set<number>();
  for (const row of graph.unresolved.named(name)) {
    if (graph.unresolved.kind(row) !== kind) continue;
    const file = graph.unresolved.file(row);
    if (canUse(graph, file, family)) found.add(file);
  }
  return found;
}

/** How many other files may use names of this file without an import. */
export function filesUsingUnresolved(graph: CodeGraph, file: number): number {
  const users = new Set<number>();
  for (const row of graph.exports.inFile(file)) {
    const name = graph.exports.name(row);
    if (name === "default" || name === "export=") continue;
    for (const kind of ["value", "import"] as const) {
      for (const user of unresolvedIn(graph, name, kind, file)) users.add(user);
    }
  }
  users.delete(file);
  return users.size;
}
