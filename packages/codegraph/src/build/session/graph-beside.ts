import type { CodeGraph } from "../../graph/index.ts";
import { Conventions } from "../entrypoints/conventions.ts";
import { withImplicitImports } from "../frameworks/implicit-imports.ts";
import { findStamp, walkedPaths } from "../files/walk.ts";
import type { SourceFile } from "../link/source-file.ts";
import { SourceTree } from "./source-tree.ts";
import type { SymbolFile } from "./symbol-files.ts";
import type { OtherTree } from "./types.ts";

/** The known files of a tree, and the functions that are used like `require`. */
export interface KnownFiles {
  readonly exotic: readonly string[];
  readonly files: readonly SourceFile[];
  readonly symbols: readonly SymbolFile[];
}

/** The graph of another state of a tree. Only changed files are read. */
export async function graphBeside(
  { exotic, files, symbols }: KnownFiles,
  { folder, paths, isSame, signal }: OtherTree,
): Promise<CodeGraph> {
  const options = signal ? { signal } : {};
  const before = new Map(files.map((file) => [file.path, file]));
  const stamps = walkedPaths(paths)
    .toSorted()
    .flatMap((path) => {
      const file = isSame(path) ? before.get(path) : undefined;
      if (file) return { path, mtimeMs: file.mtimeMs, size: file.bytes };
      return findStamp(folder, path) ?? [];
    });
  const tree = new SourceTree(folder, exotic, files);
  const changed = await tree.update(stamps, options);
  const { graph, strings } = tree.link(undefined);
  const { SymbolTree } = await import("./symbol-tree.ts");
  const conventions = new Conventions(tree.packages);
  const completed = await new SymbolTree(folder, symbols).complete(
    graph,
    tree.files,
    changed,
    strings,
    { ...options, served: tree.served, conventions },
  );
  return withImplicitImports(completed);
}
