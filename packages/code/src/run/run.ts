import { fail } from "@waybill/core";
import type { ResultEnvelope, ResultError, Waybill } from "@waybill/core";
import type { KeptCall, WriteRecord } from "../log/index.ts";
import type { GuestAnswer, GuestCall, GuestRound, ThreadPool, Turn } from "../sandbox/index.ts";
import { resultShape } from "../surface/index.ts";
import {
  failedAnswer,
  finishedAnswer,
  personAnswer,
  waitingAnswer,
  withWaitingHandle,
} from "./answer.ts";
import type { RunSummary } from "./answer.ts";
import { RunApprovals } from "./approvals.ts";
import { Caller } from "./caller.ts";
import { Catalogue } from "./catalogue.ts";
import { assertProgram } from "./check-program.ts";
import type { RunClock } from "./clock.ts";
import { hashJson } from "./hash-json.ts";
import { BUILT_IN_NAMES } from "./foreign-names.ts";
import type { KeptRun } from "./kept-run.ts";
import type { CodeHost, CodeLimits, CodeOptions } from "./options.ts";
import { performCalls } from "./perform.ts";
import type { Performance } from "./perform.ts";
import { isWrite, calledNames, prepareCall, toError } from "./prepared-call.ts";
import type { AnyCall } from "./prepared-call.ts";
import { programError, stopError } from "./program-error.ts";
import { ProgramThread } from "./program-thread.ts";

/** Everything that a run needs. */
export interface RunParts {
  readonly waybill: Waybill;
  readonly pool: ThreadPool;
  readonly host: CodeHost;
  readonly limits: CodeLimits;
  readonly options: CodeOptions;
  readonly kept: KeptRun;
  readonly clock: RunClock;
}

/** One run of one program. */
export class Run {
  readonly #parts: RunParts;
  readonly #catalogue: Catalogue;
  readonly #approvals: RunApprovals;
  readonly #performance: Performance;
  readonly #writes: WriteRecord[] = [];
  readonly #logs: string[] = [];
  readonly #warnings = new Set<string>();
  readonly #told = new Set<string>();
  #writeCount = 0;
  #callCount = 0;

