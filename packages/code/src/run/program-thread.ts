import { fail } from "@waybill/core";
import { ThreadEnded } from "../sandbox/index.ts";
import type {
  GuestConfig,
  GuestRound,
  ProgramOutline,
  Thread,
  ThreadPool,
  Turn,
  TurnAnswer,
} from "../sandbox/index.ts";
import type { RunClock } from "./clock.ts";
import type { CodeLimits } from "./options.ts";

const BROKEN: Readonly<Record<string, string>> = {
  memory: "The program exceeded its memory limit. Handle less data at a time",
  stack:
    "The program nests too deeply: functions that call themselves, or values within values. Use a loop, or flatter values",
  engine: "The program could not be run, because the engine failed",
};

/**
 * A thread while it runs one program. The host measures the time, and ends the thread if the
 * program computes for too long.
 */
export class ProgramThread {
  readonly #pool: ThreadPool;
  readonly #thread: Thread;
  readonly #limits: CodeLimits;
  readonly #signal: AbortSignal;
  /** A thread that waits for the answers of calls is not ended, because it can be used again. */
  readonly #end = (): void => {
    if (this.#since === undefined) return;
    this.#isEnded = true;
    this.#thread.end();
  };
  /** Whether the host ended the thread, because the program computed for too long. */
  #isEnded = false;
  /**
   * When the current turn started. It is in the future until the thread is ready, and undefined
   * while the thread waits.
   */
  #since: number | undefined;
  /** One timer for all turns, because setting a timer often takes longer than a turn. */
  #timer: NodeJS.Timeout | undefined;

  private constructor(pool: ThreadPool, thread: Thread, limits: CodeLimits, signal: AbortSignal) {
    this.#pool = pool;
    this.#thread = thread;
    this.#limits = limits;
    this.#signal = signal;
    thread.hold();
    signal.addEventListener("abort", this.#end, { once: true });
  }

  static async take(pool: ThreadPool, limits: CodeLimits, clock: RunClock): Promise<ProgramThread> {
    return new ProgramThread(pool, await pool.take(clock.signal), limits, clock.signal);
  }

  async read(program: string): Promise<ProgramOutline> {
    const { facts, problem } = await this.#timed(() => this.#thread.ask({ kind: "read", program }));
    if (facts !== undefined) return facts;
    const { message, line, hint } = problem;
    throw fail("VALIDATION", `${message}\nNothing was applied.`, {
      outcome: "not_applied",
      ...(line !== undefined && { line }),
      ...(hint !== undefined && { hint }),
    });
  }

  start(code: string, config: GuestConfig, now: number): Promise<Turn> {
    const { memoryBytes } = this.#limits;
    const message = {
      kind: "start",
      code,
      config: JSON.stringify(config),
      now,
      memoryBytes,
    } as const;
    return this.#turn(() => this.#thread.ask(message));
  }

  settle(round: GuestRound): Promise<Turn> {
    const message = { kind: "settle", round: JSON.stringify(round) } as const;
    return this.#turn(() => this.#thread.ask(message));
  }

  /** Returns the thread to the pool. */
  release(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#end);
    this.#thread.rest();
    this.#pool.give(this.#thread);
  }

  /** Ends the thread if the turn takes too long. Otherwise checks again later. */
  #watch(): void {
    const { computeMs } = this.#limits;
    const left =
      this.#since === undefined ? computeMs : this.#since + computeMs - performance.now();
    if (left <= 0) this.#end();
    else this.#timer = setTimeout(() => this.#watch(), left);
  }

  async #turn(ask: () => Promise<TurnAnswer>): Promise<Turn> {
    const answer = await this.#timed(ask);
    if (!("broken" in answer)) return answer;
    // If a sandbox broke, its thread is not reused.
    this.#thread.end();
    const limit = answer.broken === "engine" ? undefined : answer.broken;
    const why = limit === undefined ? `: ${answer.message}` : "";
    throw fail(limit === undefined ? "VALIDATION" : "TOO_LARGE", `${BROKEN[answer.broken]}${why}`, {
      ...(limit !== undefined && { limit }),
    });
  }

  async #timed<T>(ask: () => Promise<T>): Promise<T> {
    this.#signal.throwIfAborted();
    this.#since = Infinity;
    try {
      const answer = ask();
      if (!this.#thread.isReady) {
        answer.catch(() => {});
        await this.#thread.ready;
      }
      this.#since = performance.now();
      if (this.#timer === undefined) this.#watch();
      return await answer;
    } catch (thrown) {
      this.#signal.throwIfAborted();
      throw thrown instanceof ThreadEnded ? this.#overrun(thrown) : thrown;
    } finally {
      this.#since = undefined;
    }
  }

  /** The limit that the program exceeded when its thread ended, or why there is no thread. */
  #overrun({ message }: ThreadEnded): Error {
    if (this.#isEnded) {
      const text = `The program ran for more than ${this.#limits.computeMs} ms without a call. Handle less data at a time, or end its loop`;
      return fail("TIMEOUT", text, { limit: "compute" });
    }
    const limit = /memory/iu.test(message) ? "memory" : /call stack/iu.test(message) && "stack";
    if (limit !== false) return fail("TOO_LARGE", BROKEN[limit]!, { limit });
    return fail(
      "NOT_READY",
      `The program could not finish, because its thread ended: ${message}. Run it again`,
    );
  }
}
