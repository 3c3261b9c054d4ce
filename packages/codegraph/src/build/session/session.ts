import { setImmediate } from "node:timers/promises";
import { headRev } from "../../git/rev.ts";
import { CodeGraph } from "../../graph/index.ts";
import type { SavedGraph } from "../../graph/index.ts";
import { exoticRequires } from "../../settings/index.ts";
import type { GraphCache } from "../cache/graph-cache.ts";
import { Conventions } from "../entrypoints/conventions.ts";
import type { Stamp } from "../files/walk.ts";
import type { LinkedModules } from "../link/build-graph.ts";
import { withImplicitImports } from "../frameworks/implicit-imports.ts";
import { absentReasons } from "../files/absent.ts";
import { editsAt, editsIn, isUnchanged } from "./edits.ts";
import { graphBeside } from "./graph-beside.ts";
import { SourceTree } from "./source-tree.ts";
import type { SymbolFile } from "./symbol-files.ts";
import type { SymbolTree } from "./symbol-tree.ts";
import type { GraphState, OpenCodeGraph, OpenGraphOptions, OtherTree } from "./types.ts";
import { walkTree } from "./walk-tree.ts";
import type { Walked } from "./walk-tree.ts";
import { HEAD, TreeWatcher } from "./watcher.ts";

/** With more edits at once, everything is linked again. */
const MAX_EDITS = 16;
/** How far the string table may grow with unused strings before everything is linked again. */
const MAX_WEAR = 8;

/** Holds the graph of one folder. Updates run one after the other. */
export class GraphSession implements OpenCodeGraph {
  readonly root: string;
  readonly #options: OpenGraphOptions;
  readonly #cache: GraphCache | undefined;
  #tree: SourceTree | undefined;
  #symbols: SymbolTree | undefined;
  #savedSymbols: readonly SymbolFile[] = [];
  #linked: LinkedModules | undefined;
  /** Files that were read since the symbols were last complete. */
  #changed = new Set<string>();
  #ready: Promise<void> = Promise.resolve();
  #graph: CodeGraph | undefined;
  #saved: SavedGraph | undefined;
  #exotic: readonly string[] = [];
  #absent: readonly string[] = [];
  #isSaved = false;
  /** The number of files in the running update. */
  #reading = 0;
  #comparedAt = 0;
  #updates: Promise<unknown> = Promise.resolve();
  #watcher: TreeWatcher | undefined;
  #failure: string | undefined;
  /** Why there are no symbols. A successful update of modules does not clear it. */
  #lack: string | undefined;

  constructor(root: string, options: OpenGraphOptions, cache: GraphCache | undefined) {
    this.root = root;
    this.#options = options;
    this.#cache = cache;
  }

