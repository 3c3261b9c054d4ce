import { CallError } from "@waybill/core";
import type { Source } from "@waybill/core";
import type { KeptIndex, LearntOperations } from "./kept-index.ts";

export interface KeptSourceOptions extends Pick<Source, "name" | "route"> {
  /** Opens the source itself, when the stored operations are not enough. */
  readonly open: () => Promise<Source>;
  /** The files and URLs that the source was read from. Known after the source was listed. */
  readonly documents: (source: Source) => readonly string[];
  readonly index: KeptIndex;
  /**
   * Called when the source should be read in the background, because its stored operations are
   * old, or because it was closed during the first read.
   */
  readonly onOld?: () => void;
  /**
   * How often to check for changes, for a long-running process, in milliseconds (default: never).
   */
  readonly watchMs?: number;
}

/** The maximum number of sources to read at the same time, because descriptions are large. */
const MAX_READING = 4;
let reading = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (reading >= MAX_READING) await new Promise<void>((resolve) => waiting.push(resolve));
  else reading += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) reading -= 1;
    else next();
  }
}

/**
 * A source that lists its stored operations. The real source is opened when one of them is
 * called.
 */
class KeptSource implements Source {
  readonly name: string;
  readonly route?: NonNullable<Source["route"]>;
  readonly #options: KeptSourceOptions;
  readonly #listeners = new Set<() => void>();
  #learnt: LearntOperations | undefined;
  #source: Source | undefined;
  #loading: Promise<boolean> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isLearning = false;

  constructor(options: KeptSourceOptions) {
    this.name = options.name;
    if (options.route !== undefined) this.route = options.route;
    this.#options = options;
  }

  get isLoaded(): boolean {
    return this.#source !== undefined;
  }

  async list(): ReturnType<Source["list"]> {
    if (this.#learnt === undefined) await this.#begin();
    return this.#learnt?.summaries ?? this.#opened.list();
  }

  wordIndex(): ReturnType<NonNullable<Source["wordIndex"]>> {
    return this.#learnt?.words;
  }

  load(): Promise<boolean> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  describe(id: string): ReturnType<Source["describe"]> {
    return this.#opened.describe(id);
  }

  runOf(id: string): ReturnType<Source["runOf"]> {
    return this.#opened.runOf(id);
  }

  problems(): ReturnType<NonNullable<Source["problems"]>> {
    return this.#learnt?.problems ?? this.#source?.problems?.() ?? [];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    if (this.#isLearning) this.#options.onOld?.();
    await this.#source?.close();
  }

  get #opened(): Source {
    if (this.#source !== undefined) return this.#source;
    throw new CallError(
      "OPERATION_NOT_FOUND",
      `The source ${this.name} has not been read yet; list its operations first`,
    );
  }

  async #begin(): Promise<void> {
    const { index, onOld, watchMs } = this.#options;
    const kept = index.read();
    const freshness = kept && index.freshness();
    if (freshness === "fresh" || freshness === "old") this.#learnt = kept;
    else await this.#learn();
    if (freshness === "old") onOld?.();
    if (watchMs !== undefined && !this.#isClosed) this.#follow(watchMs);
  }

  /**
   * Closes the source when its operations are known, because descriptions are large and rarely
   * needed.
   */
  async #learn(): Promise<void> {
    this.#isLearning = true;
    const { source } = await this.#read().finally(() => {
      this.#isLearning = false;
    });
    if (this.#learnt === undefined) this.#source = source;
    else await source.close();
  }

  async #load(): Promise<boolean> {
    if (this.#source !== undefined) return false;
    const { source, isNews } = await this.#read();
    this.#source = source;
    return isNews;
  }

  #read(): Promise<{ readonly source: Source; readonly isNews: boolean }> {
    return inTurn(async () => {
      const source = await this.#options.open();
      return { source, isNews: await this.#take(source) };
    });
  }

  /** Returns whether the operations have changed. */
  async #take(source: Source): Promise<boolean> {
    const { index, documents } = this.#options;
    const before = this.#learnt?.hash;
    try {
      await source.list();
      this.#learnt = await index.write(source, documents(source));
    } catch (thrown) {
      await source.close();
      throw thrown;
    }
    return before !== undefined && this.#learnt?.hash !== before;
  }

  #follow(ms: number): void {
    this.#watch = setInterval(() => void this.#look().catch(() => {}), ms).unref();
  }

  /** Looks for changes. If the source cannot be read, the known operations stay. */
  async #look(): Promise<void> {
    if (this.#options.index.freshness() === "fresh" || this.#isClosed) return;
    const { source, isNews } = await this.#read();
    const old = this.#source;
    if (old !== undefined) this.#source = source;
    await (old ?? source).close();
    if (isNews) for (const listener of this.#listeners) listener();
  }
}

/**
 * Opens a source early if nothing is stored for it, because loading its code takes time and
 * listing sources does not wait long for each one.
 */
export async function openUnlessKept(
  index: KeptIndex,
  open: () => Promise<Source>,
): Promise<() => Promise<Source>> {
  if (index.isKept()) return open;
  let first: Source | undefined = await open();
  return async () => {
    const source = first ?? (await open());
    first = undefined;
    return source;
  };
}

/**
 * A source whose operations are known without reading it, because they are stored with their
 * search index. The source is read when one of them is called, or when its documents have
 * changed.
 */
export function keptSource(options: KeptSourceOptions): Source {
  return new KeptSource(options);
}
