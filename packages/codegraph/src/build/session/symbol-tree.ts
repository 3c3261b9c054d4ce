import { setImmediate } from "node:timers/promises";
import {
  CodeGraph,
  EXPORT_KINDS,
  isDeclared,
  isNamedLanguage,
  NONE,
  PARSE_STATES,
} from "../../graph/index.ts";
import type { Column, GraphTables, Interner, Language, Manifest } from "../../graph/index.ts";
import { NuxtNames, isInNuxt, nuxtFolders } from "../frameworks/nuxt-names.ts";
import type { OfferedName } from "../frameworks/nuxt-names.ts";
import { isOtherCode } from "../files/language.ts";
import type { Conventions, ServedFile } from "../entrypoints/index.ts";
import type { SourceFile } from "../link/source-file.ts";
import { foreignSpecifiers } from "../link/foreign-specifiers.ts";
import { NamedDeclarations } from "../link/named-declarations.ts";
import { packageSiblings } from "../link/package-siblings.ts";
import { findSubmodule } from "../link/python-submodules.ts";
import { firstRow } from "../link/replace-rows.ts";
import { packed } from "../link/table.ts";
import { assembleSymbols, SymbolLinker } from "../symbols/index.ts";
import type { FileSymbolData } from "../symbols/index.ts";
import type { ExtractJob } from "../workers/extract-file.ts";
import { runJobs } from "../workers/run-jobs.ts";
import type { WorkOptions } from "../workers/run-jobs.ts";
import { LinkChanges } from "./link-changes.ts";
import { patchSymbols } from "./patch-symbols.ts";
import type { SymbolPatch } from "./patch-symbols.ts";
import { rearranged, resolvedTargets } from "./symbol-files.ts";
import type { SymbolFile } from "./symbol-files.ts";

/** The longest time without a pause, so that questions are answered in the meantime. */
const SLICE_MS = 12;

interface CompletionOptions extends WorkOptions {
  /** Files that are entry points as a whole, by path. */
  readonly served?: ReadonlyMap<string, readonly ServedFile[]>;
  readonly conventions?: Conventions;
}

/** The symbols of a tree. An update links only the files that depend on a change. */
export class SymbolTree {
  readonly #root: string;
  #files: readonly SymbolFile[];
  readonly #exported = new WeakMap<FileSymbolData, Map<string, number>>();

  constructor(root: string, files: readonly SymbolFile[] = []) {
    this.#root = root;
    this.#files = files;
  }

  get files(): readonly SymbolFile[] {
    return this.#files;
  }

