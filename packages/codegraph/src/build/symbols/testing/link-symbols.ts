import type { Interner } from "../../../graph/index.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { assembleSymbols } from "../link/assemble.ts";
import type { SymbolTables } from "../link/assemble.ts";
import type { FileLinks } from "../link/file-links.ts";
import { SymbolLinker } from "../link/linker.ts";
import type { Reliance } from "../link/program.ts";

/** A file whose symbols are to be linked. */
export interface SymbolSource {
  readonly path: string;
  readonly facts: FileSymbolData | undefined;
  /** Links that are still valid from an earlier run and are reused. */
  readonly links?: FileLinks | undefined;
}

export interface LinkedSymbols extends SymbolTables {
  readonly links: readonly FileLinks[];
  /** The row of the symbol that a file offers under a name. */
  exported(file: number, name: string): number | undefined;
  /** The dependencies of a file's links; only for files that were linked now. */
  dependsOn(file: number): Reliance;
}

/** Links every file that has no links yet, and puts all into tables. */
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
