import { availableParallelism } from "node:os";
import { fail } from "@waybill/core";
import { Thread } from "./thread.ts";

export interface PoolOptions {
  /** How many programs run at the same time; others wait. */
  readonly size?: number;
  /** How many programs may wait. */
  readonly queue?: number;
  /** How long an unused thread is kept, in milliseconds. */
  readonly idleMs?: number;
}

interface ThreadPoolOptions extends PoolOptions {
  /** Memory of a program in bytes. Unused threads prepare a sandbox of this size. */
  readonly memoryBytes: number;
}

const DEFAULT_QUEUE = 1_000;
const DEFAULT_IDLE_MS = 300_000;

/** A small number of threads, at least two, so that programs do not starve the host. */
function defaultSize(): number {
  return Math.max(2, Math.min(4, availableParallelism() - 1));
}

interface Waiter {
  readonly resolve: (thread: Thread) => void;
}

/**
 * Reuses a few threads, with a queue for further programs. One unused thread is kept ready: a
 * program may break its thread, and starting another takes longer than most runs.
 */
export class ThreadPool {
  readonly #size: number;
  readonly #maxQueue: number;
  readonly #idleMs: number;
  readonly #memoryBytes: number;
  readonly #idle: Thread[] = [];
  readonly #queue: Waiter[] = [];
  #used = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#size = options.size ?? defaultSize();
    this.#maxQueue = options.queue ?? DEFAULT_QUEUE;
    this.#idleMs = options.idleMs ?? DEFAULT_IDLE_MS;
    this.#memoryBytes = options.memoryBytes;
  }

  /** Starts a thread in advance. */
  warm(): void {
    if (this.#idle.length === 0 && !this.#isClosed) this.#keep(new Thread());
  }

  /** Whether a further program would have to wait. */
  get isFull(): boolean {
    return this.#used >= this.#size;
  }

  /** Returns a thread for one run, and waits for one if necessary. The signal ends the wait. */
  async take(signal: AbortSignal): Promise<Thread> {
    signal.throwIfAborted();
    if (this.#isClosed) throw fail("NOT_READY", "The code runner is closed; create a new one");
    if (!this.isFull) {
      this.#used += 1;
      return this.#ready();
    }
    if (this.#queue.length >= this.#maxQueue) {
      throw fail("NOT_READY", `${this.#maxQueue} programs are waiting already`, {
        hint: "Try again in a moment",
        outcome: "not_applied",
      });
    }
    return this.#wait(signal);
  }

  /** Returns a thread. A thread that has ended is replaced. */
  give(thread: Thread): void {
    const next = this.#queue.shift();
    if (next !== undefined) {
      next.resolve(thread.hasEnded ? this.#ready() : thread);
      return;
    }
    this.#used -= 1;
    if (this.#isClosed) thread.end();
    else if (thread.hasEnded) this.warm();
    else this.#keep(thread);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const thread of this.#idle.splice(0)) thread.end();
  }

  #wait(signal: AbortSignal): Promise<Thread> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        resolve: (thread) => {
          signal.removeEventListener("abort", stop);
          resolve(thread);
        },
      };
      this.#queue.push(waiter);
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  #ready(): Thread {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.hasEnded) return idle;
    }
    return new Thread();
  }

  #keep(thread: Thread): void {
    this.#idle.push(thread);
    void thread.warm(this.#memoryBytes);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const unused of this.#idle.splice(0)) unused.end();
    }, this.#idleMs);
    this.#timer.unref();
  }
}
