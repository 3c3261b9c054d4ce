import { setImmediate } from "node:timers/promises";
import { FILES_WORTH_THREADS, MAX_THREADS, Thread } from "./threads.ts";
import { stop, take, WORKERS } from "./work.ts";
import type { Answer, Errand, Job, Part, WorkKind } from "./work.ts";

export interface WorkOptions {
  readonly signal?: AbortSignal;
  readonly onDone?: (done: number, total: number) => void;
}

/**
 * The longest time without a pause, so that other work continues and results of threads are
 * received.
 */
const SLICE_MS = 12;

/** The result of each job, in order. Threads help if there are enough jobs. */
export async function runJobs<Kind extends WorkKind>(
  kind: Kind,
  root: string,
  jobs: readonly Job<Kind>[],
  options: WorkOptions = {},
): Promise<readonly Answer<Kind>[]> {
  const work = new WorkedOff(kind, root, jobs, options);
  await work.run();
  return work.answers;
}

class WorkedOff<Kind extends WorkKind> {
  readonly answers: Answer<Kind>[];
  readonly #errand: Errand<Kind>;
  readonly #options: WorkOptions;
  readonly #isDone: Uint8Array;
  readonly #threads = new Set<Thread>();
  #done = 0;

  constructor(kind: Kind, root: string, jobs: readonly Job<Kind>[], options: WorkOptions) {
    const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.#errand = { kind, root, jobs, taken };
    this.#options = options;
    this.#isDone = new Uint8Array(jobs.length);
    this.answers = Array.from({ length: jobs.length });
  }

  async run(): Promise<void> {
    const { jobs } = this.#errand;
    const count = jobs.length < FILES_WORTH_THREADS ? 0 : MAX_THREADS;
    const helping = Array.from({ length: count }, () => this.#inThread());
    try {
      await this.#here(() => take(this.#errand, 1));
      await Promise.all(helping);
      // The main thread does the jobs of a thread that did not start or failed.
      await this.#here(() => this.#firstMissing());
    } catch (error) {
      stop(this.#errand);
      for (const thread of this.#threads) thread.end();
      throw error;
    }
  }

  /** Never rejects: jobs that a thread does not finish are done in the main thread. */
  async #inThread(): Promise<void> {
    let thread: Thread | undefined;
    try {
      thread = Thread.take(this.#errand.kind);
      if (!thread) return;
      this.#threads.add(thread);
      await thread.run(this.#errand, (part) => this.#store(part));
      this.#threads.delete(thread);
      thread.release();
    } catch {
      thread?.end();
    }
  }

  /** Works in this thread on the jobs from `next`, until there are none. */
  async #here(next: () => number): Promise<void> {
    const { kind, root, jobs } = this.#errand;
    const work = await WORKERS[kind]();
    let sliceEnd = performance.now() + SLICE_MS;
    for (let at = next(); at < jobs.length; at = next()) {
      this.#options.signal?.throwIfAborted();
      this.#store({ from: at, answers: [await work(root, jobs[at]!)] });
      if (performance.now() < sliceEnd) continue;
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.#options.signal?.throwIfAborted();
  }

  #firstMissing(): number {
    const missing = this.#isDone.indexOf(0);
    return missing < 0 ? this.#isDone.length : missing;
  }

  #store({ from, answers }: Part<Kind>): void {
    for (const [place, answer] of answers.entries()) {
      this.answers[from + place] = answer;
      this.#isDone[from + place] = 1;
    }
    this.#done += answers.length;
    this.#options.onDone?.(this.#done, this.#errand.jobs.length);
  }
}
