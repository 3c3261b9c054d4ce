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
  memory: "The program exceeded its memory limit",
  stack: "The program nests too deeply: functions that call themselves, or values within values",
  engine: "The program could not be run",
};

/**
 * A thread while it runs one program. This side measures the time: a program that computes too long
 * loses its thread.
 */
export class ProgramThread {
  readonly #pool: ThreadPool;
  readonly #thread: Thread;
  readonly #limits: CodeLimits;
  readonly #signal: AbortSignal;

  private constructor(pool: ThreadPool, thread: Thread, limits: CodeLimits, signal: AbortSignal) {
    this.#pool = pool;
    this.#thread = thread;
    this.#limits = limits;
    this.#signal = signal;
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
    this.#pool.give(this.#thread);
  }

  async #turn(ask: () => Promise<TurnAnswer>): Promise<Turn> {
    const answer = await this.#timed(ask);
    if (!("broken" in answer)) return answer;
    // A thread whose sandbox broke is not reused.
    this.#thread.end();
    const limit = answer.broken === "engine" ? undefined : answer.broken;
    const why = limit === undefined ? `: ${answer.message}` : "";
    throw fail(limit === undefined ? "VALIDATION" : "TOO_LARGE", `${BROKEN[answer.broken]}${why}`, {
      ...(limit !== undefined && { limit }),
    });
  }

  async #timed<T>(ask: () => Promise<T>): Promise<T> {
    const { computeMs } = this.#limits;
    this.#signal.throwIfAborted();
    const end = (): void => this.#thread.end();
    this.#signal.addEventListener("abort", end, { once: true });
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = ask();
      answer.catch(() => {});
      await this.#thread.ready;
      timer = setTimeout(end, computeMs);
      return await answer;
    } catch (thrown) {
      this.#signal.throwIfAborted();
      if (!(thrown instanceof ThreadEnded)) throw thrown;
      if (/memory/iu.test(thrown.message)) {
        throw fail("TOO_LARGE", BROKEN["memory"]!, { limit: "memory" });
      }
      const message = `The program ran for more than ${computeMs} ms without a call`;
      throw fail("TIMEOUT", message, { limit: "compute" });
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", end);
    }
  }
}
