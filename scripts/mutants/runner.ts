import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sourceFlags } from "../run.mjs";
import type { Mutant } from "./find-mutants.ts";
import type { Answer, Question, TestFile } from "./session.ts";

export interface Verdict {
  readonly mutant: Mutant;
  readonly status: "killed" | "survived" | "no test";
  readonly killedBy: string | undefined;
  readonly ms: number;
}

/** A mutant may loop for ever. The limit grows with the normal time of its tests. */
const FIRST_RUN_MS = 30 * 60_000;
const LEAST_MS = 40_000;
const TIMES_SLOWER = 5;

const session = fileURLToPath(new URL("session.ts", import.meta.url));

/**
 * Runs one session process at a time. A process that hangs is killed with its workers and replaced.
 */
export class Runner {
  readonly #workers: number;
  #child: ChildProcess | undefined;
  #whyEnded = "";

  constructor(workers: number) {
    this.#workers = workers;
    process.on("exit", () => this.stop());
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.on(signal, () => process.exit(130));
  }

  /**
   * Runs the tests once without a mutant, and finds out which tests run the code of which mutant.
   */
  async firstRun(mutants: readonly Mutant[], tests: string[]): Promise<readonly TestFile[]> {
    const answer = await this.#ask({ type: "first run", mutants, tests }, FIRST_RUN_MS);
    if (answer?.type === "first run") return answer.testFiles;
    throw new Error(`The tests without a mutant did not finish: ${this.#whyEnded}.`);
  }

  async try(mutant: Mutant, testFiles: readonly TestFile[]): Promise<Verdict> {
    const start = performance.now();
    const usual = testFiles.reduce((sum, { ms }) => sum + ms, 0);
    const limit = Math.round(Math.max(LEAST_MS, usual * TIMES_SLOWER));
    const paths = testFiles.map(({ path }) => path);
    const answer = await this.#ask({ type: "try", mutant, testFiles: paths }, limit);
    const isLate = answer?.type !== "verdict";
    const killedBy = isLate ? `no end within ${Math.round(limit / 1000)} s` : answer.killedBy;
    const status = killedBy === undefined ? "survived" : "killed";
    return { mutant, status, killedBy, ms: Math.round(performance.now() - start) };
  }

  stop(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // All processes of the group have already ended.
    }
  }

  async #ask(question: Question, limitMs: number): Promise<Answer | undefined> {
    const child = (this.#child ??= this.#start());
    const late = AbortSignal.timeout(limitMs);
    const ended = new AbortController();
    this.#whyEnded = `no answer within ${limitMs / 60_000} minutes`;
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      this.#whyEnded = `the process ended with ${signal ?? code}`;
      ended.abort();
    };
    child.once("exit", onExit);
    child.send(question);
    try {
      const signal = AbortSignal.any([late, ended.signal]);
      const [answer] = (await once(child, "message", { signal })) as [Answer];
      return answer;
    } catch {
      this.stop();
      return undefined;
    } finally {
      child.off("exit", onExit);
    }
  }

  /** Starts its own process group, so that the workers of a session end with it. */
  #start(): ChildProcess {
    return fork(session, {
      execArgv: [...sourceFlags],
      env: { ...process.env, WAYBILL_MUTANT_WORKERS: String(this.#workers) },
      detached: true,
      serialization: "json",
    });
  }
}
