import { on } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Errand, Part, WorkKind } from "./work.ts";

/** One core is the caller's; all that is read at once shares the others. */
export const MAX_THREADS = Math.min(availableParallelism() - 1, 8);
/** A thread takes longer to start than this many files take to read. */
export const FILES_WORTH_THREADS = 150;
/** A thread keeps its compiled code; after this long without work it ends. */
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
    // Callers that wait for it notice its failure when its messages end.
    this.#worker.on("error", () => this.#fall());
    this.#worker.once("exit", () => this.#fall());
  }

  #fall(): void {
    Thread.#alive.delete(this);
    Thread.#idle.delete(this);
    this.#ended.abort();
  }

  /** Starts one for work that is still to come; whether there is one has to be asked then. */
  static begin(kind: WorkKind): void {
    if (MAX_THREADS === 0 || Thread.#alive.size > 0) return;
    try {
      new Thread(kind).release();
    } catch {
      // Then the work is done without it.
    }
  }

  /** One that has nothing to do, or a new one; undefined when there are enough. */
  static take(kind: WorkKind): Thread | undefined {
    const [idle] = Thread.#idle;
    if (!idle && Thread.#alive.size >= MAX_THREADS) return undefined;
    const thread = idle ?? new Thread(kind);
    Thread.#idle.delete(thread);
    clearTimeout(thread.#timer);
    thread.#worker.ref();
    return thread;
  }

  /** Works until nothing is left to take; fails when the thread does. */
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

  /** Keeps the thread for the next caller, without waiting for it to end. */
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
