import { setImmediate } from "node:timers/promises";
import { fail } from "@waybill/core";
import { failureResult, isStandingWarning, successResult } from "@waybill/core/protocol";
import type { ResultEnvelope, ResultError } from "@waybill/core";
import type { ProgramCall, ReplayedCall } from "@waybill/core/protocol";
import type { KeptCall, WriteRecord } from "../log/index.ts";
import type { GuestAnswer, GuestCall, GuestRound } from "../sandbox/index.ts";
import { resultShape } from "../surface/index.ts";
import type { RunApprovals } from "./approvals.ts";
import type { Catalogue } from "./catalogue.ts";
import { appliedEarlier, withEarlier } from "./earlier-writes.ts";
import { CallDigests } from "./hash-json.ts";
import type { Digests } from "./hash-json.ts";
import { nestCalls } from "./nesting.ts";
import { performCalls } from "./perform-calls.ts";
import type { Performance, PerformedCall } from "./perform-calls.ts";
import { calledNames, givenInput, isWrite, prepareCall } from "./prepared-call.ts";
import type { AnyCall, PreparedCall } from "./prepared-call.ts";
import { writesIn } from "./kept-run.ts";
import { isDryRun } from "./run-parts.ts";
import type { RunParts } from "./run-parts.ts";

/**
 * The number of calls after which there is a pause, so that other work of this process can
 * continue.
 */
const PREPARED_AT_ONCE = 100;
/** The most different warnings in an answer. */
const MAX_WARNINGS = 20;

/** Answers the calls of a program, turn by turn, and counts their effects. */
export class Rounds {
  readonly writes: WriteRecord[] = [];
  readonly warnings = new Set<string>();
  readonly #parts: RunParts;
  readonly #catalogue: Catalogue;
  readonly #approvals: RunApprovals;
  /** Ids whose result shape was already sent to the sandbox. */
  readonly #told = new Set<string>();
  #writeCount = 0;
  #callCount = 0;

  constructor(parts: RunParts, catalogue: Catalogue, approvals: RunApprovals) {
    this.#parts = parts;
    this.#catalogue = catalogue;
    this.#approvals = approvals;
  }

