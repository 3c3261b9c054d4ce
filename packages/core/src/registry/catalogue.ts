import { CallError } from "../envelope/index.ts";
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
/** How many operations with the same other id are named. */
const MAX_CALLED = 10;

/** Why an id is unknown, if a source is the cause. */
export interface MissingReason {
  readonly error?: CallError;
  readonly hint?: string;
  /** Whether a source that could not be read may have it, so that it is not guessed. */
  readonly isOfMissing?: boolean;
}

type WhyMissing = (id: string, near: readonly string[]) => MissingReason;

function isChosen(spec: OperationSpec, { namespace, accepts }: ListOptions): boolean {
  const isWithin = namespace === undefined || spec.id.startsWith(`${namespace}.`);
  return isWithin && (accepts === undefined || accepts(spec));
}

/** Returns the registered operations that an unknown id means. */
export type IdGuide = (id: string) => readonly string[];

/** Holds every operation by id. */
export class Catalogue {
  readonly #entries = new Map<string, Entry>();
  /** Every operation by id, with its computed data. */
  readonly entries: ReadonlyMap<string, Entry> = this.#entries;
  /** Other id → ids. If several operations have the same other id, it is only a hint to them. */
  readonly #otherIds = new Map<string, readonly string[]>();
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

  /** Registers an operation before its handler. A missing schema accepts every value. */
  registerSpec(given: SparseSpec): void {
    checkId(given.id);
    if (this.#entries.has(given.id)) throw new TypeError(`${given.id} is already registered`);
    const spec = wholeSpec(given);
    this.#entries.set(spec.id, new Entry(spec, this.#cache));
    for (const other of spec.alsoCalled ?? []) {
      this.#otherIds.set(other, [...(this.#otherIds.get(other) ?? []), spec.id]);
    }
    this.#index.add(spec);
    this.#sorted = undefined;
  }

  /** Adds a prepared search index for registered operations, in the same order. */
  adoptIndex(index: WordIndex, ids: readonly string[]): void {
    this.#index.adopt(
      index,
      ids.map((id) => this.#entries.get(id)!.spec),
    );
  }

  /** Adds a guide for ids that no operation has. Returns a function that removes it. */
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
    if (entry.hasRun) throw new TypeError(`${id} already has a handler`);
    entry.runBy(makeRun);
  }

  unregister(id: string): boolean {
    for (const other of this.getSpec(id)?.alsoCalled ?? []) {
      this.#otherIds.set(
        other,
        (this.#otherIds.get(other) ?? []).filter((own) => own !== id),
      );
    }
    this.#index.remove(id);
    this.#sorted = undefined;
    return this.#entries.delete(id);
  }

  getSpec(id: string): OperationSpec | undefined {
    return this.#entries.get(id)?.spec;
  }

  /** The function of an operation that is run by a function. */
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

  /** Ids that are similar to a wrong one. Those that share it as their other id come first. */
  nearest(id: string): string[] {
    const called = this.#called(id).slice(0, MAX_CALLED);
    return called.length > 0 ? called : this.#index.nearest(id, MAX_NEAREST);
  }

  /** The operations that have this other id, or else those that it means. */
  #called(other: string): readonly string[] {
    const own = this.#otherIds.get(other) ?? [];
    if (own.length > 0) return own;
    for (const guide of this.#guides) {
      const meant = guide(other).filter((id) => this.#entries.has(id));
      if (meant.length > 0) return meant;
    }
    return [];
  }

  /** The operation with this id, or the only one with this other id. */
  find(id: string): Entry | undefined {
    return this.#entries.get(id) ?? this.#only(this.#otherIds.get(id));
  }

  #only(ids: readonly string[] = []): Entry | undefined {
    return ids.length === 1 ? this.#entries.get(ids[0]!) : undefined;
  }

  /** Like `find`, for a name in a program, which writes hyphens in camelCase. */
  findWritten(name: string): Entry | undefined {
    const entry = this.find(name);
    if (entry !== undefined || !/[A-Z]/u.test(name)) return entry;
    const ids = [...this.#entries.keys(), ...this.#otherIds.keys()];
    return this.find(ids.find((id) => id.includes("-") && camelCasedId(id) === name) ?? "");
  }

  /**
   * The operation that an unknown id means, if it can mean only one. `find` does not guess, because
   * a source that is not read yet may have the id.
   */
  findMeant(id: string): Entry | undefined {
    return this.find(id) ?? this.#only(this.#called(id));
  }

  /** The operation with its computed data. Throws OPERATION_NOT_FOUND with the nearest ids. */
  resolve(id: string): Entry {
    const entry = this.find(id);
    if (entry !== undefined) return entry;
    const near = this.nearest(id);
    const why = this.#whyMissing?.(clip(id), near) ?? {};
    if (why.error !== undefined) throw why.error;
    const meant = why.isOfMissing === true ? undefined : this.findMeant(id);
    if (meant !== undefined) return meant;
    const guess = near.length === 0 ? "" : `; did you mean ${near.join(", ")}?`;
    throw new CallError("OPERATION_NOT_FOUND", `No operation is called "${clip(id)}"${guess}`, {
      ...(near.length > 0 && { did_you_mean: near }),
      ...(why.hint !== undefined && { hint: why.hint }),
      outcome: "not_applied",
    });
  }
}

/** An id as programs write it, because JavaScript names cannot contain hyphens. */
export function camelCasedId(id: string): string {
  return id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function clip(id: unknown): string {
  return String(id).slice(0, 80);
}