  get graph(): CodeGraph {
    return withImplicitImports(this.#built);
  }

  /** The graph without implicit imports of frameworks. Edits are applied to it. */
  get #built(): CodeGraph {
    if (!this.#graph) throw new Error("the graph is not built yet");
    return this.#graph;
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  /** `walked` was started before the session was loaded. */
  async open(walked: Promise<Walked>): Promise<void> {
    this.#saved = this.#cache?.load();
    await this.#next(() => this.#update(walked));
    if (this.graph.info.phase !== "symbols") this.#start();
  }

  #start(): void {
    this.#ready = this.#finish();
    // Without this, a caller that does not wait for the symbols would get an unhandled rejection.
    this.#ready.catch((error: unknown) => {
      this.#lack = `the symbols could not be read: ${String(error)}`;
    });
  }

  state(): GraphState {
    const { rev, indexedAt, phase } = this.graph.info;
    const notes = [this.#cache?.note, this.#lack ?? this.#failure].filter(
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
    const next = () => (paths ? this.#updatePaths(paths) : this.#update());
    return withImplicitImports(await this.#next(next));
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
    const { exotic, files } = this.#restored();
    return graphBeside(
      { exotic, files, symbols: this.#symbols?.files ?? this.#savedSymbols },
      other,
    );
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    await this.#updates;
    this.#save();
  }

  #save(): void {
    if (this.#isSaved || !this.#graph || !this.#tree) return;
    this.#cache?.save(this.#graph, {
      files: this.#tree.files,
      symbols: this.#symbols?.files ?? this.#savedSymbols,
    });
    this.#isSaved = true;
  }

  async #finish(): Promise<void> {
    await this.#next(() => this.#complete());
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
      this.#failure = `the last update failed: ${String(error)}`;
    }
  }

  async #update(begun?: Promise<Walked>): Promise<CodeGraph> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    const [{ stamps, absent }, rev] = await (begun ?? walkTree(this.root, signal));
    signal?.throwIfAborted();
    this.#absent = absentReasons(absent);
    this.#takeSettings();
    const saved = this.#saved;
    if (!this.#tree && saved && isUnchanged(saved, stamps)) {
      [this.#graph, this.#isSaved] = [this.#as(saved.graph, rev), true];
      return this.#graph;
    }
    const edits = editsIn(this.#tree?.files ?? [], stamps);
    return (edits && (await this.#edit(edits, rev))) ?? this.#take(stamps, rev);
  }

  /** Checks only these paths. If a file was added or removed, all files are listed again. */
  async #updatePaths(paths: readonly string[]): Promise<CodeGraph> {
    const others = paths.filter((path) => path !== HEAD);
    this.#reading = others.filter((path) => path !== ".").length;
    const isMoved = others.length < paths.length;
    const rev = isMoved ? await headRev({ cwd: this.root }) : this.graph.info.rev;
    if (others.length === 0) return (this.#graph = this.#as(this.#built, rev));
    const edits = editsAt(this.root, this.graph.files, others);
    return (edits && (await this.#edit(edits, rev))) ?? this.#update();
  }

  /** Undefined if more than the rows of these files may change. */
  async #edit(
    edits: ReadonlyMap<number, Stamp>,
    rev: string | undefined,
  ): Promise<CodeGraph | undefined> {
    const [tree, symbols, linked, graph] = [this.#tree, this.#symbols, this.#linked, this.#graph];
    if (!tree || !symbols || !linked || graph?.info.phase !== "symbols") return undefined;
    const isWorn = linked.strings.count > MAX_WEAR * linked.graph.strings.count;
    if (edits.size > MAX_EDITS || isWorn || this.#changed.size > 0) return undefined;
    const before = tree.files;
    const edited = await tree.edit(edits);
    if (edited?.length === 0) return (this.#graph = this.#as(graph, rev));
    if (!edited) return undefined;
    this.#isSaved = false;
    // They count as changed until the end, so that the next update repeats them if this one fails.
    for (const id of edited) this.#changed.add(tree.files[id]!.path);
    const tables = linked.linker.editAll(graph.tables, before, tree.files, edited);
    if (!tables) {
      this.#linked = tree.link(rev);
      return this.#complete();
    }
    const next = await symbols.edit(graph, tables, tree.files, edited, linked.strings);
    this.#changed = new Set();
    return (this.#graph = this.#as(next, rev));
  }

  async #take(stamps: readonly Stamp[], rev: string | undefined): Promise<CodeGraph> {
    const { signal, onProgress } = this.#options;
    const onRead = (done: number, total: number): void => {
      this.#reading = total;
      onProgress?.({ phase: "modules", done, total });
    };
    const tree = this.#restored();
    const options = { ...(signal && { signal }), onDone: onRead };
    const changed = await tree.update(stamps, options);
    for (const path of changed) this.#changed.add(path);
    if (this.#changed.size === 0 && this.#graph) return (this.#graph = this.#as(this.#graph, rev));
    this.#linked = tree.link(rev);
    this.#isSaved = false;
    // A graph with symbols is replaced only by another one with symbols.
    if (this.#graph?.info.phase === "symbols") return this.#complete();
    this.#graph = this.#as(this.#linked.graph, rev);
    // Tries again, because the files have changed.
    if (this.#lack !== undefined) this.#start();
    return this.#graph;
  }

  /** Reads the missing symbols and publishes the complete graph. */
  async #complete(): Promise<CodeGraph> {
    const { signal, onProgress } = this.#options;
    // Callers that wait for the modules continue first, and may not need the symbols.
    await setImmediate();
    signal?.throwIfAborted();
    const onDone = (done: number, total: number): void =>
      onProgress?.({ phase: "symbols", done, total });
    const { files, served, packages } = this.#restored();
    const { graph, strings } = (this.#linked ??= this.#restored().link(this.graph.info.rev));
    // Loaded late, so that the first answer about modules does not wait for it.
    const { SymbolTree } = await import("./symbol-tree.ts");
    const symbols = (this.#symbols ??= new SymbolTree(this.root, this.#savedSymbols));
    const conventions = new Conventions(packages);
    const options = { ...(signal && { signal }), onDone, served, conventions };
    const completed = await symbols.complete(graph, files, this.#changed, strings, options);
    this.#graph = this.#as(completed, graph.info.rev);
    this.#changed = new Set();
    this.#isSaved = false;
    this.#lack = undefined;
    return this.#graph;
  }

  /** If the settings have changed, all files are read again. */
  #takeSettings(): void {
    this.#exotic = exoticRequires(this.root);
    const known = this.#tree?.exotic ?? this.#saved?.graph.info.exotic;
    if (known?.join() === this.#exotic.join()) return;
    [this.#tree, this.#saved] = [undefined, undefined];
  }

  /** The files as they were saved, so that only changed ones have to be read. */
  #restored(): SourceTree {
    if (this.#tree) return this.#tree;
    const saved = this.#saved && this.#cache?.loadFiles(this.#saved);
    if (saved) {
      this.#graph ??= this.#saved?.graph;
      this.#savedSymbols = saved.symbols;
    }
    return (this.#tree = new SourceTree(this.root, this.#exotic, saved?.files));
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
