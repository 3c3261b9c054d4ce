import type { CodeGraph, GraphTables } from "../../graph/index.ts";
import type { GraphCache } from "../cache/graph-cache.ts";
import { withImplicitImports } from "../frameworks/implicit-imports.ts";
import { graphBeside } from "./graph-beside.ts";
import { TreeUpdates } from "./tree-updates.ts";
import type { GraphState, OpenCodeGraph, OpenGraphOptions, OtherTree } from "./types.ts";
import type { Walked } from "./walk-tree.ts";
import { TreeWatcher } from "./watcher.ts";

/** Holds the graph of one folder. Updates run one after the other. */
export class GraphSession implements OpenCodeGraph {
  readonly root: string;
  readonly #cache: GraphCache | undefined;
  readonly #tree: TreeUpdates;
  /** The tables that are saved on disk. A graph with other tables is not saved yet. */
  #savedTables: GraphTables | undefined;
  #ready: Promise<void> = Promise.resolve();
  /** The number of files in the running update. */
  #reading = 0;
  readonly #count = (files: number): void => {
    this.#reading = files;
  };
  #comparedAt = 0;
  #updates: Promise<unknown> = Promise.resolve();
  #watcher: TreeWatcher | undefined;
  #failure: string | undefined;

  constructor(root: string, options: OpenGraphOptions, cache: GraphCache | undefined) {
    this.root = root;
    this.#cache = cache;
    const saved = cache?.load();
    this.#savedTables = saved?.graph.tables;
    this.#tree = new TreeUpdates(root, options, cache, saved);
  }

  get graph(): CodeGraph {
    return withImplicitImports(this.#tree.graph);
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  /** `walked` is a file walk that was started before this code was loaded. */
  async open(walked: Promise<Walked>): Promise<void> {
    await this.#next(() => this.#tree.update(this.#count, walked));
    if (this.graph.info.phase !== "symbols") this.#start();
  }

  #start(): void {
    this.#ready = this.#finish();
    // Without this, a caller that does not wait for the symbols would get an unhandled rejection.
    this.#ready.catch(() => undefined);
  }

  state(): GraphState {
    const { rev, indexedAt, phase } = this.graph.info;
    const notes = [this.#cache?.note, this.#lack() ?? this.#failure].filter(
      (note) => note !== undefined,
    );
    return {
      ...(rev !== undefined && { rev }),
      indexedAt,
      ageMs: Math.max(0, Date.now() - this.#comparedAt),
      phase,
      pendingFiles: this.#reading + (this.#watcher?.pending ?? 0),
      watching: this.#watcher?.mode ?? "off",
      notes,
    };
  }

  async refresh(paths?: readonly string[]): Promise<CodeGraph> {
    return withImplicitImports(await this.#next(() => this.#refresh(paths)));
  }

  async #refresh(paths?: readonly string[]): Promise<CodeGraph> {
    const before = this.#tree.graph;
    const graph = await (paths
      ? this.#tree.updatePaths(paths, this.#count)
      : this.#tree.update(this.#count));
    // The files have changed in the meantime, so the update runs again.
    if (graph !== before && this.#lack() !== undefined) this.#start();
    return graph;
  }

  /** Why there are no symbols. A successful update of modules does not clear it. */
  #lack(): string | undefined {
    const { state } = this.#tree;
    return state.at === "modules" ? state.lack : undefined;
  }

  watch(onChange?: (graph: CodeGraph) => void): void {
    const watcher = (this.#watcher ??= new TreeWatcher(this.root, async (paths) => {
      const before = this.graph;
      const graph = await this.refresh(paths).catch(() => before);
      watcher.follow(graph.files);
      if (graph !== before) onChange?.(graph);
    }));
    watcher.follow(this.graph.files);
  }

  async settle(): Promise<void> {
    await this.#watcher?.settle();
  }

  async graphOf(other: OtherTree): Promise<CodeGraph> {
    await this.#ready;
    const { tree, symbols } = this.#tree.loaded();
    return graphBeside({ exotic: tree.exotic, files: tree.files, symbols: symbols.files }, other);
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    await this.#updates;
    this.#save();
  }

  #save(): void {
    const { state } = this.#tree;
    if (state.at !== "modules" && state.at !== "complete") return;
    const { graph, tree, symbols } = state;
    if (!graph || graph.tables === this.#savedTables) return;
    this.#cache?.save(graph, { files: tree.files, symbols: symbols.files });
    this.#savedTables = graph.tables;
  }

  async #finish(): Promise<void> {
    await this.#next(() => this.#tree.completeSymbols());
    this.#save();
  }

  /** Runs updates one after the other, so that none reads data that another is replacing. */
  #next(update: () => Promise<CodeGraph>): Promise<CodeGraph> {
    const next = this.#updates.then(update);
    this.#updates = this.#remember(next);
    return next;
  }

  async #remember(update: Promise<CodeGraph>): Promise<void> {
    try {
      await update;
      [this.#reading, this.#failure] = [0, undefined];
      this.#comparedAt = Date.now();
    } catch (error) {
      this.#failure = `the last update of the code graph failed, so answers may be out of date; ask again after correcting this: ${String(error)}`;
    }
  }
}
