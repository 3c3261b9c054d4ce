import { setImmediate } from "node:timers/promises";
import { headRev } from "../../git/read-git-files.ts";
import { CodeGraph } from "../../graph/index.ts";
import type { SavedGraph } from "../../graph/index.ts";
import { exoticRequires } from "../../settings/index.ts";
import type { GraphCache } from "../cache/graph-cache.ts";
import { Conventions } from "../entrypoints/conventions.ts";
import { absentReasons } from "../files/absent.ts";
import type { Stamp } from "../files/walk.ts";
import { editsAt, editsIn, isUnchanged } from "./edits.ts";
import { SourceTree } from "./source-tree.ts";
import { isRead, loadedState, withFiles } from "./states.ts";
import type { Complete, ReadState, TreeState } from "./states.ts";
import type { OpenGraphOptions } from "./types.ts";
import { walkTree } from "./walk-tree.ts";
import type { Walked } from "./walk-tree.ts";
import { HEAD } from "./watcher.ts";

/** The most edits to apply one by one. With more, everything is linked again. */
const MAX_EDITS = 16;
/** How far the string table may grow with unused strings before everything is linked again. */
const MAX_WEAR = 8;

/** Holds the state of a folder and its transitions. The caller runs updates one after the other. */
export class TreeUpdates {
  readonly #root: string;
  readonly #options: OpenGraphOptions;
  readonly #cache: GraphCache | undefined;
  #state: TreeState;
  #exotic: readonly string[] = [];
  #absent: readonly string[] = [];

  constructor(
    root: string,
    options: OpenGraphOptions,
    cache: GraphCache | undefined,
    saved: SavedGraph | undefined,
  ) {
    this.#root = root;
    this.#options = options;
    this.#cache = cache;
    this.#state = { at: "unread", saved };
  }

  get state(): TreeState {
    return this.#state;
  }

  /** The graph without implicit imports of frameworks. Edits are applied to it. */
  get graph(): CodeGraph {
    const graph = this.#state.at === "unread" ? undefined : this.#state.graph;
    if (!graph) throw new Error("the graph is not built yet");
    return graph;
  }

