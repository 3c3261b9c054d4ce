import { isDeclared } from "../../graph/index.ts";
import type { CodeGraph } from "../../graph/index.ts";
import { definitionOfExport, importsOfDefinition, getWholeImports } from "../names/definitions.ts";
import { filesUsedWhole } from "../completeness/files-used-whole.ts";

interface ExportItem {
  readonly name: string;
  readonly kind: string;
  /** The number of files that use it; absent if unknown. */
  readonly usedBy?: number;
}

/** The other files that import or use the symbol. */
function getUsers(graph: CodeGraph, row: number): Set<number> {
  const definition = definitionOfExport(graph, row);
  const users = new Set<number>();
  const imports = [
    ...importsOfDefinition(graph, definition),
    ...getWholeImports(graph, definition),
  ];
  for (const edge of imports) users.add(graph.imports.from(edge));
  const { symbol } = definition;
  for (const use of symbol === undefined ? [] : graph.uses.into(symbol)) {
    users.add(graph.symbols.file(graph.uses.from(use)));
  }
  users.delete(definition.file);
  return users;
}

/** The declared exports of a file. */
export function exportItems(graph: CodeGraph, file: number): ExportItem[] {
  const { exports, symbols } = graph;
  const rows = [...exports.inFile(file)].filter((row) => isDeclared(exports.kind(row)));
  return rows.map((row) => {
    const symbol = exports.symbol(row);
    const kind = symbol === undefined ? undefined : symbols.kind(symbol);
    const usedBy = getUsers(graph, row).size;
    return {
      name: exports.name(row),
      kind: kind ?? (exports.typeOnly(row) ? "type" : "value"),
      ...((usedBy > 0 || filesUsedWhole(graph)[file] === 0) && { usedBy }),
    };
  });
}

/** Why the list of a file's exports may be incomplete. */
export function exportsUnknown(graph: CodeGraph, file: number): string[] {
  const items = exportItems(graph, file);
  if (items.some(({ usedBy }) => usedBy === undefined)) {
    return ["it is imported as a whole, so exports without usedBy may be used"];
  }
  return items.length === 0 && offersUnread(graph, file)
    ? ["the names that it exports could not be read"]
    : [];
}

/** Whether something imports from a script or CommonJS file without known exports. */
function offersUnread({ files, exports, imports, bindings }: CodeGraph, file: number): boolean {
  if (files.language(file) !== "javascript" || files.kind(file) === "asset") return false;
  for (const _ of exports.inFile(file)) return false;
  return [...imports.into(file)].some((edge) => [...bindings.ofEdge(edge)].length > 0);
}
