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
/** Twice the need of the longest turn. If a thread is ended near its limit, V8 ends the process. */
const HEAP_MB = 256;

/** The thread was ended, or it broke. */
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

  constructor() {
    this.#worker = new Worker(ENTRY, {
      name: "waybill-code",
      workerData: loadEngine(),
      env: {},
      argv: [],
      // Loaders of the host program would only slow the thread down.
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    });
    this.ready = new Promise((resolve) => {
      this.#worker.once("message", () => resolve());
      this.#worker.once("exit", () => resolve());
    });
    this.#worker.on("message", (answer: TurnAnswer | ReadAnswer | Ready) => {
      if (!("ready" in answer)) this.#answer(answer);
    });
    this.#worker.on("error", (error) => this.#fall(error.message));
    this.#worker.once("exit", () => this.#fall("The thread ended"));
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
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      this.#worker.postMessage(message, []);
    });
  }

  /** Ends the thread. A pending request is rejected with the reason. */
  end(reason = "The thread was ended"): void {
    this.#fall(reason);
    void this.#worker.terminate();
  }

  #answer(answer: TurnAnswer | ReadAnswer): void {
    this.#worker.unref();
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
