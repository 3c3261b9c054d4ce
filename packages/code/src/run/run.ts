import { fail } from "@waybill/core";
import { failureResult, successResult } from "@waybill/core/protocol";
import type { Outcome, ResultEnvelope, ResultError } from "@waybill/core";
import type { ProgramCall, ProgramHost, ReplayedCall, WaitingList } from "@waybill/core/protocol";
import type { KeptCall, WriteRecord } from "../log/index.ts";
import type { GuestAnswer, GuestCall, GuestRound, ThreadPool, Turn } from "../sandbox/index.ts";
import { resultShape } from "../surface/index.ts";
import {
  failedAnswer,
  finishedAnswer,
  listedAnswer,
  personAnswer,
  waitingAnswer,
  waitingSummary,
  withWaitingHandle,
} from "./answer.ts";
import type { RunSummary } from "./answer.ts";
import { RunApprovals } from "./approvals.ts";
import { Catalogue } from "./catalogue.ts";
import { assertProgram } from "./check-program.ts";
import type { RunClock } from "./clock.ts";
import { hashJson } from "./hash-json.ts";
import { BUILT_IN_NAMES } from "./foreign-names.ts";
import type { KeptRun } from "./kept-run.ts";
import type { CodeHost, CodeLimits, CodeOptions } from "./options.ts";
import { withEarlier } from "./earlier-writes.ts";
import { performCalls } from "./perform.ts";
import type { Performance } from "./perform.ts";
import { isWrite, calledNames, prepareCall, toError } from "./prepared-call.ts";
import type { AnyCall } from "./prepared-call.ts";
import { programError, stopError } from "./program-error.ts";
import { ProgramThread } from "./program-thread.ts";

/** Everything that a run needs. */
export interface RunParts {
  readonly host: ProgramHost;
  readonly pool: ThreadPool;
  readonly stores: CodeHost;
  readonly limits: CodeLimits;
  readonly options: CodeOptions;
  readonly kept: KeptRun;
  readonly clock: RunClock;
  /** A saved program may call only these ids. Its writes may be collected by another program. */
  readonly saved?: { readonly calls: readonly string[]; readonly isCollecting: boolean };
  /** Marks calls as made by a program, so that programs in them know how deep they are. */
  readonly nest: <T>(work: () => T) => T;
}

/** The approval of a list, taken until the run ends. */
type Claim = NonNullable<Awaited<ReturnType<ProgramHost["claim"]>>>;

