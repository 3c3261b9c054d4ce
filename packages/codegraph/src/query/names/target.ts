import { fail } from "@waybill/core";
import type { CodeGraph } from "../../graph/index.ts";
import { confinedPath } from "./confined-path.ts";
import { nearPaths, nearSymbols } from "./near-names.ts";
import { perGraph } from "../../analysis/index.ts";
import { baseName, isFolder } from "./names.ts";
import {
  MAX_SAME_NAME,
  moduleDefinition,
  namedDefinitions,
  definitionTarget,
} from "./definitions.ts";
import type { Definition } from "./definitions.ts";
import type { GraphView } from "../answer/view.ts";

/** The subject of a question. */
export type Target =
  | { readonly type: "file"; readonly file: number; readonly name: string }
  | {
      readonly type: "symbol";
      readonly file: number;
      readonly name: string;
      readonly definition: Definition;
    };

const MAX_CANDIDATES = 8;
const SOURCE_ENDINGS = /\.(?:d\.)?[cm]?[jt]sx?$|\.(?:vue|svelte|astro|py|go)$/u;

type Where = Pick<GraphView, "graph" | "root">;

/** A note that only exports have names while symbols are missing. */
function earlyIn(graph: CodeGraph): string {
  return graph.info.phase === "modules" ? " so far, and not all symbols are read yet" : "";
}

function targetNotFound(wanted: string, near: readonly string[], what: string, early = ""): Error {
  const meant = near.length === 0 ? "" : `; did you mean ${near[0]!}?`;
  const name = JSON.stringify(wanted.slice(0, 200));
  return fail("NOT_FOUND", `There is no ${what} ${name}${early}${meant}`, {
    ...(near.length > 0 && { did_you_mean: near }),
    hint: "graph_search finds files and symbols by parts of their names",
  });
}

/** `shownAs` creates the text of a candidate. Only a few are created. */
export function ambiguous<T>(
  wanted: string,
  candidates: readonly T[],
  shownAs: (candidate: T) => string,
): Error {
  const shown = candidates.slice(0, MAX_CANDIDATES).map(shownAs);
  const count = candidates.length >= MAX_SAME_NAME ? "very many" : String(candidates.length);
  const message = `${JSON.stringify(wanted.slice(0, 200))} is ambiguous (${count} matches): ${shown.slice(0, 3).join(", ")}${candidates.length > 3 ? ", …" : ""}`;
  return fail("VALIDATION", message, {
    ambiguous: true,
    candidates: shown,
    hint: "Pass one of the candidates",
  });
}

/**
 * Finds a file by its path, by the end of its path, without its extension, or as the index of a
 * folder.
 */
export function findFile({ graph, root }: Where, given: string): number | undefined {
  const path = confinedPath(root, given);
  const exact = graph.files.find(path);
  if (exact !== undefined || path === "") return exact;
  const found = filesLike(graph, path);
  if (found.length > 1) {
    throw ambiguous(given, found, (file) => graph.files.path(file));
  }
  return found[0];
}

function getStem(path: string): string {
  return path.replace(SOURCE_ENDINGS, "");
}

/** Files by path without extension, and by last segment with and without extension. */
const lookup: (graph: CodeGraph) => ReadonlyMap<string, readonly number[]> = perGraph((graph) => {
  const byKey = new Map<string, number[]>();
  const add = (key: string, file: number): void => {
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [file]);
    else known.push(file);
  };
  for (let file = 0; file < graph.files.count; file++) {
    const path = graph.files.path(file);
    const base = baseName(path);
    add(`stem ${getStem(path)}`, file);
    add(`base ${base}`, file);
    if (getStem(base) !== base) add(`base ${getStem(base)}`, file);
  }
  return byKey;
});

