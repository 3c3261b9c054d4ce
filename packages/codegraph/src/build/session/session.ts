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

/** More edits than this at once are linked as a whole. */
const MAX_EDITS = 16;
/** Unused strings stay until everything is linked again. */
const MAX_WEAR = 8;

/** Keeps the graph of one folder; one update runs after the other. */
export class GraphSession implements OpenCodeGraph {
  readonly root: string;
  readonly #options: OpenGraphOptions;
  readonly #cache: GraphCache | undefined;
  #tree: SourceTree | undefined;
  #symbols: SymbolTree | undefined;
  #savedSymbols: readonly SymbolFile[] = [];
  #linked: LinkedModules | undefined;
  /** Files that were read again since the symbols were last complete. */
  #changed = new Set<string>();
  #ready: Promise<void> = Promise.resolve();
  #graph: CodeGraph | undefined;
  #saved: SavedGraph | undefined;
  #exotic: readonly string[] = [];
  #absent: readonly string[] = [];
  #isSaved = false;
  /** Files that the update which is running is about, until their graph is there. */
  #reading = 0;
  #comparedAt = 0;
  #updates: Promise<unknown> = Promise.resolve();
  #watcher: TreeWatcher | undefined;
  #failure: string | undefined;
  /** Why there are no symbols; updates of modules that work do not fix it. */
  #lack: string | undefined;

  constructor(root: string, options: OpenGraphOptions, cache: GraphCache | undefined) {
    this.root = root;
    this.#options = options;
    this.#cache = cache;
  }

  get graph(): CodeGraph {
    return withImplicitImports(this.#built);
  }

  /** The graph without what frameworks add, which is what edits are applied to. */
  get #built(): CodeGraph {
    if (!this.#graph) throw new Error("the graph is not built yet");
    return this.#graph;
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  /** `walked` was begun before the session was there. */
  async open(walked: Promise<Walked>): Promise<void> {
    this.#saved = this.#cache?.load();
    await this.#next(() => this.#update(walked));
    if (this.graph.info.phase !== "symbols") this.#start();
  }

  #start(): void {
    this.#ready = this.#finish();
    // A caller that does not wait for the symbols must not get their failure.
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

  /** One update after the other, so that none reads what another is about to replace. */
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

  /** Looks only at these, unless one came or went: then all files are listed again. */
  async #updatePaths(paths: readonly string[]): Promise<CodeGraph> {
    const others = paths.filter((path) => path !== HEAD);
    this.#reading = others.filter((path) => path !== ".").length;
    const isMoved = others.length < paths.length;
    const rev = isMoved ? await headRev({ cwd: this.root }) : this.graph.info.rev;
    if (others.length === 0) return (this.#graph = this.#as(this.#built, rev));
    const edits = editsAt(this.root, this.graph.files, others);
    return (edits && (await this.#edit(edits, rev))) ?? this.#update();
  }

  /** Undefined when more than the rows of these files may change. */
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
    // Until the end they count as changed: should this fail, the next update starts from them.
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
    // A graph that has symbols is only replaced by one that has them too.
    if (this.#graph?.info.phase === "symbols") return this.#complete();
    this.#graph = this.#as(this.#linked.graph, rev);
    // With other files it may work.
    if (this.#lack !== undefined) this.#start();
    return this.#graph;
  }

  /** Reads the symbols that are missing and publishes the graph that has them all. */
  async #complete(): Promise<CodeGraph> {
    const { signal, onProgress } = this.#options;
    // Callers that wait for the modules continue first, and may not need the symbols.
    await setImmediate();
    signal?.throwIfAborted();
    const onDone = (done: number, total: number): void =>
      onProgress?.({ phase: "symbols", done, total });
    const { files, served, packages } = this.#restored();
    const { graph, strings } = (this.#linked ??= this.#restored().link(this.graph.info.rev));
    // Loaded only now: the first answer, which is about modules, does not wait for it.
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

  /** Files that were read by other settings say something else: all are read again. */
  #takeSettings(): void {
    this.#exotic = exoticRequires(this.root);
    const known = this.#tree?.exotic ?? this.#saved?.graph.info.exotic;
    if (known?.join() === this.#exotic.join()) return;
    [this.#tree, this.#saved] = [undefined, undefined];
  }

  /** The files as they were saved, so that only what changed since has to be read. */
  #restored(): SourceTree {
    if (this.#tree) return this.#tree;
    const saved = this.#saved && this.#cache?.loadFiles(this.#saved);
    if (saved) {
      this.#graph ??= this.#saved?.graph;
      this.#savedSymbols = saved.symbols;
    }
    return (this.#tree = new SourceTree(this.root, this.#exotic, saved?.files));
  }

  /** The graph with what is known of the checkout now. */
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
