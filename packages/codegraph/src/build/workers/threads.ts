import { on } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Errand, Part, WorkKind } from "./work.ts";

/** The number of threads: one core is for the caller, and all concurrent work shares the others. */
export const MAX_THREADS = Math.min(availableParallelism() - 1, 8);
/**
 * The fewest files for which a thread is started. Reading fewer files is faster than starting a
 * thread.
 */
export const FILES_WORTH_THREADS = 150;
/** An idle thread keeps its compiled code, and ends after this time. */
const IDLE_MS = 10_000;
const EXTENSION = import.meta.url.endsWith(".ts") ? "ts" : "js";
const ENTRY = new URL(`./thread-main.${EXTENSION}`, import.meta.url);

/** A thread that reads files. */
export class Thread {
  static readonly #alive = new Set<Thread>();
  static readonly #idle = new Set<Thread>();
  readonly #worker: Worker;
  readonly #ended = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  private constructor(kind: WorkKind) {
    this.#worker = new Worker(ENTRY, { workerData: kind });
    Thread.#alive.add(this);
    // The error is ignored here. Callers notice the failure when the thread's messages end.
    this.#worker.on("error", () => this.#fall());
    this.#worker.once("exit", () => this.#fall());
  }

  #fall(): void {
    Thread.#alive.delete(this);
    Thread.#idle.delete(this);
    this.#ended.abort();
  }

  /** Starts a thread for upcoming work, if there is none. */
  static begin(kind: WorkKind): void {
    if (MAX_THREADS === 0 || Thread.#alive.size > 0) return;
    try {
      new Thread(kind).release();
    } catch {
      // If the thread cannot be started, the main thread does the work.
    }
  }

  /** An idle thread or a new one; undefined if there are enough. */
  static take(kind: WorkKind): Thread | undefined {
    const [idle] = Thread.#idle;
    if (!idle && Thread.#alive.size >= MAX_THREADS) return undefined;
    const thread = idle ?? new Thread(kind);
    Thread.#idle.delete(thread);
    clearTimeout(thread.#timer);
    thread.#worker.ref();
    return thread;
  }

  /** Works until no job is left. Rejects if the thread fails. */
  async run<Kind extends WorkKind>(
    errand: Errand<Kind>,
    onPart: (part: Part<Kind>) => void,
  ): Promise<void> {
    const messages = on(this.#worker, "message", { signal: this.#ended.signal });
    this.#worker.postMessage(errand, []);
    for await (const [part] of messages) {
      if (part === undefined) return;
      onPart(part as Part<Kind>);
    }
  }

  /** Returns the thread for the next caller. */
  release(): void {
    this.#worker.unref();
    Thread.#idle.add(this);
    this.#timer = setTimeout(() => this.end(), IDLE_MS);
    this.#timer.unref();
  }

  end(): void {
    this.#fall();
    void this.#worker.terminate();
  }
}
