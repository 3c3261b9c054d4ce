import type { Interner } from "../../../graph/index.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { assembleSymbols } from "../link/assemble.ts";
import type { SymbolTables } from "../link/assemble.ts";
import type { FileLinks } from "../link/file-links.ts";
import { SymbolLinker } from "../link/linker.ts";
import type { Reliance } from "../link/program.ts";

/** A file to link. */
export interface SymbolSource {
  readonly path: string;
  readonly facts: FileSymbolData | undefined;
  /** Links from an earlier run that are still valid. */
  readonly links?: FileLinks | undefined;
}

export interface LinkedSymbols extends SymbolTables {
  readonly links: readonly FileLinks[];
  /** The row of the symbol behind an exported name. */
  exported(file: number, name: string): number | undefined;
  /** The dependencies of a file's links, only for files that were linked in this run. */
  dependsOn(file: number): Reliance;
}

/** Links every file that has no links yet, and builds the tables. */
export function linkSymbols(
  files: readonly SymbolSource[],
  target: (file: number, specifier: string) => number | undefined,
  strings: Interner,
): LinkedSymbols {
  const linker = new SymbolLinker({
    count: files.length,
    facts: (file) => files[file]?.facts,
    target,
  });
  const links = files.map((source, file) => source.links ?? linker.linkFile(file));
  const sources = files.map(({ path, facts }, file) => ({ path, facts, links: links[file] }));
  const tables = assembleSymbols(sources, strings);
  return {
    ...tables,
    links,
    exported: (file, name) => {
      const found = linker.exported(file, name);
      return found && tables.starts[found.file]! + found.symbol;
    },
    dependsOn: (file) => linker.dependsOn(file),
  };
}
