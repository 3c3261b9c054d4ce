import type { CodeGraph, SavedGraph } from "../../graph/index.ts";
import type { LinkedModules } from "../link/build-graph.ts";
import type { SourceTree } from "./source-tree.ts";
import type { SymbolFile } from "./symbol-files.ts";
import type { SymbolTree } from "./symbol-tree.ts";

/** What is held of a folder between two updates, each with what the next one starts from. */
export type TreeState = Unread | Reopened | ReadState;

/** The states in which the files of the folder are in memory. */
export type ReadState = ModulesRead | Behind | Complete;

/** There is no graph. A saved one is taken if the files on the disk are still the same. */
interface Unread {
  readonly at: "unread";
  readonly saved: SavedGraph | undefined;
}

/** The saved graph describes the disk. Its files are loaded once something needs them. */
interface Reopened {
  readonly at: "reopened";
  readonly saved: SavedGraph;
  readonly graph: CodeGraph;
}

interface ReadFiles {
  readonly tree: SourceTree;
  readonly symbols: { readonly files: readonly SymbolFile[] };
  readonly linked: LinkedModules | undefined;
  /** Files that were read again since the symbols were last complete. */
  readonly changed: ReadonlySet<string>;
}

/** The symbols are missing. */
interface ModulesRead extends ReadFiles {
  readonly at: "modules";
  /** Undefined until the files are linked for the first time. */
  readonly graph: CodeGraph | undefined;
  /** Why the symbols could not be read. */
  readonly lack?: string;
}

/** The graph has symbols, but not yet those of the changed files. */
interface Behind extends ReadFiles {
  readonly at: "behind";
  readonly graph: CodeGraph;
}

/** The graph describes all files. Only from here a few edits can be applied by themselves. */
export interface Complete extends ReadFiles {
  readonly at: "complete";
  readonly graph: CodeGraph;
  readonly symbols: SymbolTree;
  readonly linked: LinkedModules;
}

/** The state of files that were loaded for a graph, if there is one. */
export function loadedState(files: ReadFiles, graph: CodeGraph | undefined): ModulesRead | Behind {
  return graph?.info.phase === "symbols"
    ? { at: "behind", ...files, graph }
    : { at: "modules", ...files, graph };
}

/** The state after files were read that the graph does not describe. */
export function withFiles(state: ReadState, files: Partial<ReadFiles>): ModulesRead | Behind {
  return state.at === "modules" ? { ...state, ...files } : { ...state, ...files, at: "behind" };
}

export function isRead(state: TreeState): state is ReadState {
  return state.at !== "unread" && state.at !== "reopened";
}