/** The files for a path, by the strictest reading that finds any. */
function filesLike(graph: CodeGraph, path: string): number[] {
  const known = lookup(graph);
  const whole = known.get(`stem ${path}`) ?? known.get(`stem ${path}/index`);
  if (whole !== undefined) return [...whole];
  const named = known.get(`base ${baseName(path)}`) ?? [];
  const ending = `/${path}`;
  const asWritten = named.filter((file) => graph.files.path(file).endsWith(ending));
  if (asWritten.length > 0) return asWritten;
  return named.filter((file) => getStem(graph.files.path(file)).endsWith(ending));
}

/** A file that must exist. */
export function fileTarget(view: Where, given: string): number {
  const file = findFile(view, given);
  if (file !== undefined) return file;
  const path = confinedPath(view.root, given);
  if (isFolder(view.graph, path)) throw folderGiven(path);
  throw targetNotFound(given, nearTargets(view.graph, path), "file");
}

function folderGiven(path: string): Error {
  const folder = JSON.stringify(path);
  return fail("NOT_FOUND", `${folder} is a folder without an index file`, {
    hint: `Pass a folder as scope: graph_digest with {"scope": ${folder}}; graph_tree with {"path": ${folder}} shows its files`,
  });
}

/** Suggestions for a missing target. A folder counts only by its index file. */
function nearTargets(graph: CodeGraph, path: string): string[] {
  return nearPaths(graph, path).filter(
    (near) => graph.files.find(near) !== undefined || filesLike(graph, near).length === 1,
  );
}

function symbolTarget(graph: CodeGraph, wanted: string, found: readonly Definition[]): Target {
  const [definition, another] = found;
  if (definition === undefined) {
    throw targetNotFound(wanted, nearSymbols(graph, wanted), "symbol", earlyIn(graph));
  }
  if (another !== undefined) {
    throw ambiguous(wanted, found, (each) => definitionTarget(graph, each));
  }
  return { type: "symbol", file: definition.file, name: definition.name, definition };
}

/** The position of the `#` in `path#name`. The name of a private member has a `#` too. */
function hashIn(given: string): number {
  const hash = given.lastIndexOf("#");
  return given[hash - 1] === "." ? given.lastIndexOf("#", hash - 1) : hash;
}

/** Finds a definition by `path#name`, by its name alone if it is unique, or a module. */
export function findSymbol(view: Where, given: string): Target & { type: "symbol" } {
  const hash = hashIn(given);
  const file = hash > 0 ? fileTarget(view, given.slice(0, hash)) : undefined;
  const named = namedDefinitions(view.graph, given.slice(hash + 1), file);
  const module = named.length > 0 ? undefined : moduleDefinition(view.graph, given);
  const found = module === undefined ? named : [module];
  const target = symbolTarget(view.graph, given, found);
  if (target.type !== "symbol") throw new TypeError("a symbol target is a symbol");
  return target;
}

const LOOKS_LIKE_PATH = /[/\\]|\.[a-z]{1,6}$/u;

/** Finds a path, `path#symbol`, or the name of a symbol. */
export function findTarget(view: Where, given: string): Target {
  if (hashIn(given) > 0) return findSymbol(view, given);
  const isPath = LOOKS_LIKE_PATH.test(given);
  if (!isPath && view.graph.files.find(given) === undefined) {
    const found = namedDefinitions(view.graph, given, undefined);
    if (found.length > 0) return symbolTarget(view.graph, given, found);
  }
  const file = findFile(view, given);
  if (file !== undefined) return { type: "file", file, name: view.graph.files.path(file) };
  if (!isPath) throw symbolMissing(view, given);
  // `Class.method` contains a dot too, like a file name.
  const methods = namedDefinitions(view.graph, given, undefined);
  if (methods.length > 0) return symbolTarget(view.graph, given, methods);
  return { type: "file", file: fileTarget(view, given), name: given };
}

function symbolMissing({ graph, root }: Where, given: string): Error {
  const path = confinedPath(root, given);
  if (isFolder(graph, path)) return folderGiven(path);
  const near = [...nearSymbols(graph, given), ...nearTargets(graph, given)].slice(0, 5);
  return targetNotFound(given, near, "file or symbol", earlyIn(graph));
}