  /** The answers to all calls of a turn, from the log as far as possible. */
  async answer(calls: readonly GuestCall[]): Promise<GuestRound> {
    const { kept, limits } = this.#parts;
    // The host counts calls itself, because values from the sandbox cannot be trusted.
    this.#callCount += calls.length;
    if (this.#callCount > limits.calls) throw tooMany("calls", limits.calls);
    await this.#catalogue.learn(calledNames(calls));
    const digests = new CallDigests(calls);
    const replayed = kept.replay(digests);
    const answers =
      replayed === undefined ? await this.#perform(calls, digests) : this.#retold(calls, replayed);
    return this.#roundOf(calls, answers);
  }

  #retold(calls: readonly GuestCall[], kept: readonly KeptCall[]): readonly GuestAnswer[] {
    const noted = kept.map((each, index) =>
      replayedCall(each, givenInput(calls[index]!, this.#catalogue)),
    );
    this.#parts.host.noteReplayed(noted);
    for (const { write } of kept) {
      if (write === undefined) continue;
      this.#writeCount += 1;
      this.writes.push(write);
    }
    return kept.map(({ answer }) => answer);
  }

  async #perform(calls: readonly GuestCall[], digests: Digests): Promise<readonly GuestAnswer[]> {
    const prepared = await this.#prepare(calls);
    const writes = prepared.filter((call) => call.kind === "call").filter(isWrite);
    this.#assertWrites(writes.length);
    const isSending = writes.length > 0 && !this.#approvals.isCollecting;
    if (isSending) await this.#parts.kept.beforeWrites(writes.map(sentWrite));
    const performed = isDryRun(this.#parts)
      ? await performCalls(prepared, this.#performance(this.#appliedBefore(calls, digests)))
      : await this.#performLive(prepared, digests);
    this.#noteWrites(performed);
    await this.#keep(performed, digests, isSending);
    return performed.map(({ answer }) => answer);
  }

  async #performLive(
    calls: readonly AnyCall[],
    digests: Digests,
  ): Promise<readonly PerformedCall[]> {
    const live = await performCalls(calls, this.#performance());
    return withEarlier(live, digests, this.#parts.kept.takeEarlier());
  }

  /** The answers of writes that an earlier run applied, by index of the call. */
  #appliedBefore(calls: readonly GuestCall[], digests: Digests): Performance["applied"] {
    const answers = appliedEarlier(digests, this.#parts.kept.earlier);
    return new Map([...answers].map(([index, answer]) => [calls[index]!.n, answer]));
  }

  /**
   * Calls that wait for an approval, and all later ones, are not stored: they are made again after
   * the approval.
   */
  async #keep(
    performed: readonly PerformedCall[],
    digests: Digests,
    isSent: boolean,
  ): Promise<void> {
    const { kept } = this.#parts;
    const calls = performed.map((call, index) => keptCall(call, digests, index));
    if (!this.#approvals.isCollecting) await kept.keep(calls);
    else if (isSent) await kept.noteSent(writesIn(calls));
  }

  async #prepare(calls: readonly GuestCall[]): Promise<readonly AnyCall[]> {
    const prepared: AnyCall[] = [];
    for (const [index, call] of calls.entries()) {
      if (index % PREPARED_AT_ONCE === PREPARED_AT_ONCE - 1) await setImmediate();
      const ready = await prepareCall(call, this.#catalogue, this.#parts.saved?.calls);
      if (ready.kind === "call") this.#noteAlias(ready);
      prepared.push(ready);
    }
    return prepared;
  }

  /** Tells a program that used an alias which capability it called. */
  #noteAlias({ alias, spec }: PreparedCall): void {
    if (alias === undefined || this.warnings.size >= MAX_WARNINGS) return;
    this.warnings.add(`${alias} means ${spec.id}`);
  }

  #assertWrites(more: number): void {
    const { writes } = this.#parts.limits;
    if (this.#writeCount + more > writes) throw tooMany("writes", writes);
  }

  #performance(applied: Performance["applied"] = new Map()): Performance {
    const { host, limits } = this.#parts;
    return {
      applied,
      host,
      call: (calls, isDry) => this.#call(calls, isDry),
      catalogue: this.#catalogue,
      approvals: this.#approvals,
      maxItems: limits.listItems,
      isDry: isDryRun(this.#parts),
      nextKey: () => this.#nextKey(),
      warn: (text) => void this.warnings.add(text),
    };
  }

  async #call(calls: readonly ProgramCall[], isDry?: boolean): Promise<readonly ResultEnvelope[]> {
    const { host, clock, level } = this.#parts;
    const { signal, deadline } = clock;
    const results = await nestCalls(level, () => host.call(calls, { signal, deadline, isDry }));
    results.forEach(({ meta }, index) => this.#passOn(calls[index]!.id, meta.warnings));
    return results;
  }

  /** Collects the warnings of calls for the final answer, because a program gets only the data. */
  #passOn(id: string, warnings: readonly string[] = []): void {
    for (const warning of warnings) {
      const isNews = !isStandingWarning(warning) && this.warnings.size < MAX_WARNINGS;
      if (isNews) this.warnings.add(`${id}: ${warning}`);
    }
  }

  #nextKey(): string | undefined {
    const { kept } = this.#parts;
    this.#writeCount += 1;
    return kept.isKept ? `${kept.key}/${this.#writeCount}` : undefined;
  }

  #noteWrites(performed: readonly PerformedCall[]): void {
    const { kept } = this.#parts;
    for (const { write, isReplayed } of performed) {
      if (write !== undefined) this.writes.push(write);
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

function sentWrite({ spec, input }: PreparedCall): WriteRecord {
  return { id: spec.id, input, outcome: "unknown" };
}

function keptCall({ answer, write }: PerformedCall, digests: Digests, index: number): KeptCall {
  return {
    get digest() {
      return digests.at(index)!;
    },
    answer,
    ...(write !== undefined && { write }),
  };
}

/** The record of a call that was answered from the log, for the observer. */
function replayedCall({ answer, write }: KeptCall, given: unknown): ReplayedCall {
  const { id } = answer;
  const meta = { capability_id: id, replayed: true };
  const input = write?.input ?? given;
  if (!("error" in answer)) {
    const data = "data" in answer ? answer.data : null;
    return { id, input, result: successResult(data, meta) };
  }
  const { code = "UNKNOWN", message = "" } = answer.error as Partial<ResultError>;
  return { id, input, result: failureResult({ code, message, retryable: false }, meta) };
}

function tooMany(limit: "calls" | "writes", most: number): Error {
  return fail(
    "TOO_LARGE",
    `The program made more than ${most} ${limit}. Divide the work between several runs`,
    { limit },
  );
}

/** The error if the journal has a write with this key, but the log of the run is gone. */
function lostLog(): Error {
  return fail("CONFLICT", "The key was used before, but the log of that run is missing", {
    hint: "Use a new key for a new run",
  });
}
