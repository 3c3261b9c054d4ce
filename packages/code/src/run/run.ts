import type { Outcome, ResultEnvelope, ResultError } from "@waybill/core";
import type { GuestCall, GuestConfig, ProgramOutline, Turn } from "../sandbox/index.ts";
import { failedAnswer, finishedAnswer, withWaitingHandle } from "./answer.ts";
import type { RunSummary } from "./answer.ts";
import { RunApprovals } from "./approvals.ts";
import { Catalogue } from "./catalogue.ts";
import { assertProgram, calledNames as writtenNames } from "./check-program.ts";
import { comparisonWarnings } from "./compared-values.ts";
import { BUILT_IN_NAMES } from "./foreign-names.ts";
import { calledNames, toError } from "./prepared-call.ts";
import { programError, stopError } from "./program-error.ts";
import { ProgramThread } from "./program-thread.ts";
import { Rounds } from "./rounds.ts";
import { collectsAll, isDryRun } from "./run-parts.ts";
import type { RunParts } from "./run-parts.ts";
import { askForApproval, claimApproval } from "./waiting-list.ts";

/** One run of one program. */
export class Run {
  readonly #parts: RunParts;
  readonly #catalogue: Catalogue;
  #approvals: RunApprovals;
  #rounds: Rounds;
  readonly #logs: string[] = [];
  readonly #warnings = new Set<string>();
  #comparisons: readonly string[] = [];

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#catalogue = new Catalogue(parts.host);
    this.#approvals = new RunApprovals(collectsAll(parts), []);
    this.#rounds = new Rounds(parts, this.#catalogue, this.#approvals);
  }

  /** Runs the program to its end. Never throws. */
  async answer(): Promise<ResultEnvelope> {
    const { kept } = this.#parts;
    let end: ResultEnvelope;
    let claim: Awaited<ReturnType<typeof claimApproval>>["claim"];
    try {
      const claimed = await claimApproval(this.#parts);
      ({ claim } = claimed);
      this.#approvals = claimed.approvals;
      this.#rounds = new Rounds(this.#parts, this.#catalogue, this.#approvals);
      end = await this.#endOf(await this.#play());
    } catch (thrown) {
      end = failedAnswer(toError(thrown), this.#summary);
    }
    await kept.end(end.ok && !isDryRun(this.#parts)).catch(() => {});
    // The approval stays valid if the run may be resumed.
    const isOver = end.ok || this.#approvals.waiting.length > 0;
    if (isOver) await claim?.settle(this.#outcome).catch(() => {});
    return end;
  }

  get #outcome(): Outcome {
    return this.#rounds.writes.some(({ outcome }) => outcome !== "not_applied")
      ? "applied"
      : "not_applied";
  }

  get #summary(): RunSummary {
    const { kept } = this.#parts;
    const { writes, warnings } = this.#rounds;
    return {
      key: kept.key,
      isKept: kept.isKept,
      writes: [...writes, ...kept.untold],
      waiting: this.#approvals.waiting,
      logs: this.#logs,
      warnings: [...warnings, ...this.#warnings, ...this.#comparisons],
    };
  }

  async #play(): Promise<Turn> {
    const { pool, limits, clock, kept } = this.#parts;
    const thread = await ProgramThread.take(pool, limits, clock);
    try {
      const outline = await thread.read(kept.program);
      await assertProgram(outline, this.#catalogue);
      this.#compare(outline);
      const config = await this.#config(outline);
      let turn = this.#noted(await thread.start(outline.code, config, kept.now));
      while (isRunning(turn)) {
        const round = await this.#rounds.answer(turn.calls);
        if (turn.facts.status === "returned") this.#warnLate(turn.calls);
        turn = this.#noted(await thread.settle(round));
      }
      return turn;
    } finally {
      thread.release();
    }
  }

  #compare(outline: ProgramOutline): void {
    const called = writtenNames(outline).flatMap((name) => this.#catalogue.find(name)?.spec ?? []);
    this.#comparisons = comparisonWarnings(outline.compared, called);
  }

  async #config({ free, globals }: ProgramOutline): Promise<GuestConfig> {
    const { limits, kept } = this.#parts;
    const { calls, inputBytes, roundBytes, logBytes, answerBytes } = limits;
    return {
      roots: await this.#roots([...free.map(({ name }) => name), ...globals]),
      seed: kept.seed,
      limits: { calls, inputBytes, roundBytes, logBytes, answerBytes },
      ...(kept.input !== undefined && { input: kept.input }),
    };
  }

  /**
   * Warns about reads that are still running at the program's end, because nobody can use their
   * results. Writes may finish without a warning.
   */
  #warnLate(calls: readonly GuestCall[]): void {
    const late = calledNames(calls).find(
      (name) => this.#catalogue.find(name)?.spec.effect === "read",
    );
    if (late === undefined || this.#warnings.size > 0) return;
    this.#warnings.add(
      `The program returned before ${late} had answered. Await it; instead of forEach(async …), use a for loop or await Promise.all(list.map(…)).`,
    );
  }

  async #roots(names: readonly string[]): Promise<string[]> {
    const roots = ["waybill"];
    for (const name of names) {
      if (!BUILT_IN_NAMES.has(name) && (await this.#catalogue.isRoot(name))) roots.push(name);
    }
    return roots;
  }

  #noted(turn: Turn): Turn {
    this.#logs.push(...turn.facts.logs);
    return turn;
  }

  async #endOf(turn: Turn): Promise<ResultEnvelope> {
    const { status, stopped } = turn.facts;
    const isDry = isDryRun(this.#parts);
    const { waiting } = this.#approvals;
    if (!isDry && waiting.length > 0) {
      const summary = {
        ...this.#summary,
        unfinished: unfinishedText(turn, this.#parts.kept.program),
      };
      return askForApproval(this.#approvals, summary, this.#parts);
    }
    if (status === "returned" || (isDry && stopped?.pending !== undefined)) {
      if (status !== "returned") {
        this.#warnings.add(`${stopped!.message}, so the rest is not shown`);
      }
      if (turn.facts.blank !== undefined)
        this.#warnings.add(`${turn.facts.blank}, so it is null in the answer.`);
      else if (isSilent(turn, this.#summary)) this.#warnings.add(NOTHING);
      const ended = finishedAnswer(turn.value, this.#summary, isDry);
      return withWaitingHandle(ended, waiting, this.#parts.stores.handles);
    }
    return failedAnswer(endError(turn, this.#parts.kept.program), this.#summary);
  }
}

function endError(turn: Turn, program: string): ResultError {
  const { status, failure } = turn.facts;
  const isFailure = status === "failed" && failure !== undefined;
  return isFailure ? programError(failure, program) : stopError(turn);
}

/** Why a program that waits for an approval did not reach its end; undefined if it did. */
function unfinishedText(turn: Turn, program: string): string | undefined {
  const { status, stopped } = turn.facts;
  if (status === "returned") return undefined;
  if (stopped?.pending !== undefined) return `${stopped.message}, so more writes may follow.`;
  return `Then the program failed: ${endError(turn, program).message.replace(/\.$/u, "")}.`;
}

const NOTHING = "The program returned nothing. End it with return and a value.";

/**
 * Whether the program only read, and returned and logged nothing. Then a `return` is probably
 * missing.
 */
function isSilent({ value }: Turn, { logs, writes, waiting }: RunSummary): boolean {
  return value === null && logs.length + writes.length + waiting.length === 0;
}

function isRunning({ facts, calls }: Turn): boolean {
  if (facts.status === "stopped" || facts.isHanging) return false;
  return facts.open > 0 && calls.length > 0;
}
