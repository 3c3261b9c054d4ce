import type { CodeGraph } from "../../graph/index.ts";

export interface GraphProgress {
  readonly phase: "modules" | "symbols";
  readonly done: number;
  readonly total: number;
}

export interface OpenGraphOptions {
  /** The folder whose files make the graph. */
  readonly root: string;
  /** Ends the building; a graph that is already open stays as it is. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: GraphProgress) => void;
  /** False keeps the graph in memory only; otherwise it is saved in `.waybill/graph/cache`. */
  readonly cache?: boolean;
}

/** How a graph relates to the files on the disk. */
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
  /** How changes are noticed: told by the system, looked for now and then, or not at all. */
  readonly watching: "events" | "polling" | "off";
  /** Notes for the user: a saved graph that was unusable, an update that failed. */
  readonly notes: readonly string[];
}

/** The files of a tree in another state, such as that of an earlier commit. */
export interface OtherTree {
  /** Holds them; of one that is the same nothing but its name is looked at. */
  readonly folder: string;
  /** All of them, relative to the folder. */
  readonly paths: readonly string[];
  /** Whether a file has the content that the graph was made from. */
  readonly isSame: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

/** A graph that can be brought up to date. Answers always come from the last complete one. */
export interface OpenCodeGraph {
  readonly root: string;
  readonly graph: CodeGraph;
  /** Fulfilled once the symbols are there as well. */
  readonly ready: Promise<void>;
  state(): GraphState;
  /** Reads what changed on the disk; with `paths`, relative to the root, only that is looked at. */
  refresh(paths?: readonly string[]): Promise<CodeGraph>;
  /** While it is watched: takes over what has changed by now without waiting for quiet. */
  settle(): Promise<void>;
  /** Refreshes whenever files change, until it is closed. */
  watch(onChange?: (graph: CodeGraph) => void): void;
  /** The graph of another state of the same tree, made by reading what differs. */
  graphOf(other: OtherTree): Promise<CodeGraph>;
  close(): Promise<void>;
}
