import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import { Edges, Entrypoints, Interner, Symbols, USE_KINDS } from "../../../graph/index.ts";
import type { UseKind } from "../../../graph/index.ts";
import { extractSymbols } from "../extract/extract.ts";
import type { FileSymbolData } from "../facts/symbol-facts.ts";
import { linkSymbols } from "./link-symbols.ts";
import type { LinkedSymbols } from "./link-symbols.ts";

/** Content of files by path. */
export type Tree = Readonly<Record<string, string>>;

export interface LinkedTree {
  readonly linked: LinkedSymbols;
  readonly symbols: Symbols;
  /** A name such as `a.ts#Class.method`. */
  readonly nameOf: (symbol: number) => string;
  /** Lines such as `a.ts#f -> b.ts#g (exact, scope)` for every use of a kind, in order. */
  readonly uses: (kind: UseKind) => string[];
  /** Lines such as `route GET /users -> a.ts#handler (express)`. */
  readonly entrypoints: () => string[];
}

export function readSymbols(path: string, text: string): FileSymbolData {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`);
  return extractSymbols(program, { path, text });
}

/** Reads and links a tree with relative specifiers. */
export function linkTree(tree: Tree): LinkedTree {
  const paths = Object.keys(tree);
  return linkSymbolFiles(paths.map((path) => ({ path, facts: readSymbols(path, tree[path]!) })));
}

/** Links files that were read. `resolveSpecifier` finds the file of a specifier. */
export function linkSymbolFiles(
  files: readonly { readonly path: string; readonly facts: FileSymbolData }[],
): LinkedTree {
  const paths = files.map(({ path }) => path);
  const strings = new Interner();
  const linked = linkSymbols(
    files,
    (file, specifier) => resolveSpecifier(paths, paths[file]!, specifier),
    strings,
  );
  const texts = strings.finish();
  const symbols = new Symbols(linked.symbols, texts, paths.length);
  const uses = new Edges(linked.uses, USE_KINDS, symbols.count);
  const entrypoints = new Entrypoints(linked.entrypoints, texts, paths.length);
  const nameOf = (symbol: number): string => qualified(symbols, paths, symbol);
  return {
    linked,
    symbols,
    nameOf,
    uses: (kind) => {
      const found: string[] = [];
      for (let edge = 0; edge < uses.count; edge++) {
        if (uses.kind(edge) !== kind) continue;
        const [from, to] = [nameOf(uses.from(edge)), nameOf(uses.to(edge))];
        found.push(`${from} -> ${to} (${uses.confidence(edge)}, ${uses.how(edge)})`);
      }
      return found;
    },
    entrypoints: () =>
      Array.from({ length: entrypoints.count }, (_, row) => {
        const symbol = entrypoints.symbol(row);
        const handler = symbol === undefined ? "nothing" : nameOf(symbol);
        return `${entrypoints.kind(row)} ${entrypoints.text(row)} -> ${handler} (${entrypoints.detail(row)})`;
      }),
  };
}

function resolveSpecifier(
  paths: readonly string[],
  from: string,
  specifier: string,
): number | undefined {
  const python = paths.indexOf(`${specifier.replaceAll(".", "/")}.py`);
  if (python >= 0) return python;
  if (!specifier.startsWith(".")) return undefined;
  const path = posix.join(posix.dirname(from), specifier).replace(/\.js$/, "");
  const found = paths.findIndex((known) =>
    [path, `${path}.ts`, `${path}.tsx`, `${path}.js`, `${path}/index.ts`].includes(known),
  );
  return found < 0 ? undefined : found;
}

function qualified(symbols: Symbols, paths: readonly string[], symbol: number): string {
  const names: string[] = [];
  for (let next: number | undefined = symbol; next !== undefined; next = symbols.parent(next)) {
    if (symbols.kind(next) !== "module") names.unshift(symbols.name(next));
  }
  return `${paths[symbols.file(symbol)]!}#${names.join(".")}`;
}
