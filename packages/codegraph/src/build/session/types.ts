import type { CodeGraph } from "../../graph/index.ts";

export interface GraphProgress {
  readonly phase: "modules" | "symbols";
  readonly done: number;
  readonly total: number;
}

export interface OpenGraphOptions {
  /** The root folder of the graph. */
  readonly root: string;
  /** Stops building. An open graph stays usable. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: GraphProgress) => void;
  /** Whether the graph is saved in `.waybill/graph/cache`, or kept in memory only. */
  readonly cache?: boolean;
}

/** How current a graph is, compared with the disk. */
export interface GraphState {
  /** The commit that was checked out when the files were read. */
  readonly rev?: string;
  /** When a file last changed the graph. */
  readonly indexedAt: number;
  /** How long ago the graph was last compared with the disk. */
  readonly ageMs: number;
  /** Files that are known to have changed and are not yet in the graph. */
  readonly pendingFiles: number;
  readonly phase: "modules" | "symbols";
  /** How changes are detected: by system events, by polling, or not at all. */
  readonly watching: "events" | "polling" | "off";
  /** Notes for the user, such as a saved graph that was unusable or an update that failed. */
  readonly notes: readonly string[];
}

/** The files of a tree in another state, such as an earlier commit. */
export interface OtherTree {
  /** The folder with the files. Unchanged files are not read from it. */
  readonly folder: string;
  /** All paths, relative to the folder. */
  readonly paths: readonly string[];
  /** Whether a file has the same content as in the graph. */
  readonly isSame: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

/** A graph that can be updated. Answers always use the last complete version. */
export interface OpenCodeGraph {
  readonly root: string;
  readonly graph: CodeGraph;
  /** Resolves when the symbols are complete. */
  readonly ready: Promise<void>;
  state(): GraphState;
  /** Reads changed files. `paths` limits it to some, relative to the root. */
  refresh(paths?: readonly string[]): Promise<CodeGraph>;
  /** If the graph is watched: applies the changes so far, without waiting for a pause. */
  settle(): Promise<void>;
  /** Updates whenever files change, until the graph is closed. */
  watch(onChange?: (graph: CodeGraph) => void): void;
  /** The graph of another state of the same tree. Only changed files are read. */
  graphOf(other: OtherTree): Promise<CodeGraph>;
  close(): Promise<void>;
}
