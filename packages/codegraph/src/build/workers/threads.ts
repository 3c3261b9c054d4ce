import { on } from "node:events";
import { Worker } from "node:worker_threads";
import type { Errand, Part, WorkKind } from "./work.ts";

/** A thread keeps its compiled code; after this long without work it ends. */
const IDLE_MS = 10_000;
const EXTENSION = import.meta.url.endsWith(".ts") ? "ts" : "js";
const ENTRY = new URL(`./thread-main.${EXTENSION}`, import.meta.url);

/** A thread that reads files. */
export class Thread {
  static readonly #idle: Thread[] = [];
  readonly #worker = new Worker(ENTRY);
  readonly #ended = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  private constructor() {
    this.#worker.once("exit", () => this.#ended.abort());
  }

  /** One that has nothing to do, or a new one. */
  static take(): Thread {
    const thread = Thread.#idle.pop() ?? new Thread();
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

  /** Keeps it for whoever comes next; nobody has to wait for it to end. */
  release(): void {
    this.#worker.unref();
    Thread.#idle.push(this);
    this.#timer = setTimeout(() => {
      Thread.#idle.splice(Thread.#idle.indexOf(this), 1);
      this.end();
    }, IDLE_MS);
    this.#timer.unref();
  }

  end(): void {
    void this.#worker.terminate();
  }
}
