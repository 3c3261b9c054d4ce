import { posix } from "node:path";
import type { CodeGraph } from "../graph/index.ts";
import { perGraph } from "../analysis/index.ts";
import type { GraphView } from "./view.ts";

/** Whether an answer about dependents may lack some, and why. */
export interface Completeness {
  readonly completeness: "exact" | "lower-bound";
  readonly why?: readonly string[];
}

interface DynamicImport {
  /** What its path begins with, where that can be read off the text. */
  readonly prefix: string | undefined;
}

interface Unknowns {
  readonly dynamic: readonly DynamicImport[];
  readonly broken: number;
  readonly unparsed: number;
}

const RELATIVE_START = /^(?:\w+\()?\s*[`'"](\.{1,2}\/[^`'"$]*)/u;

function prefixOf(graph: CodeGraph, gap: number): string | undefined {
  const start = RELATIVE_START.exec(graph.gaps.text(gap))?.[1];
  if (start === undefined) return undefined;
  return posix.join(posix.dirname(graph.files.path(graph.gaps.file(gap))), start);
}

const OTHER_LANGUAGES =
  /\.(?:c|cc|clj|cpp|cs|dart|erl|ex|exs|fs|h|hpp|hs|java|jl|kt|kts|lua|m|ml|mm|nim|php|pl|rb|rs|scala|swift|vb|zig)$/u;

/** Not every file that is not parsed is code: documents and pictures import nothing. */
function isCode({ files }: CodeGraph, file: number): boolean {
  return files.kind(file) !== "asset" || OTHER_LANGUAGES.test(files.path(file));
}

const unknownsOf: (graph: CodeGraph) => Unknowns = perGraph((graph) => {
  const dynamic: DynamicImport[] = [];
  for (let gap = 0; gap < graph.gaps.count; gap++) {
    if (graph.gaps.kind(gap) === "dynamic") dynamic.push({ prefix: prefixOf(graph, gap) });
  }
  let broken = 0;
  let unparsed = 0;
  for (let file = 0; file < graph.files.count; file++) {
    const state = graph.files.state(file);
    if (state === "failed" || state === "partial") broken += 1;
    else if (state === "skipped" && isCode(graph, file)) unparsed += 1;
  }
  return { dynamic, broken, unparsed };
});

/** Imports computed at run time whose path cannot be told apart from this file's. */
function dynamicImportsOf(graph: CodeGraph, path: string): number {
  const { dynamic } = unknownsOf(graph);
  return dynamic.filter(({ prefix }) => prefix === undefined || path.startsWith(prefix)).length;
}

/** Whether a computed import names a folder that this file is in. */
export function isDynamicallyNamed(graph: CodeGraph, path: string): boolean {
  const { dynamic } = unknownsOf(graph);
  return dynamic.some(({ prefix }) => prefix !== undefined && path.startsWith(prefix));
}

function counted(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${many}`];
}

/** Why the graph may not be as the files are now. */
export function pendingReasons({ pendingFiles }: Pick<GraphView, "pendingFiles">): string[] {
  return counted(pendingFiles, "changed file not read yet", "changed files not read yet");
}

/** What may be missing among the dependents of a file, or of one of its symbols. */
export function completenessOf(
  { graph, pendingFiles }: Pick<GraphView, "graph" | "pendingFiles">,
  path: string,
  about: "file" | "symbol" = "file",
): Completeness {
  const { broken, unparsed } = unknownsOf(graph);
  const why = [
    ...pendingReasons({ pendingFiles }),
    ...counted(dynamicImportsOf(graph, path), "computed import", "computed imports"),
    ...counted(broken, "file with syntax errors", "files with syntax errors"),
    ...counted(unparsed, "file not parsed", "files not parsed"),
    ...(about === "symbol" && graph.info.phase === "modules" ? ["symbols not read yet"] : []),
  ];
  return why.length === 0 ? { completeness: "exact" } : { completeness: "lower-bound", why };
}

/** The same with further reasons, if there are any. */
export function lessComplete(known: Completeness, reasons: readonly string[]): Completeness {
  if (reasons.length === 0) return known;
  return { completeness: "lower-bound", why: [...(known.why ?? []), ...reasons] };
}
