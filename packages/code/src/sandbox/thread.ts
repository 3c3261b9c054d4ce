import { Worker } from "node:worker_threads";
import { loadEngine } from "./engine.ts";
import type {
  ReadAnswer,
  ReadMessage,
  SettleMessage,
  StartMessage,
  TurnAnswer,
  WarmMessage,
} from "./messages.ts";

const ENTRY = new URL("../thread/main.js", import.meta.url);
/** Larger than QuickJS's own stack limit, so that QuickJS notices an overflow first. */
const STACK_MB = 8;
/**
 * Memory limit of the thread: twice what the longest turn needs, because V8 ends the whole process
 * if a thread is ended near its limit.
 */
const HEAP_MB = 256;

/** Thrown if the thread was ended, or if it broke. */
export class ThreadEnded extends Error {
  override readonly name = "ThreadEnded";
}

/** The first message of a thread. */
interface Ready {
  readonly ready: true;
}

interface Asked {
  readonly resolve: (answer: TurnAnswer | ReadAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** A worker thread that runs one program at a time. Ending it is safe at any moment. */
export class Thread {
  readonly #worker: Worker;
  #asked: Asked | undefined;
  #ended: ThreadEnded | undefined;
  /**
   * Resolves when the thread can run programs. The start does not count as a program's computing
   * time.
   */
  readonly ready: Promise<void>;
  #isReady = false;

  constructor() {
    this.#worker = new Worker(ENTRY, {
      name: "waybill-code",
      env: {},
      argv: [],
      // The thread does not use the module loaders of the host program, because they would only
      // slow it down.
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    });
    // For the first thread, the engine is compiled here while the thread starts.
    this.#worker.postMessage(loadEngine(), []);
    this.ready = new Promise((resolve) => {
      const start = (): void => {
        this.#isReady = true;
        resolve();
      };
      this.#worker.once("message", start);
      this.#worker.once("exit", start);
    });
    this.#worker.on("message", (answer: TurnAnswer | ReadAnswer | Ready) => {
      if (!("ready" in answer)) this.#answer(answer);
    });
    this.#worker.on("error", (error) => this.#fall(error.message));
    this.#worker.once("exit", () => this.#fall("it gave no reason"));
    this.#worker.unref();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Keeps this process alive while the thread works. */
  hold(): void {
    this.#worker.ref();
  }

  rest(): void {
    this.#worker.unref();
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Prepares a sandbox in advance, if no program has started by then. */
  async warm(memoryBytes: number): Promise<void> {
    await this.ready;
    if (this.#asked !== undefined || this.hasEnded) return;
    this.#worker.postMessage({ kind: "warm", memoryBytes } satisfies WarmMessage, []);
  }

  ask(message: ReadMessage): Promise<ReadAnswer>;
  ask(message: StartMessage | SettleMessage): Promise<TurnAnswer>;
  ask(message: ReadMessage | StartMessage | SettleMessage): Promise<TurnAnswer | ReadAnswer> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#worker.postMessage(message, []);
    });
  }

  /** Ends the thread. A pending request is rejected with the reason. */
  end(reason = "the runner stopped it"): void {
    this.#fall(reason);
    void this.#worker.terminate();
  }

  #answer(answer: TurnAnswer | ReadAnswer): void {
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.resolve(answer);
  }

  #fall(reason: string): void {
    this.#ended ??= new ThreadEnded(reason);
    this.#worker.unref();
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.reject(this.#ended);
  }
}
