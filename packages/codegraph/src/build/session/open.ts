import { realpathSync, statSync } from "node:fs";
import type { CodeGraph } from "../../graph/index.ts";
import { headRev } from "../../git/rev.ts";
import { walk } from "../files/walk.ts";
import { SourceTree } from "./source-tree.ts";

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
}

/** How a graph relates to the files on the disk. */
export interface GraphState {
  /** The commit that was checked out when the files were read. */
  readonly rev?: string;
  readonly indexedAt: number;
  readonly ageMs: number;
  /** Files that are known to have changed and are not yet read. */
  readonly pendingFiles: number;
  readonly phase: "modules" | "symbols";
}

/** A graph that can be brought up to date. Answers always come from the last complete one. */
export interface OpenCodeGraph {
  readonly root: string;
  readonly graph: CodeGraph;
  /** Fulfilled once the symbols are there as well. */
  readonly ready: Promise<void>;
  state(): GraphState;
  /** Reads what changed on the disk. */
  refresh(): Promise<CodeGraph>;
  close(): Promise<void>;
}

/** Reads the files below `root`; fulfilled with the first graph, which has no symbols yet. */
export async function openCodeGraph(options: OpenGraphOptions): Promise<OpenCodeGraph> {
  const root = checkedRoot(options.root);
  const session = new GraphSession(root, options);
  await session.refresh();
  return session;
}

function checkedRoot(root: string): string {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TypeError(`${root} is no folder; pass the folder that holds the source files`);
  }
  return realpathSync(root);
}

class GraphSession implements OpenCodeGraph {
  readonly root: string;
  readonly ready = Promise.resolve();
  readonly #options: OpenGraphOptions;
  readonly #tree: SourceTree;
  #graph: CodeGraph | undefined;
  #pending = 0;
  #updates: Promise<unknown> = Promise.resolve();

  constructor(root: string, options: OpenGraphOptions) {
    this.root = root;
    this.#options = options;
    this.#tree = new SourceTree(root);
  }

  get graph(): CodeGraph {
    if (!this.#graph) throw new Error("the graph is not built yet");
    return this.#graph;
  }

  state(): GraphState {
    const { rev, indexedAt, phase } = this.graph.info;
    const ageMs = Math.max(0, Date.now() - indexedAt);
    return {
      ...(rev !== undefined && { rev }),
      indexedAt,
      ageMs,
      phase,
      pendingFiles: this.#pending,
    };
  }

  /** One update after the other, so that none reads what another is about to replace. */
  refresh(): Promise<CodeGraph> {
    const update = this.#updates.then(() => this.#update());
    this.#updates = update.catch(() => undefined);
    return update;
  }

  async close(): Promise<void> {
    await this.#updates;
  }

  async #update(): Promise<CodeGraph> {
    const { signal, onProgress } = this.#options;
    signal?.throwIfAborted();
    const run = { cwd: this.root, ...(signal && { signal }) };
    const [stamps, rev] = await Promise.all([walk(this.root, run), headRev(run)]);
    const onRead = (done: number, total: number): void => {
      this.#pending = total - done;
      onProgress?.({ phase: "modules", done, total });
    };
    const changed = await this.#tree.update(stamps, { ...(signal && { signal }), onRead });
    if (this.#graph && changed.size === 0 && this.#graph.info.rev === rev) return this.#graph;
    return (this.#graph = this.#tree.link(rev));
  }
}
