import type { CodeGraph, SavedGraph } from "../../graph/index.ts";
import type { LinkedModules } from "../link/build-graph.ts";
import type { SourceTree } from "./source-tree.ts";
import type { SymbolFile } from "./symbol-files.ts";
import type { SymbolTree } from "./symbol-tree.ts";

/** The state of a folder between two updates. Each state has the data that the next update needs. */
export type TreeState = Unread | Reopened | ReadState;

/** The states in which the files of the folder are in memory. */
export type ReadState = ModulesRead | Behind | Complete;

/** There is no graph yet. A saved graph is used if the files on the disk have not changed. */
interface Unread {
  readonly at: "unread";
  readonly saved: SavedGraph | undefined;
}

/** The saved graph matches the disk. The data of its files is loaded when it is needed. */
interface Reopened {
  readonly at: "reopened";
  readonly saved: SavedGraph;
  readonly graph: CodeGraph;
}

interface ReadFiles {
  readonly tree: SourceTree;
  readonly symbols: { readonly files: readonly SymbolFile[] };
  readonly linked: LinkedModules | undefined;
  /** Files that were read since the symbols were last complete. */
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

/** The graph has all files and symbols. Only in this state a few edits are applied on their own. */
export interface Complete extends ReadFiles {
  readonly at: "complete";
  readonly graph: CodeGraph;
  readonly symbols: SymbolTree;
  readonly linked: LinkedModules;
}

/** The state after the data of the files was loaded. */
export function loadedState(files: ReadFiles, graph: CodeGraph | undefined): ModulesRead | Behind {
  return graph?.info.phase === "symbols"
    ? { at: "behind", ...files, graph }
    : { at: "modules", ...files, graph };
}

/** The state after files were read that the graph does not have yet. */
export function withFiles(state: ReadState, files: Partial<ReadFiles>): ModulesRead | Behind {
  return state.at === "modules" ? { ...state, ...files } : { ...state, ...files, at: "behind" };
}

export function isRead(state: TreeState): state is ReadState {
  return state.at !== "unread" && state.at !== "reopened";
}