  async update(onCount: (files: number) => void, begun?: Promise<Walked>): Promise<CodeGraph> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    const [{ stamps, absent }, rev] = await (begun ?? walkTree(this.#root, signal));
    signal?.throwIfAborted();
    this.#absent = absentReasons(absent);
    this.#takeSettings();
    const state = this.#state;
    if (!isRead(state) && state.saved && isUnchanged(state.saved, stamps)) {
      const { saved } = state;
      return this.#enter({ at: "reopened", saved, graph: this.#as(saved.graph, rev) });
    }
    const edits = state.at === "complete" ? editsIn(state.tree.files, stamps) : undefined;
    return (edits && (await this.#edit(edits, rev))) ?? this.#readAll(stamps, rev, onCount);
  }

  /**
   * Checks only these paths on disk. If a file was added or removed, all files are listed again.
   */
  async updatePaths(
    paths: readonly string[],
    onCount: (files: number) => void,
  ): Promise<CodeGraph> {
    const others = paths.filter((path) => path !== HEAD);
    onCount(others.filter((path) => path !== ".").length);
    const isMoved = others.length < paths.length;
    const rev = isMoved ? await headRev({ cwd: this.#root }) : this.graph.info.rev;
    if (others.length === 0) return this.#stay(rev);
    // Only a complete state applies edits, and its tree keeps the numbers of the files.
    const state = this.#state;
    const edits =
      state.at === "complete"
        ? editsAt(this.#root, (path) => state.tree.find(path), others)
        : undefined;
    return (edits && (await this.#edit(edits, rev))) ?? this.update(onCount);
  }

  /** Reads the missing symbols. A failure is part of the state until they can be read. */
  async completeSymbols(): Promise<CodeGraph> {
    try {
      return await this.#complete();
    } catch (error) {
      const lack = `the symbols could not be read: ${String(error)}`;
      if (this.#state.at === "modules") this.#state = { ...this.#state, lack };
      throw error;
    }
  }

  /** The files as they were saved, so that only changed ones have to be read. */
  loaded(): ReadState {
    const state = this.#state;
    if (isRead(state)) return state;
    const files = state.saved && this.#cache?.loadFiles(state.saved);
    const graph = state.at === "reopened" ? state.graph : files && state.saved?.graph;
    const tree = new SourceTree(this.#root, this.#exotic, files?.files);
    const symbols = { files: files?.symbols ?? [] };
    const read = { tree, symbols, linked: undefined, changed: new Set<string>() };
    return (this.#state = loadedState(read, graph));
  }

  /** Applies edits to the tables; undefined if rows of other files may change too. */
  async #edit(
    edits: ReadonlyMap<number, Stamp>,
    rev: string | undefined,
  ): Promise<CodeGraph | undefined> {
    const state = this.#state;
    if (state.at !== "complete" || edits.size > MAX_EDITS || isWorn(state)) return undefined;
    const { tree, symbols, linked, graph } = state;
    const before = tree.files;
    const edited = await tree.edit(edits);
    if (!edited) return undefined;
    if (edited.length === 0) return this.#stay(rev);
    const changed = new Set(edited.map((id) => tree.files[id]!.path));
    // If this update fails, the next one repeats the changed files.
    this.#state = withFiles(state, { changed });
    const tables = linked.linker.editAll(graph.tables, before, tree.files, edited);
    if (!tables) {
      this.#state = withFiles(state, { changed, linked: tree.link(rev) });
      return this.#complete();
    }
    const next = await symbols.edit(graph, tables, tree.files, edited, linked.strings);
    return this.#enter({ ...state, graph: this.#as(next, rev) });
  }

  async #readAll(
    stamps: readonly Stamp[],
    rev: string | undefined,
    onCount: (files: number) => void,
  ): Promise<CodeGraph> {
    const { signal, onProgress } = this.#options;
    const onDone = (done: number, total: number): void => {
      onCount(total);
      onProgress?.({ phase: "modules", done, total });
    };
    const before = this.loaded();
    const { tree } = before;
    const read = await tree.update(stamps, { ...(signal && { signal }), onDone });
    const changed = new Set([...before.changed, ...read]);
    if (changed.size === 0 && before.graph) return this.#stay(rev);
    this.#state = withFiles(before, { changed });
    const linked = tree.link(rev);
    const state = withFiles(before, { changed, linked });
    // A graph with symbols is replaced only by another one with symbols.
    if (state.at === "modules") {
      return this.#enter({ ...state, graph: this.#as(linked.graph, rev) });
    }
    this.#state = state;
    return this.#complete();
  }

  /** Reads the missing symbols and publishes the complete graph. */
  async #complete(): Promise<CodeGraph> {
    const { signal, onProgress } = this.#options;
    // Callers that wait for the modules continue first, and may not need the symbols.
    await setImmediate();
    signal?.throwIfAborted();
    const onDone = (done: number, total: number): void =>
      onProgress?.({ phase: "symbols", done, total });
    const { tree, changed, ...state } = this.loaded();
    const linked = state.linked ?? tree.link(this.graph.info.rev);
    // Loaded late, so that the first answer about modules does not wait for it.
    const { SymbolTree } = await import("./symbol-tree.ts");
    const symbols =
      state.symbols instanceof SymbolTree
        ? state.symbols
        : new SymbolTree(this.#root, state.symbols.files);
    const conventions = new Conventions(tree.packages);
    const options = { ...(signal && { signal }), onDone, served: tree.served, conventions };
    const { graph, strings } = linked;
    const completed = await symbols.complete(graph, tree.files, changed, strings, options);
    const now = this.#as(completed, graph.info.rev);
    const none: ReadonlySet<string> = new Set();
    return this.#enter({ at: "complete", tree, symbols, linked, changed: none, graph: now });
  }

  /** If the settings have changed, all files are read again. */
  #takeSettings(): void {
    this.#exotic = exoticRequires(this.#root);
    const state = this.#state;
    const known = isRead(state) ? state.tree.exotic : state.saved?.graph.info.exotic;
    if (known?.join() === this.#exotic.join()) return;
    const tree = new SourceTree(this.#root, this.#exotic);
    this.#state =
      state.at === "unread"
        ? { at: "unread", saved: undefined }
        : withFiles(this.loaded(), { tree });
  }

  /** Keeps the graph, with the commit that is now checked out. */
  #stay(rev: string | undefined): CodeGraph {
    const graph = this.#as(this.graph, rev);
    return this.#state.at === "unread" ? graph : this.#enter({ ...this.#state, graph });
  }

  #enter(state: TreeState & { readonly graph: CodeGraph }): CodeGraph {
    this.#state = state;
    return state.graph;
  }

  /** The graph with the current state of the checkout. */
  #as(graph: CodeGraph, rev: string | undefined): CodeGraph {
    const { rev: before, absent: known = [], ...info } = graph.info;
    if (before === rev && known.join() === this.#absent.join()) return graph;
    const absent = this.#absent;
    return new CodeGraph(
      { ...info, ...(rev !== undefined && { rev }), ...(absent.length > 0 && { absent }) },
      graph.tables,
      graph.strings,
    );
  }
}

function isWorn({ linked }: Complete): boolean {
  return linked.strings.count > MAX_WEAR * linked.graph.strings.count;
}
