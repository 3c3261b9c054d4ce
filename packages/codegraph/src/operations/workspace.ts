import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "@waybill/core";
import { ANNOTATIONS_FILE, loadAnnotations, withAnnotations } from "../annotations/index.ts";
import type { Annotations } from "../annotations/index.ts";
import { openCodeGraph } from "../build/index.ts";
import type { GraphProgress, GraphState, OpenCodeGraph } from "../build/index.ts";
import type { CodeGraph } from "../graph/index.ts";
import type { ChangedFile, GraphView } from "../query/index.ts";
import { loadRules } from "../rules/index.ts";
import type { LayerRules } from "../rules/index.ts";
import { loadScipIndex, SCIP_FILE, withScipIndex } from "../scip/index.ts";
import type { ScipIndex } from "../scip/index.ts";
import { RULES_FILE } from "../settings/index.ts";
import { changedFiles } from "./git-changes.ts";
import { graphAtRevision } from "./graph-at-revision.ts";
import { KnownChanges } from "./known-changes.ts";
import { SourceLines } from "./source-lines.ts";
import { SourceWords } from "./source-words.ts";
import { WatchedFile } from "./watched-file.ts";

export interface GraphWorkspaceOptions {
  /** The folder of the code base. */
  readonly root: string;
  /**
   * How long to wait, in milliseconds: for symbols, if the answer would be poorer without them, and
   * for updates. A single question can wait longer (default: 1,500).
   */
  readonly patienceMs?: number;
  /** Called with the progress of the first read. */
  readonly onProgress?: (progress: GraphProgress) => void;
}

/**
 * Whether a question needs symbols. `waits`: the answer is useless without symbols. `likes`: the
 * answer is better with symbols.
 */
export type SymbolNeed = "waits" | "likes" | "none";

/** How current an answer is. Included only if the answer is not current or not complete. */
export interface IndexState {
  readonly phase: "modules" | "symbols";
  readonly ageMs: number;
  readonly pendingFiles: number;
  /** Problems such as a damaged saved graph. Each is reported once. */
  readonly notes?: readonly string[];
}

/** A graph with additions, and the data that was added. */
interface Overlay {
  readonly annotations: Annotations;
  readonly scip: ScipIndex | undefined;
  readonly view: CodeGraph;
}

/** The state that a watcher reports. */
export interface WatchState extends GraphState {
  readonly files: number;
  readonly edges: number;
}

function watchState(opened: OpenCodeGraph): WatchState {
  const { files, imports } = opened.graph;
  return { files: files.count, edges: imports.count, ...opened.state() };
}

/** The interval after which the disk is checked again. With a watcher this is only a safeguard. */
const FRESH_MS = 1_000;
const CERTAIN_MS = 30_000;
const PATIENCE_MS = 1_500;

/** A code base: its graph, which the first question opens, and people's annotations. */
export class GraphWorkspace {
  readonly root: string;
  readonly #lines: SourceLines;
  readonly #words: SourceWords;
  readonly #annotations: WatchedFile<Annotations>;
  readonly #rules: WatchedFile<LayerRules>;
  readonly #scip: WatchedFile<ScipIndex | undefined>;
  readonly #closed = new AbortController();
  readonly #patienceMs: number;
  readonly #onProgress: GraphWorkspaceOptions["onProgress"];
  #opening: Promise<OpenCodeGraph> | undefined;
  #opened: OpenCodeGraph | undefined;
  #checkedAt = 0;
  #hasAnswered = false;
  readonly #told = new Set<string>();
  readonly #changes = new KnownChanges();
  readonly #overlays = new WeakMap<CodeGraph, Overlay>();

