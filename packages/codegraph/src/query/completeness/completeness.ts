import { posix } from "node:path";
import { isNamedLanguage } from "../../graph/index.ts";
import type { CodeGraph } from "../../graph/index.ts";
import { perGraph } from "../../analysis/index.ts";
import { filesUsingUnresolved } from "./unresolved-uses.ts";
import { unsupportedFrameworks } from "./unsupported-frameworks.ts";
import { unlistedPackages } from "./unlisted-packages.ts";
import type { GraphView } from "../answer/view.ts";
import { countWithTypes } from "../names/types-beside.ts";

/** Whether an answer about dependents may be incomplete, and why. */
export interface Completeness {
  readonly completeness: "exact" | "lower-bound";
  readonly why?: readonly string[];
}

interface DynamicImport {
  /** The start of the computed path, if the text shows it. */
  readonly prefix: string | undefined;
}

interface Unknowns {
  readonly dynamic: readonly DynamicImport[];
  /** Imports that no file, manifest or setting explains. */
  readonly unresolved: number;
  readonly broken: number;
  /** Code that is not parsed, but whose words are known. */
  readonly unparsed: number;
  /** Files in languages whose references are found only by name. */
  readonly byName: number;
  /** Code that was not read at all. */
  readonly unread: number;
}

const RELATIVE_START = /^(?:\w+\()?\s*[`'"](\.{1,2}\/[^`'"$]*)/u;

function findPrefix(graph: CodeGraph, gap: number): string | undefined {
  const start = RELATIVE_START.exec(graph.gaps.text(gap))?.[1];
  if (start === undefined) return undefined;
  return posix.join(posix.dirname(graph.files.path(graph.gaps.file(gap))), start);
}

/** The extensions of languages that are not supported. */
export const OTHER_LANGUAGES =
  /\.(?:clj|dart|erl|ex|exs|fs|hs|jl|lua|m|ml|mm|nim|pl|scala|swift|vb|zig)$/u;

/** Not every unparsed file is code: documents and images import nothing. */
function isCode({ files }: CodeGraph, file: number): boolean {
  return files.kind(file) !== "asset" || OTHER_LANGUAGES.test(files.path(file));
}

/**
 * Another program may have locked the file, so it counts as unread code. A binary file with a
 * source extension does not.
 */
function isUnreadable({ gaps }: CodeGraph, file: number): boolean {
  return [...gaps.inFile(file)].some((gap) => gaps.text(gap) === "unreadable");
}

/** Imports of files that are not code, or that cannot be in the tree. */
const NO_CODE = /^\.|\.(?:css|scss|sass|less|svg|png|jpe?g|gif|webp|json|md|mdx|wasm|txt|html)$/u;

const unknownsOf: (graph: CodeGraph) => Unknowns = perGraph((graph) => {
  const { gaps, files } = graph;
  const dynamic: DynamicImport[] = [];
  let unresolved = unlistedPackages(graph).length;
  for (let gap = 0; gap < gaps.count; gap++) {
    const kind = gaps.kind(gap);
    if (kind === "dynamic") dynamic.push({ prefix: findPrefix(graph, gap) });
    const isImport = files.kind(gaps.file(gap)) !== "asset";
    if (kind === "unresolved" && isImport && !NO_CODE.test(gaps.text(gap))) unresolved += 1;
  }
  let [broken, unparsed, unread, byName] = [0, 0, 0, 0];
  for (let file = 0; file < files.count; file++) {
    const state = files.state(file);
    if (isNamedLanguage(files.language(file))) byName += 1;
    if (state === "failed" || state === "partial") broken += 1;
    else if (state === "skipped" && isCode(graph, file)) {
      if (isUnreadable(graph, file)) unread += 1;
      else unparsed += 1;
    }
  }
  return { dynamic, unresolved, broken, unparsed, unread, byName };
});

/** Computed imports that may refer to this file. */
export function getDynamicImports(graph: CodeGraph, path: string): number {
  const { dynamic } = unknownsOf(graph);
  return dynamic.filter(({ prefix }) => prefix === undefined || path.startsWith(prefix)).length;
}

/** Whether a computed import names the folder of this file. */
export function isDynamicallyNamed(graph: CodeGraph, path: string): boolean {
  const { dynamic } = unknownsOf(graph);
  return dynamic.some(({ prefix }) => prefix !== undefined && path.startsWith(prefix));
}

export function counted(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${many}`];
}

/** Why the graph may differ from the current files. */
export function pendingReasons({ pendingFiles }: Pick<GraphView, "pendingFiles">): string[] {
  return counted(pendingFiles, "changed file not read yet", "changed files not read yet");
}

/** Why an answer that needs symbols, entry points or tests may be incomplete. */
export function earlyReasons({ graph }: Pick<GraphView, "graph">): string[] {
  return graph.info.phase === "modules" ? ["symbols not read yet"] : [];
}

/**
 * Why any answer may be incomplete, or any answer about a file. With `isTop`, only the places of a
 * name at the top of the file matter.
 */
export function treeReasons(
  { graph, pendingFiles }: Pick<GraphView, "graph" | "pendingFiles">,
  file: number | undefined,
  isTop = false,
): string[] {
  return [
    ...pendingReasons({ pendingFiles }),
    ...(graph.info.absent ?? []),
    ...unsupportedFrameworks(graph, file, isTop),
    ...counted(unknownsOf(graph).unread, "file not read", "files not read"),
  ];
}

/** JavaScript files whose importers are missing, because imports lead to the types beside them. */
export function typedReasons(graph: CodeGraph, files: Iterable<number>): string[] {
  const count = countWithTypes(graph, files);
  return counted(
    count,
    "JavaScript file without importers, because imports lead to its type declarations",
    "JavaScript files without importers, because imports lead to their type declarations",
  );
}

/** Whether dependents of a file may be missing. */
export function getCompleteness(
  view: Pick<GraphView, "graph" | "pendingFiles">,
  path: string,
): Completeness {
  const { graph } = view;
  const { broken, unparsed, unresolved, byName } = unknownsOf(graph);
  const file = graph.files.find(path);
  const unimported = file === undefined ? 0 : filesUsingUnresolved(graph, file);
  return completenessFor([
    ...treeReasons(view, file),
    ...typedReasons(graph, file === undefined ? [] : [file]),
    ...counted(getDynamicImports(graph, path), "computed import", "computed imports"),
    ...counted(unresolved, "import that was not found", "imports that were not found"),
    ...counted(
      unimported,
      "file uses one of its names without an import",
      "files use its names without an import",
    ),
    ...counted(broken, "file with syntax errors", "files with syntax errors"),
    ...counted(unparsed, "file not parsed", "files not parsed"),
    ...counted(
      byName,
      "file whose references are found only by name",
      "files whose references are found only by name",
    ),
  ]);
}

export function completenessFor(why: readonly string[]): Completeness {
  return why.length === 0 ? { completeness: "exact" } : { completeness: "lower-bound", why };
}

/** Adds further reasons why an answer may be incomplete. */
export function lessComplete(known: Completeness, reasons: readonly string[]): Completeness {
  if (reasons.length === 0) return known;
  return { completeness: "lower-bound", why: [...(known.why ?? []), ...reasons] };
}