  constructor(parts: RunParts) {
    const { waybill, limits, options, kept, clock } = parts;
    this.#parts = parts;
    this.#catalogue = new Catalogue(waybill);
    const approved = options.approve === undefined ? [] : kept.approved;
    this.#approvals = new RunApprovals(options.dry_run === true, approved);
    this.#performance = {
      waybill,
      caller: new Caller(waybill, clock),
      catalogue: this.#catalogue,
      approvals: this.#approvals,
      maxItems: limits.listItems,
      nextKey: () => this.#nextKey(),
      warn: (text) => void this.#warnings.add(text),
    };
  }

  /** Runs the program to its end. Never throws. */
  async answer(): Promise<ResultEnvelope> {
    const { kept } = this.#parts;
    let end: ResultEnvelope;
    try {
      const turn = await this.#play();
      end = await this.#endOf(turn);
    } catch (thrown) {
      end = failedAnswer(toError(thrown), this.#facts);
    }
    await kept.end(end.ok && !this.#isDry).catch(() => {});
    return end;
  }

  get #isDry(): boolean {
    return this.#parts.options.dry_run === true;
  }

  get #facts(): RunSummary {
    const { kept } = this.#parts;
    return {
      key: kept.key,
      isKept: kept.isKept,
      writes: this.#writes,
      waiting: this.#approvals.waiting,
      logs: this.#logs,
      warnings: [...this.#warnings],
    };
  }

  #nextKey(): string | undefined {
    const { kept } = this.#parts;
    this.#writeCount += 1;
    return kept.isKept ? `${kept.key}/${this.#writeCount}` : undefined;
  }

  async #play(): Promise<Turn> {
    const { pool, limits, clock, kept, options } = this.#parts;
    const thread = await ProgramThread.take(pool, limits, clock);
    try {
      const facts = await thread.read(kept.program);
      await assertProgram(facts, this.#catalogue);
      const roots = await this.#roots([...facts.free.map(({ name }) => name), ...facts.globals]);
      const { calls, inputBytes, logBytes, answerBytes } = limits;
      const config = {
        roots,
        seed: kept.seed,
        limits: { calls, inputBytes, logBytes, answerBytes },
        ...(options.input !== undefined && { input: options.input }),
      };
      let turn = this.#noted(await thread.start(facts.code, config, kept.now));
      while (isRunning(turn))
        turn = this.#noted(await thread.settle(await this.#round(turn.calls)));
      return turn;
    } finally {
      thread.release();
    }
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
    const { status, stopped, failure } = turn.facts;
    const facts = this.#facts;
    if (!this.#isDry && facts.waiting.length > 0) return this.#waits();
    if (status === "returned" || (this.#isDry && stopped?.pending !== undefined)) {
      const note =
        status === "returned" ? [] : [`${stopped!.message}, so what follows is not shown`];
      for (const text of note) this.#warnings.add(text);
      const ended = finishedAnswer(turn.value, this.#facts, this.#isDry);
      return withWaitingHandle(ended, facts.waiting, this.#parts.host.handles);
    }
    const error: ResultError =
      status === "failed" && failure !== undefined ? programError(failure) : stopError(turn);
    return failedAnswer(error, facts);
  }

  async #waits(): Promise<ResultEnvelope> {
    const { kept, host } = this.#parts;
    const facts = this.#facts;
    if (!kept.isKept) {
      const message = "The program makes calls that need an approval, and runs are not kept here";
      return failedAnswer(toError(fail("POLICY", message)), facts);
    }
    const approve = await kept.ask(this.#approvals.digests);
    const { personal } = this.#approvals;
    const answer =
      personal.length > 0 ? personAnswer(personal, facts) : waitingAnswer(approve, facts);
    return withWaitingHandle(answer, facts.waiting, host.handles);
  }

  /** The answers to all calls of a turn, from the log as far as it goes. */
  async #round(calls: readonly GuestCall[]): Promise<GuestRound> {
    const { kept, limits } = this.#parts;
    // The sandbox counts as well, but what comes out of it is not to be trusted.
    this.#callCount += calls.length;
    if (this.#callCount > limits.calls) throw tooMany("calls", limits.calls);
    await this.#catalogue.learn(calledNames(calls));
    const digests = calls.map(({ name, args }) => hashJson([name, args]));
    const replayed = kept.replay(digests);
    if (replayed !== undefined) return this.#roundOf(calls, this.#retold(replayed));
    const performed = await this.#perform(calls, digests);
    return this.#roundOf(calls, performed);
  }

  #retold(kept: readonly KeptCall[]): readonly GuestAnswer[] {
    for (const { write } of kept) {
      if (write === undefined) continue;
      this.#writeCount += 1;
      this.#writes.push(write);
    }
    return kept.map(({ answer }) => answer);
  }

  async #perform(
    calls: readonly GuestCall[],
    digests: readonly string[],
  ): Promise<readonly GuestAnswer[]> {
    const { kept, limits } = this.#parts;
    const prepared: AnyCall[] = [];
    for (const call of calls) prepared.push(await prepareCall(call, this.#catalogue));
    const writes = prepared.filter((call) => call.kind === "call" && isWrite(call)).length;
    if (this.#writeCount + writes > limits.writes) throw tooMany("writes", limits.writes);
    if (writes > 0 && !this.#isDry) await kept.beforeWrites();
    const performed = await performCalls(prepared, this.#performance);
    this.#noteWrites(performed);
    // Calls that wait for an approval, and all later ones, are made again when it is given.
    if (!this.#approvals.isCollecting) {
      const lines = performed.map(({ answer, write }, index) => {
        const line = { digest: digests[index]!, answer };
        return write === undefined ? line : { ...line, write };
      });
      await kept.keep(lines);
    }
    return performed.map(({ answer }) => answer);
  }

  #noteWrites(performed: readonly { write?: WriteRecord; isReplayed?: boolean }[]): void {
    const { kept } = this.#parts;
    for (const { write, isReplayed } of performed) {
      if (write !== undefined) this.#writes.push(write);
      if (isReplayed === true && kept.isNew) throw lostLog();
    }
  }

  #roundOf(calls: readonly GuestCall[], answers: readonly GuestAnswer[]): GuestRound {
    const shapes: Record<string, ReturnType<typeof resultShape>> = {};
    for (const { id } of answers) {
      const spec = this.#catalogue.find(id)?.spec;
      if (spec === undefined || this.#told.has(id)) continue;
      this.#told.add(id);
      shapes[id] = resultShape(spec);
    }
    return { shapes, answers: answers.map((answer, index) => ({ ...answer, n: calls[index]!.n })) };
  }
}

function isRunning({ facts, calls }: Turn): boolean {
  if (facts.status === "stopped" || facts.isHanging) return false;
  return facts.open > 0 && calls.length > 0;
}

function tooMany(limit: "calls" | "writes", most: number): Error {
  return fail("TOO_LARGE", `The program made more than ${most} ${limit}`, { limit });
}

/** The journal knows a write of this key, and what the program had read before it is gone. */
function lostLog(): Error {
  return fail("CONFLICT", "The key was used before, and the log of that run is gone", {
    hint: "Use a new key for a new run",
  });
}