  /** The graph with symbols. `changed` are the files that were read again. */
  async complete(
    modules: CodeGraph,
    sources: readonly SourceFile[],
    changed: ReadonlySet<string>,
    strings: Interner,
    options: CompletionOptions = {},
  ): Promise<CodeGraph> {
    const led = new Set<number>();
    const files = rearranged(this.#files, sources, led).map((file) => ({
      ...file,
      served: options.served?.get(file.path),
      strangeTo: options.conventions?.strangeTo(file.path),
    }));
    const moved = new LinkChanges(this.#files, files);
    const stale = files.flatMap(({ path, facts }, id) => (changed.has(path) || !facts ? [id] : []));
    await this.#extract(files, sources, stale, moved, options);
    for (const id of led) moved.lead(id);
    const linker = getLinker(files, sources, modules.info.manifests);
    await linkAll(files, moved, linker, options.signal);
    this.#files = files;
    return this.#assemble(modules, files, linker, strings);
  }

  /** The graph after an edit of a few files. All other files keep their rows. */
  async edit(
    before: CodeGraph,
    modules: GraphTables,
    sources: readonly SourceFile[],
    edited: readonly number[],
    strings: Interner,
  ): Promise<CodeGraph> {
    const files = this.#files.slice();
    const moved = new LinkChanges(this.#files, files);
    for (const id of edited) files[id] = { ...files[id]!, targets: resolvedTargets(sources[id]!) };
    await this.#extract(files, sources, edited, moved, {});
    for (const id of edited) {
      if (files[id]!.targets !== this.#files[id]!.targets) moved.lead(id);
    }
    const linker = getLinker(files, sources, before.info.manifests);
    const linked = await linkAll(files, moved, linker, undefined);
    const patch = { before: this.#files, files, edited, linked };
    const { starts, ...tables } = patchSymbols({ ...before.tables, ...modules }, patch, strings);
    this.#files = files;
    const info = { ...before.info, indexedAt: Date.now() };
    const symbol = packed(this.#editedSymbols(tables, strings, files, patch, linker, starts));
    return new CodeGraph(
      info,
      { ...tables, files: withUnread(tables.files, files), exports: { ...tables.exports, symbol } },
      strings.finish(),
    );
  }

  /** The symbols of exports. Only those of edited files are searched again. */
  #editedSymbols(
    { exports }: GraphTables,
    strings: Interner,
    files: readonly SymbolFile[],
    { edited }: SymbolPatch,
    linker: SymbolLinker,
    starts: Uint32Array,
  ): Int32Array {
    const texts = strings.finish();
    const symbols = Int32Array.from(exports.symbol);
    for (const file of edited) {
      const end = firstRow(exports.file, file + 1);
      for (let row = firstRow(exports.file, file); row < end; row++) {
        const isLocal = isDeclared(EXPORT_KINDS[exports.kind[row]!]!);
        const name = texts.get(exports.name[row]!);
        const found = isLocal ? this.#exportedSymbol(file, name, files[file]?.facts, linker) : NONE;
        symbols[row] = found >= 0 ? starts[file]! + found : NONE;
      }
    }
    for (let row = 0; row < symbols.length; row++) {
      const target = exports.target[row]!;
      if (target >= 0) symbols[row] = symbols[target]!;
    }
    return symbols;
  }

  /** Reads files, and records their changes in `moved`. */
  async #extract(
    files: SymbolFile[],
    sources: readonly SourceFile[],
    wanted: readonly number[],
    moved: LinkChanges,
    options: WorkOptions,
  ): Promise<void> {
    const stale = wanted.filter((id) => isCode(sources[id]!));
    const jobs = stale.map((id) => getJob(sources[id]!));
    const facts = await runJobs("symbols", this.#root, jobs, options);
    for (const [place, id] of stale.entries()) {
      files[id] = { ...files[id]!, facts: facts[place], links: undefined };
    }
    // All files are updated first, because re-exports may have changed too.
    for (const id of stale) moved.say(id);
  }

  #assemble(
    modules: CodeGraph,
    files: readonly SymbolFile[],
    linker: SymbolLinker,
    strings: Interner,
  ): CodeGraph {
    const { starts, ...tables } = assembleSymbols(files, strings);
    const symbol = this.#exportedSymbols(modules, files, linker, starts);
    const exports = { ...modules.tables.exports, symbol };
    const info = { ...modules.info, phase: "symbols" } as const;
    const own = withUnread(modules.tables.files, files);
    return new CodeGraph(
      info,
      { ...modules.tables, ...tables, files: own, exports },
      strings.finish(),
    );
  }

  /** The symbol of every definition, and of the exports that re-export it. */
  #exportedSymbols(
    { exports }: CodeGraph,
    files: readonly SymbolFile[],
    linker: SymbolLinker,
    starts: Uint32Array,
  ): Column {
    const symbols = new Int32Array(exports.count).fill(NONE);
    for (let row = 0; row < exports.count; row++) {
      if (!isDeclared(exports.kind(row))) continue;
      const file = exports.file(row);
      const symbol = this.#exportedSymbol(file, exports.name(row), files[file]?.facts, linker);
      if (symbol >= 0) symbols[row] = starts[file]! + symbol;
    }
    for (let row = 0; row < exports.count; row++) symbols[row] = symbols[exports.definition(row)]!;
    return packed(symbols);
  }

  #exportedSymbol(
    file: number,
    name: string,
    facts: FileSymbolData | undefined,
    linker: SymbolLinker,
  ): number {
    if (!facts) return NONE;
    let names = this.#exported.get(facts);
    if (!names) this.#exported.set(facts, (names = new Map()));
    let symbol = names.get(name);
    if (symbol === undefined) {
      const found = linker.exported(file, name);
      symbol = found?.file === file ? found.symbol : NONE;
      names.set(name, symbol);
    }
    return symbol;
  }
}

const [PARSED, PARTIAL] = [PARSE_STATES.indexOf("parsed"), PARSE_STATES.indexOf("partial")];

