import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import type { SymbolFacts } from "../symbols/index.ts";
import { extractFile } from "./extract-file.ts";
import type { ExtractJob } from "./extract-file.ts";
import { Thread } from "./threads.ts";
import type { Facts } from "./threads.ts";

export interface ExtractionOptions {
  readonly signal?: AbortSignal;
  readonly onDone?: (done: number, total: number) => void;
}

/** A thread takes longer to start than this many files take to read. */
const FILES_WORTH_THREADS = 150;
const BATCH = 24;
const MAX_THREADS = 8;

/** The symbols of many files, in threads where that is worth it. */
export async function extractFiles(
  root: string,
  jobs: readonly ExtractJob[],
  options: ExtractionOptions = {},
): Promise<Facts> {
  const extraction = new Extraction(root, jobs, options);
  await extraction.run();
  return extraction.facts;
}

class Extraction {
  readonly facts: (SymbolFacts | undefined)[];
  readonly #root: string;
  readonly #jobs: readonly ExtractJob[];
  readonly #options: ExtractionOptions;
  #next = 0;
  #done = 0;

  constructor(root: string, jobs: readonly ExtractJob[], options: ExtractionOptions) {
    this.#root = root;
    this.#jobs = jobs;
    this.#options = options;
    this.facts = Array.from({ length: jobs.length });
  }

  async run(): Promise<void> {
    const isWorth = this.#jobs.length >= FILES_WORTH_THREADS;
    const threads = isWorth ? Math.min(availableParallelism(), MAX_THREADS) : 0;
    const missed = await Promise.all(Array.from({ length: threads }, () => this.#inThread()));
    // A thread that could not be started, or fell, leaves its files to this one.
    for (const batch of missed.flat()) await this.#here(batch);
    for (let batch = this.#take(); batch; batch = this.#take()) await this.#here(batch);
  }

  #take(): number[] | undefined {
    if (this.#next >= this.#jobs.length) return undefined;
    const from = this.#next;
    this.#next = Math.min(from + BATCH, this.#jobs.length);
    return Array.from({ length: this.#next - from }, (_, place) => from + place);
  }

  /** Works off batches in a thread; returns what it had taken when it fell. */
  async #inThread(): Promise<number[][]> {
    const thread = Thread.take();
    let batch: number[] | undefined;
    try {
      for (batch = this.#take(); batch; batch = this.#take()) {
        this.#options.signal?.throwIfAborted();
        const jobs = batch.map((job) => jobOf(this.#jobs[job]!));
        this.#store(batch, await thread.run(this.#root, jobs));
      }
      thread.release();
      return [];
    } catch (error) {
      thread.end();
      this.#options.signal?.throwIfAborted();
      if (batch) return [batch];
      throw error;
    }
  }

  async #here(batch: readonly number[]): Promise<void> {
    for (const job of batch) {
      this.#options.signal?.throwIfAborted();
      this.#store([job], [await extractFile(this.#root, this.#jobs[job]!)]);
      await setImmediate();
    }
  }

  #store(batch: readonly number[], facts: Facts): void {
    for (const [place, job] of batch.entries()) this.facts[job] = facts[place];
    this.#done += batch.length;
    this.#options.onDone?.(this.#done, this.#jobs.length);
  }
}

/** A job without what else is known of the file, which a thread would only have to copy. */
const jobOf = ({ path, language }: ExtractJob): ExtractJob => ({ path, language });