/** One run of one program. */
export class Run {
  readonly #parts: RunParts;
  readonly #catalogue: Catalogue;
  #approvals: RunApprovals;
  readonly #writes: WriteRecord[] = [];
  readonly #logs: string[] = [];
  readonly #warnings = new Set<string>();
  readonly #told = new Set<string>();
  #hasWarned = false;
  #writeCount = 0;
  #callCount = 0;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#catalogue = new Catalogue(parts.host);
    this.#approvals = new RunApprovals(this.#isCollecting, []);
  }

  get #isCollecting(): boolean {
    return this.#isDry || this.#parts.saved?.isCollecting === true;
  }

  get #performance(): Performance {
    const { host, limits } = this.#parts;
    return {
      host,
      call: (calls, isDry) => this.#call(calls, isDry),
      catalogue: this.#catalogue,
      approvals: this.#approvals,
      maxItems: limits.listItems,
      isDry: this.#isDry,
      nextKey: () => this.#nextKey(),
      warn: (text) => void this.#warnings.add(text),
    };
  }

  #call(calls: readonly ProgramCall[], isDry?: boolean): Promise<readonly ResultEnvelope[]> {
    const { host, clock, nest } = this.#parts;
    const { signal, deadline } = clock;
    return nest(() => host.call(calls, { signal, deadline, isDry }));
  }

  /** Runs the program to its end. Never throws. */
  async answer(): Promise<ResultEnvelope> {
    const { kept } = this.#parts;
    let end: ResultEnvelope;
    let claim: Claim | undefined;
    try {
      claim = await this.#claim();
      const turn = await this.#play();
      end = await this.#endOf(turn);
    } catch (thrown) {
      end = failedAnswer(toError(thrown), this.#facts);
    }
    await kept.end(end.ok && !this.#isDry).catch(() => {});
    // An approval stays with the key of a run that may be resumed.
    const isOver = end.ok || this.#approvals.waiting.length > 0;
    if (isOver) await claim?.settle(this.#outcome).catch(() => {});
    return end;
  }

  get #outcome(): Outcome {
    return this.#writes.some(({ outcome }) => outcome !== "not_applied")
      ? "applied"
      : "not_applied";
  }

  /** Takes the approval of the list that the run waits for. */
  async #claim(): Promise<Claim | undefined> {
    const { kept, host, options } = this.#parts;
    const { waiting } = kept;
    if (waiting === undefined || kept.hasEnded || this.#isCollecting) return undefined;
    const { writes, request } = waiting;
    const text = options.approve === undefined ? undefined : request?.approve;
    const claim = await host.claim(this.#list(writes), text);
    if (claim !== undefined) this.#approvals = new RunApprovals(false, writes);
    else if (text !== undefined) throw usedApproval();
    return claim;
  }

  #list(writes: readonly string[]): WaitingList {
    return { key: this.#parts.kept.key, digest: hashJson(writes) };
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
    const { pool, limits, clock, kept } = this.#parts;
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
        ...(kept.input !== undefined && { input: kept.input }),
      };
      let turn = this.#noted(await thread.start(facts.code, config, kept.now));
      while (isRunning(turn)) {
        const round = await this.#round(turn.calls);
        if (turn.facts.status === "returned") this.#warnLate(turn.calls);
        turn = this.#noted(await thread.settle(round));
      }
      return turn;
    } finally {
      thread.release();
    }
  }

  /** A read after the end is a mistake: nobody can use its result. Writes may be left to themselves. */
  #warnLate(calls: readonly GuestCall[]): void {
    const late = calledNames(calls).find(
      (name) => this.#catalogue.find(name)?.spec.effect === "read",
    );
    if (late === undefined || this.#hasWarned) return;
    this.#hasWarned = true;
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
    const { status, stopped, failure } = turn.facts;
    const facts = this.#facts;
    if (!this.#isDry && facts.waiting.length > 0) return this.#waits();
    if (status === "returned" || (this.#isDry && stopped?.pending !== undefined)) {
      const note =
        status === "returned" ? [] : [`${stopped!.message}, so what follows is not shown`];
      for (const text of note) this.#warnings.add(text);
      const ended = finishedAnswer(turn.value, this.#facts, this.#isDry);
      return withWaitingHandle(ended, facts.waiting, this.#parts.stores.handles);
    }
    const error: ResultError =
      status === "failed" && failure !== undefined ? programError(failure) : stopError(turn);
    return failedAnswer(error, facts);
  }

  async #waits(): Promise<ResultEnvelope> {
    const { kept, host, stores } = this.#parts;
    const facts = this.#facts;
    if (!kept.isKept) {
      const message = "The program makes calls that need an approval, and runs are not kept here";
      return failedAnswer(toError(fail("POLICY", message)), facts);
    }
    const writes = this.#approvals.kept;
    const list = this.#list(writes);
    const shown = { waiting: waitingSummary(facts.waiting), program: kept.program };
    const request = await host.ask(list, shown, kept.waiting?.request?.id);
    const approve = await kept.ask(writes, request);
    return withWaitingHandle(
      this.#asking(list, request?.id, approve),
      facts.waiting,
      stores.handles,
    );
  }

  #asking(list: WaitingList, id: string | undefined, approve: string): ResultEnvelope {
    const facts = this.#facts;
    if (id === undefined) return listedAnswer(list.digest, facts);
    return this.#parts.host.isPersonAsked
      ? personAnswer(id, facts)
      : waitingAnswer(approve, id, facts);
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
    if (replayed !== undefined) return this.#roundOf(calls, this.#retold(calls, replayed));
    const performed = await this.#perform(calls, digests);
    return this.#roundOf(calls, performed);
  }

  #retold(calls: readonly GuestCall[], kept: readonly KeptCall[]): readonly GuestAnswer[] {
    const noted = kept.map((each, index) => replayedCall(calls[index]!, each));
    this.#parts.host.noteReplayed(noted);
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
    const { kept, limits, saved } = this.#parts;
    const prepared: AnyCall[] = [];
    for (const call of calls) {
      prepared.push(await prepareCall(call, this.#catalogue, saved?.calls));
    }
    const writes = prepared.filter((call) => call.kind === "call" && isWrite(call)).length;
    if (this.#writeCount + writes > limits.writes) throw tooMany("writes", limits.writes);
    if (writes > 0 && !this.#isDry) await kept.beforeWrites();
    const performed = withEarlier(
      await performCalls(prepared, this.#performance),
      digests,
      kept.earlier(),
    );
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

/** A call that the log answered, for the observer. */
function replayedCall({ args }: GuestCall, { answer, write }: KeptCall): ReplayedCall {
  const { id } = answer;
  const meta = { capability_id: id, replayed: true };
  const input = write?.input ?? args;
  if (!("error" in answer)) {
    const data = "data" in answer ? answer.data : null;
    return { id, input, result: successResult(data, meta) };
  }
  const { code = "UNKNOWN", message = "" } = answer.error as Partial<ResultError>;
  return { id, input, result: failureResult({ code, message, retryable: false }, meta) };
}

function usedApproval(): Error {
  return fail("POLICY", "The approval was denied or used, or is older than 24 hours", {
    outcome: "not_applied",
    hint: "Run the program again to get the list that waits now",
  });
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
