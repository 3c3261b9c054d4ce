import { CallError, isRecord } from "../envelope/index.ts";
import { checkId, wholeSpec } from "../operation/index.ts";
import type {
  LocalRun,
  Operation,
  OperationRun,
  OperationSpec,
  SparseSpec,
} from "../operation/index.ts";
import { SchemaCache } from "../schema/index.ts";
import type { SchemaCacheOptions } from "../schema/index.ts";
import { Entry } from "./entry.ts";
import { IdsByInput } from "./ids-by-input.ts";
import type { MeantByInput } from "./ids-by-input.ts";
import type { WordIndex } from "./postings.ts";
import { SearchIndex } from "./search-index.ts";

/** Options of an OperationRegistry. */
export interface RegistryOptions {
  /**
   * How many compiled schemas are kept, and whether code may be generated (default: 2000, and only
   * if `eval` is allowed).
   */
  readonly schemas?: SchemaCacheOptions;
}

/** Options of a list of operations. */
export interface ListOptions {
  /** Only operations of this namespace and those below it (default: all). */
  readonly namespace?: string;
  /** Only operations for which this returns true (default: all). */
  readonly accepts?: (spec: OperationSpec) => boolean;
}

/** Options of a search for operations. */
export interface SearchOptions extends ListOptions {
  /** Number of hits (default: 20). */
  readonly limit?: number;
}

/** A search result with its score; higher is better. */
export interface SearchHit {
  /** The operation that was found. */
  readonly operation: OperationSpec;
  /** The score; higher is better. */
  readonly score: number;
}

const DEFAULT_LIMIT = 20;
const MAX_NEAREST = 3;
/** The maximum number of ids to name if several operations have the same other id. */
const MAX_CALLED = 10;

/** Why an id is unknown, if a source is the cause. */
export interface MissingReason {
  readonly error?: CallError;
  readonly hint?: string;
  /** The ids to suggest instead of similar ones. */
  readonly near?: readonly string[];
  /**
   * Whether no operation is guessed for the id, because a source knows better or could not be
   * read.
   */
  readonly isNotGuessed?: boolean;
}

type WhyMissing = (id: string, near: readonly string[]) => MissingReason;

function isChosen(spec: OperationSpec, { namespace, accepts }: ListOptions): boolean {
  const isWithin = namespace === undefined || spec.id.startsWith(`${namespace}.`);
  return isWithin && (accepts === undefined || accepts(spec));
}

/** Returns the registered operations that an unknown id may mean. */
export type IdGuide = (id: string) => readonly string[];

/** Holds every operation by id. */
export class Catalogue {
  readonly #entries = new Map<string, Entry>();
  /** Every operation by id, with data that is computed from it. */
  readonly entries: ReadonlyMap<string, Entry> = this.#entries;
  /**
   * The operations of each other id. If there are several, the other id cannot be called and is
   * only a hint.
   */
  readonly #otherIds = new Map<string, readonly string[]>();
  readonly #idsByInput = new IdsByInput();
  /** The ids that have capital letters, by their form in small letters. */
  readonly #capitals = new Map<string, readonly string[]>();
  readonly #guides = new Set<IdGuide>();
  readonly #cache: SchemaCache;
  readonly #index = new SearchIndex();
  readonly #whyMissing: WhyMissing | undefined;
  #sorted: OperationSpec[] | undefined;