/** Marks files whose symbols could not be read as partial. */
function withUnread(table: GraphTables["files"], files: readonly SymbolFile[]): typeof table {
  const unread: number[] = [];
  for (let id = 0; id < files.length; id++) {
    if (files[id]!.facts === undefined && table.state[id] === PARSED) unread.push(id);
  }
  if (unread.length === 0) return table;
  const state = table.state.slice();
  for (const id of unread) state[id] = PARTIAL;
  return { ...table, state };
}

/** Copies only the members that a thread needs. */
function getJob({ path, language, facts }: SourceFile): ExtractJob {
  const exotic = new Set(facts.requests.flatMap(({ by }) => by ?? []));
  const isBroken = facts.state === "partial" || facts.state === "failed";
  return {
    path,
    language,
    ...(exotic.size > 0 && { exotic: [...exotic] }),
    ...(isBroken && { isBroken }),
  };
}

/** Whether a file is parsed for symbols, or at least searched for words. */
function isCode({ path, language }: SourceFile): boolean {
  return language !== "other" || isOtherCode(path);
}

function getLinker(
  files: readonly SymbolFile[],
  sources: readonly SourceFile[],
  manifests: readonly Manifest[],
): SymbolLinker {
  let ids: Map<string, number> | undefined;
  const idOf = (path: string): number | undefined =>
    (ids ??= new Map(files.map((each, id) => [each.path, id]))).get(path);
  const known: (Map<string, number> | undefined)[] = [];
  const targetsFrom = (file: number): Map<string, number> => {
    const { facts, targets } = sources[file]!;
    const found = new Map<string, number>();
    for (const [place, { specifier }] of facts.requests.entries()) {
      const target = targets[place];
      const id = target?.to === "file" ? idOf(target.path) : undefined;
      if (id !== undefined) found.set(specifier, id);
    }
    return found;
  };
  return new SymbolLinker({
    count: files.length,
    facts: (file) => files[file]?.facts,
    target: (file, specifier) => (known[file] ??= targetsFrom(file)).get(specifier),
    isForeign: foreignSpecifiers(sources, manifests),
    hasOwnDefault: (file) => hasOwnDefault(sources[file]),
    language: (file) => sources[file]?.language ?? "other",
    siblings: packageSiblings(sources),
    submodule: (file, name) => findSubmodule(sources[file], name, idOf),
    implicit: implicitNames(sources, manifests),
  });
}

const MODULES: ReadonlySet<Language> = new Set(["typescript", "javascript", "python", "go"]);

/**
 * Whether the default export of a file is the file itself, as for components and pictures. A
 * component that exports the script of another file is excluded.
 */
function hasOwnDefault(source: SourceFile | undefined): boolean {
  if (!source || MODULES.has(source.language)) return false;
  return source.facts.requests.every(({ names }) => names.every(({ name }) => name !== "*"));
}

/** Resolves names that a framework provides without an import, and names of other languages. */
function implicitNames(
  sources: readonly SourceFile[],
  manifests: readonly Manifest[],
): (file: number, name: string) => OfferedName | undefined {
  let declarations: NamedDeclarations | undefined;
  const declared = (file: number, name: string): OfferedName | undefined =>
    isNamedLanguage(sources[file]!.language)
      ? (declarations ??= new NamedDeclarations(sources)).find(file, name)
      : undefined;
  const folders = nuxtFolders(manifests);
  if (folders.length === 0) return declared;
  const named = sources.flatMap(({ path, facts }, id) =>
    isInNuxt(folders, path) ? [{ id, path, exports: facts.exports.map(({ name }) => name) }] : [],
  );
  const names = new NuxtNames(named, manifests);
  return (file, name) => names.find(sources[file]!.path, name) ?? declared(file, name);
}

/** Resolves links that are missing, or that depend on a change. Returns the affected files. */
async function linkAll(
  files: SymbolFile[],
  moved: LinkChanges,
  linker: SymbolLinker,
  signal: AbortSignal | undefined,
): Promise<Set<number>> {
  const linked = new Set<number>();
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [id, file] of files.entries()) {
    if (file.links && !moved.touches(file)) continue;
    linked.add(id);
    const links = linker.linkFile(id);
    const { files: rests, names } = linker.dependsOn(id);
    files[id] = { ...file, links, rests, names };
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    signal?.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return linked;
}