  constructor({ root, patienceMs = PATIENCE_MS, onProgress }: GraphWorkspaceOptions) {
    this.root = checkedRoot(root);
    this.#patienceMs = patienceMs;
    this.#onProgress = onProgress;
    this.#lines = new SourceLines(this.root);
    this.#words = new SourceWords(this.root);
    this.#annotations = new WatchedFile(join(this.root, ANNOTATIONS_FILE), () =>
      loadAnnotations(this.root),
    );
    this.#rules = new WatchedFile(join(this.root, RULES_FILE), () => loadRules(this.root));
    this.#scip = new WatchedFile(join(this.root, SCIP_FILE), () => loadScipIndex(this.root));
  }

  /** The current graph, or the last complete one while an update runs. */
  async view(symbols: SymbolNeed, signal?: AbortSignal): Promise<GraphView> {
    const opened = await this.#open();
    await this.#refresh(opened);
    const [annotations, rules, scip] = await Promise.all([
      this.#annotations.read(),
      this.#rules.read(),
      this.#scip.read(),
    ]);
    await readBy(opened, rules);
    if (symbols === "waits") await symbolsRead(opened);
    // Without symbols, the answer is poorer and says so, but it is not refused.
    if (symbols === "likes") await this.#patiently(opened.ready, signal);
    signal?.throwIfAborted();
    const changedSince: GraphView["changedSince"] = (since, given) =>
      this.#changedSince(opened, since, given);
    return {
      root: this.root,
      graph: this.#withAdditions(opened.graph, annotations, scip),
      pendingFiles: opened.state().pendingFiles,
      ignores: annotations.ignores,
      rules,
      words: (terms, given) => this.#words.find(opened.graph, terms, given),
      lines: (path) => this.#lines.lines(path),
      lineText: (path, line) => this.#lines.lineText(path, line),
      changedSince,
      graphAt: async (since, given) => {
        const before = await graphAtRevision(opened, since, changedSince, given);
        // A SCIP index describes the files as they are now, so it is not added to an earlier state.
        return this.#withAdditions(before, annotations, undefined);
      },
    };
  }

  /** Git's changes. They are cached only if a watcher reports changed files. */
  #changedSince(
    opened: OpenCodeGraph,
    since: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly ChangedFile[]> {
    const run = { cwd: this.root, ...(signal && { signal }) };
    if (opened.state().watching !== "events") return changedFiles(since, run);
    return this.#changes.since(since, opened.graph, run);
  }

  /** Undefined if everything needed was read and no change is pending. */
  async state(symbols: SymbolNeed, view: GraphView): Promise<IndexState | undefined> {
    const { ageMs, notes } = (await this.#open()).state();
    const { pendingFiles } = view;
    const { phase } = view.graph.info;
    const isComplete = phase === "symbols" || symbols === "none";
    // Notes are repeated in every incomplete answer.
    const untold = isComplete ? notes.filter((note) => !this.#told.has(note)) : notes;
    for (const note of untold) this.#told.add(note);
    if (isComplete && pendingFiles === 0 && untold.length === 0) return undefined;
    return { phase, ageMs, pendingFiles, ...(untold.length > 0 && { notes: untold }) };
  }

  /** Keeps the graph up to date from now on, and reports each change. */
  async watch(onChange?: (state: WatchState) => void): Promise<WatchState> {
    const opened = await this.#open();
    opened.watch(() => {
      this.#lines.forget();
      onChange?.(watchState(opened));
    });
    return watchState(opened);
  }

  /** Whether the tree was opened, so that its commit is known. */
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /** The commit that answers are about; undefined before the tree is open, or without commits. */
  get rev(): string | undefined {
    return this.#opened?.state().rev;
  }

  /** Cancels reads that no question waits for. */
  async close(): Promise<void> {
    if (this.#opened?.state().phase !== "symbols") this.#closed.abort();
    const opened = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    await opened?.close();
  }

  #open(): Promise<OpenCodeGraph> {
    if (this.#opening === undefined) {
      this.#opening = this.#openNow();
      this.#checkedAt = Date.now();
      // A failed build is forgotten, because it may work the next time.
      this.#opening.catch(() => {
        this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  async #openNow(): Promise<OpenCodeGraph> {
    const onProgress = this.#onProgress && { onProgress: this.#onProgress };
    const { signal } = this.#closed;
    this.#opened = await openCodeGraph({ root: this.root, signal, ...onProgress });
    return this.#opened;
  }

  /**
   * Updates the graph, with a limited wait. If it takes longer, the last complete graph answers and
   * says how old it is.
   */
  async #refresh(opened: OpenCodeGraph): Promise<void> {
    const isTold = opened.state().watching === "events";
    const age = Date.now() - this.#checkedAt;
    // Changes before the watcher started caused no event, so the disk is checked.
    const isBegun = this.#follow(opened);
    if (isTold) {
      await this.#patiently(opened.settle());
      // Some file systems report no changes.
      if (age > CERTAIN_MS) void this.#update(opened);
    } else if (isBegun || age >= FRESH_MS) {
      this.#lines.forget();
      await this.#patiently(this.#update(opened));
    }
  }

  /**
   * Starts watching at the second question, because more will probably follow. Returns whether it
   * starts now.
   */
  #follow(opened: OpenCodeGraph): boolean {
    const isNew = this.#hasAnswered && opened.state().watching === "off";
    if (isNew) opened.watch(() => this.#lines.forget());
    this.#hasAnswered = true;
    return isNew;
  }

  /** Waits for work for a limited time, and ignores its errors. */
  async #patiently(work: Promise<unknown>, signal?: AbortSignal): Promise<void> {
    const done = new AbortController();
    const ends = AbortSignal.any(signal ? [done.signal, signal] : [done.signal]);
    const patience = sleep(this.#patienceMs, undefined, { ref: false, signal: ends });
    await Promise.race([work, patience].map((each) => each.catch(() => undefined)));
    done.abort();
  }

  /** Files that cannot be read now are tried again at the next question. */
  async #update(opened: OpenCodeGraph): Promise<void> {
    try {
      await opened.refresh();
      this.#checkedAt = Date.now();
    } catch {
      this.#checkedAt = 0;
    }
  }

  /** The graph with people's annotations and the index of another tool. */
  #withAdditions(
    graph: CodeGraph,
    annotations: Annotations,
    scip: ScipIndex | undefined,
  ): CodeGraph {
    const known = this.#overlays.get(graph);
    if (known?.annotations === annotations && known.scip === scip) return known.view;
    const annotated = withAnnotations(graph, annotations);
    const isRead = scip !== undefined && graph.info.phase === "symbols";
    const view = isRead ? withScipIndex(annotated, scip, this.#lines) : annotated;
    this.#overlays.set(graph, { annotations, scip, view });
    return view;
  }
}

/**
 * Reads the tree again if the rules name other loading functions. Git does not report such a change
 * if the file is new or ignored.
 */
async function readBy(opened: OpenCodeGraph, rules: LayerRules): Promise<void> {
  const named = [...new Set(rules.exoticRequireStrings)].toSorted();
  if (named.join() !== opened.graph.info.exotic.join()) await opened.refresh();
}

async function symbolsRead({ ready }: OpenCodeGraph): Promise<void> {
  try {
    await ready;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const hint = "Use graph_tree, graph_module or graph_path, which need no symbols";
    throw fail("NOT_READY", `The symbols could not be read: ${why}`, { hint }, { cause });
  }
}

function checkedRoot(root: string): string {
  const found = statSync(root, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return realpathSync(root);
  throw fail("VALIDATION", `${JSON.stringify(root)} is not a folder`, {
    issues: [{ path: "/root", message: "must be a folder that exists" }],
    hint: "Pass the folder that holds the source files",
  });
}