  constructor(options: RegistryOptions = {}, whyMissing?: WhyMissing) {
    this.#cache = new SchemaCache(options.schemas);
    this.#whyMissing = whyMissing;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Registers an operation without a handler, which is added later. A missing schema accepts
   * every value.
   */
  registerSpec(given: SparseSpec): void {
    this.#index.add(this.#enter(given).spec);
  }

  #enter(given: SparseSpec): Entry {
    checkId(given.id);
    if (this.#entries.has(given.id))
      throw new TypeError(`${given.id} is already registered; unregister it first`);
    const entry = new Entry(wholeSpec(given), this.#cache);
    this.#place(entry);
    return entry;
  }

  #place(entry: Entry): void {
    const { id, spec } = entry;
    this.#entries.set(id, entry);
    const small = id.toLowerCase();
    if (small !== id) this.#capitals.set(small, [...(this.#capitals.get(small) ?? []), id]);
    for (const other of spec.alsoCalled ?? []) {
      if (this.#idsByInput.add(other, id)) continue;
      this.#otherIds.set(other, [...(this.#otherIds.get(other) ?? []), id]);
    }
    this.#sorted = undefined;
  }

  /**
   * Registers an operation whose run is created when it is first called. If a prepared search
   * index has the operation, call `adoptIndex` or `indexAll` next.
   */
  registerLazily(spec: OperationSpec, makeRun: () => OperationRun, isIndexed: boolean): void {
    const entry = this.#enter(spec);
    entry.runBy(makeRun);
    if (!isIndexed) this.#index.add(entry.spec);
  }

  /** Adds a prepared search index for operations that were registered in the same order. */
  adoptIndex(index: WordIndex, ids: readonly string[]): void {
    this.#index.adopt(
      index,
      ids.map((id) => this.#entries.get(id)!.spec),
    );
  }

  /**
   * Adds operations to the search index that were registered with `isIndexed` but have no
   * prepared index.
   */
  indexAll(ids: readonly string[]): void {
    for (const id of ids) this.#index.add(this.#entries.get(id)!.spec);
  }

  /** Adds a function that helps with unknown ids. Returns a function that removes it. */
  addGuide(guide: IdGuide): () => void {
    this.#guides.add(guide);
    return () => void this.#guides.delete(guide);
  }

  registerHandler(id: string, handler: LocalRun["handler"]): void {
    this.#runBy(id, () => ({ kind: "local", handler }));
  }

  register(operation: Operation): void {
    this.registerSpec(operation.spec);
    this.#runBy(operation.spec.id, () => operation.run);
  }

  #runBy(id: string, makeRun: () => OperationRun): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new TypeError(`${id} has no spec; register the spec first`);
    if (entry.hasRun) throw new TypeError(`${id} already has a handler; unregister it first`);
    entry.runBy(makeRun);
  }

  unregister(id: string): boolean {
    for (const other of this.getSpec(id)?.alsoCalled ?? []) {
      this.#otherIds.set(
        other,
        (this.#otherIds.get(other) ?? []).filter((own) => own !== id),
      );
    }
    this.#idsByInput.remove(id);
    const small = id.toLowerCase();
    const left = this.#capitals.get(small)?.filter((own) => own !== id) ?? [];
    if (left.length === 0) this.#capitals.delete(small);
    else this.#capitals.set(small, left);
    this.#index.remove(id);
    this.#sorted = undefined;
    return this.#entries.delete(id);
  }

  /** Unregisters the operations of all sources. */
  unregisterSources(): void {
    const own = [...this.#entries.values()].filter(({ spec }) => spec.source === undefined);
    this.#entries.clear();
    this.#otherIds.clear();
    this.#idsByInput.clear();
    this.#capitals.clear();
    this.#index.clear();
    this.#sorted = undefined;
    for (const entry of own) {
      this.#place(entry);
      this.#index.add(entry.spec);
    }
  }

  getSpec(id: string): OperationSpec | undefined {
    return this.#entries.get(id)?.spec;
  }

  /** The operations whose ids are equal to an id in small letters, apart from capital letters. */
  getAlike(small: string): readonly OperationSpec[] {
    const ids = [small, ...(this.#capitals.get(small) ?? [])];
    return ids.flatMap((id) => this.#entries.get(id)?.spec ?? []);
  }

  /** The function that runs an operation. Undefined for other kinds of operations. */
  getHandler(id: string): LocalRun["handler"] | undefined {
    const run = this.getRun(id);
    return run?.kind === "local" ? run.handler : undefined;
  }

  getRun(id: string): OperationRun | undefined {
    return this.#entries.get(id)?.run;
  }

  /** All operations, by id. */
  list(options: ListOptions = {}): OperationSpec[] {
    this.#sorted ??= [...this.#entries.values()]
      .map(({ spec }) => spec)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return this.#sorted.filter((spec) => isChosen(spec, options));
  }

  /** The operations that match the words, best first. */
  search(words: string, options: SearchOptions = {}): SearchHit[] {
    const { limit = DEFAULT_LIMIT } = options;
    const hits = this.#index.search(words, limit, (id) => {
      const spec = this.getSpec(id);
      return spec !== undefined && isChosen(spec, options);
    });
    return hits.map(({ id, score }) => ({ operation: this.#entries.get(id)!.spec, score }));
  }

  /** Ids that are similar to a wrong one. Operations that have it as another id come first. */
  nearest(id: string): string[] {
    const called = this.#called(id).slice(0, MAX_CALLED);
    return called.length > 0 ? called : this.#index.nearest(id, MAX_NEAREST);
  }

  /** The operations that have this other id. If there are none, those that the guides suggest. */
  #called(other: string): readonly string[] {
    const own = this.#otherIds.get(other) ?? [];
    if (own.length > 0) return own;
    const all = new Set<string>();
    for (const guide of this.#guides) {
      const meant = guide(other).filter((id) => this.#entries.has(id));
      // If the first guide that knows the id names one operation, that is the answer.
      if (meant.length === 1 && all.size === 0) return meant;
      for (const id of meant) all.add(id);
    }
    return [...all];
  }

  /** The operation with this id, or the only one with this other id. */
  find(id: string): Entry | undefined {
    return this.#entries.get(id) ?? this.#only(this.#otherIds.get(id));
  }

  #only(ids: readonly string[] = []): Entry | undefined {
    return ids.length === 1 ? this.#entries.get(ids[0]!) : undefined;
  }

  /** Like `find`, for a name in a program, which uses camelCase instead of hyphens. */
  findWritten(name: string): Entry | undefined {
    const entry = this.find(name);
    if (entry !== undefined || !/[A-Z]/u.test(name)) return entry;
    const ids = [...this.#entries.keys(), ...this.#otherIds.keys()];
    return this.find(ids.find((id) => id.includes("-") && camelCasedId(id) === name) ?? "");
  }

  /**
   * The operation that an unknown id means, if there is only one. `find` does not guess, because
   * a source that is not loaded yet may have the id.
   */
  findMeant(id: string): Entry | undefined {
    return this.find(id) ?? this.#only(this.#called(id));
  }

  /** The operation with its computed data. Throws OPERATION_NOT_FOUND with similar ids. */
  resolve(id: string): Entry {
    const entry = this.find(id);
    if (entry !== undefined) return entry;
    const nearest = this.nearest(id);
    const why = this.#whyMissing?.(clip(id), nearest) ?? {};
    if (why.error !== undefined) throw why.error;
    const meant = why.isNotGuessed === true ? undefined : this.findMeant(id);
    if (meant !== undefined) return meant;
    const { near = nearest } = why;
    const guess = near.length === 0 ? "" : `; did you mean ${near.join(", ")}?`;
    throw new CallError("OPERATION_NOT_FOUND", `No operation is called "${clip(id)}"${guess}`, {
      ...(near.length > 0 && { did_you_mean: near }),
      ...(why.hint !== undefined && { hint: why.hint }),
      outcome: "not_applied",
    });
  }

  #meantByInput(id: string, given: Readonly<Record<string, unknown>>): MeantByInput | undefined {
    const own = this.find(id)?.id ?? id;
    return this.#idsByInput.find(id, given) ?? this.#idsByInput.find(own, given);
  }

  /**
   * The operation that a call means, and its params with the inputs that its id implies. Throws
   * like `resolve`.
   */
  readCall(id: string, given: unknown = {}): { readonly entry: Entry; readonly params: unknown } {
    const meant = isRecord(given) ? this.#meantByInput(id, given) : undefined;
    const entry = meant === undefined ? this.resolve(id) : this.#entries.get(meant.id)!;
    const written = meant?.written ?? id;
    const params = meant?.params ?? given;
    const implied = written === entry.id ? undefined : entry.spec.idInputs?.[written];
    if (implied === undefined || !isRecord(params)) return { entry, params };
    return { entry, params: { ...implied, ...params } };
  }
}

/**
 * Converts an id to the form that programs write, because JavaScript names cannot contain
 * hyphens.
 */
export function camelCasedId(id: string): string {
  return id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function clip(id: unknown): string {
  return String(id).slice(0, 80);
}
