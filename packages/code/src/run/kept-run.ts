import { fail } from "@waybill/core";
import { randomDigits } from "@waybill/core/protocol";
import { MAX_RUN_CHARS } from "../log/index.ts";
import type { ClaimedRun, KeptCall, LogLine, RunLog, WriteRecord } from "../log/index.ts";
import { keyInApproval, newApproval, withoutWrites } from "./approvals.ts";
import { hashJson } from "./hash-json.ts";
import type { Digests } from "./hash-json.ts";
import { KEY_DIGITS } from "./key-digits.ts";
import type { CodeOptions } from "./options.ts";

function conflict(message: string): Error {
  return fail("CONFLICT", message, { outcome: "not_applied", hint: "Use a new key for a new run" });
}

type Lines = readonly LogLine[];

function selectLines<Kind extends LogLine["kind"]>(
  lines: Lines,
  kind: Kind,
): Extract<LogLine, { kind: Kind }>[] {
  return lines.filter((line): line is Extract<LogLine, { kind: Kind }> => line.kind === kind);
}

interface Rounds {
  /** Turns of the program that can be answered from the log. */
  readonly replayed: readonly (readonly KeptCall[])[];
  /** The last turn of an interrupted run. The calls of that turn are made again. */
  readonly retried: readonly KeptCall[] | undefined;
  /** Writes that were sent after these turns, and whose answers were not stored. */
  readonly sent: readonly WriteRecord[];
  /** The number of turns before the run started to wait for an approval. */
  readonly beforeList: number;
}

export function writesIn(calls: readonly KeptCall[]): readonly WriteRecord[] {
  return calls.flatMap(({ write }) => (write === undefined ? [] : [write]));
}

/**
 * The calls of a turn that is sent again. Writes that were not applied before may be applied now.
 */
function sentAgain(calls: readonly KeptCall[]): readonly KeptCall[] {
  return calls.map((call) =>
    call.write === undefined || call.write.outcome === "applied"
      ? call
      : { ...call, write: { ...call.write, outcome: "unknown" } },
  );
}

function readRounds(lines: Lines): Rounds {
  const rounds: (readonly KeptCall[])[] = [];
  let sent: Extract<LogLine, { kind: "sent" }> | undefined;
  let beforeList = 0;
  for (const line of lines) {
    if (line.kind === "round") rounds.splice(line.turn, Infinity, line.calls);
    if (line.kind === "waiting") beforeList = rounds.length;
    if (line.kind !== "sent") continue;
    sent = line;
    const before = rounds[line.turn];
    if (before !== undefined) rounds[line.turn] = sentAgain(before);
  }
  const last = rounds.at(-1);
  // A failure is not retried if the program caught it and then wrote more: after a success the
  // program might write something else.
  const isPassed = sent?.turn === rounds.length;
  const hasEnded = lines.some(({ kind }) => kind === "end");
  const isRetried = !hasEnded && !isPassed && last?.some(({ answer }) => "error" in answer);
  return {
    replayed: isRetried === true ? rounds.slice(0, -1) : rounds,
    retried: isRetried === true ? last : undefined,
    sent: isPassed ? sent!.writes : [],
    beforeList,
  };
}

/**
 * The program and input as the caller passed them. Both may be absent if the key is that of an
 * earlier run.
 */
export interface GivenProgram {
  readonly program: string | undefined;
  readonly input?: unknown;
}

type ListRequest = NonNullable<Extract<LogLine, { kind: "waiting" }>["request"]>;

/** The stored state of one run: what the log answers, and what is written to it. */
export class KeptRun {
  readonly key: string;
  readonly isNew: boolean;
  readonly now: number;
  readonly seed: number;
  readonly program: string;
  /** The value of the global `input`. */
  readonly input: unknown;
  /** Whether the caller chose the key. If so, the run stays in the log after its end. */
  readonly #isNamed: boolean;
  /** The claim on the run; undefined if there is no log. */
  readonly #claim: (() => Promise<ClaimedRun>) | undefined;
  #claimed: ClaimedRun | undefined;
  readonly #rounds: Rounds;
  /** How many turns were answered, from the log or by calls. */
  #turn = 0;
  /** Whether a turn was made that is not in the log. */
  #isPastLog = false;
  /** The list of writes that the run waits for, or that was approved. */
  readonly waiting: Extract<LogLine, { kind: "waiting" }> | undefined;
  readonly hasEnded: boolean;
  /**
   * Lines that are stored together with the first write, because a run without writes needs no log.
   */
  #unwritten: LogLine[] | undefined;
  #chars = 0;
  #isCut = false;

  private constructor(
    key: string,
    { program, input }: GivenProgram,
    claim: (() => Promise<ClaimedRun>) | undefined,
    claimed: ClaimedRun | undefined,
  ) {
    const lines = claimed?.lines ?? [];
    const [run] = selectLines(lines, "run");
    this.key = key;
    this.isNew = run === undefined;
    this.now = run?.now ?? Date.now();
    this.seed = run?.seed ?? Number.parseInt(hashJson(key).slice(0, 8), 16);
    this.program = program ?? run?.program ?? "";
    this.input = input ?? run?.input;
    this.#claim = claim;
    this.#claimed = claimed;
    this.#isNamed = claimed !== undefined;
    this.#rounds = readRounds(lines);
    this.waiting = selectLines(lines, "waiting").at(-1);
    this.hasEnded = lines.some(({ kind }) => kind === "end");
    const { now, seed } = this;
    const begun = { kind: "run", program: this.program, input, now, seed } as const;
    this.#unwritten = this.isNew ? [begun] : undefined;
  }

  /** Claims the run of a key, or starts a new one. A new key is claimed at the first write. */
  static async open(
    given: GivenProgram,
    options: CodeOptions,
    log: RunLog | undefined,
    { caller, until }: { readonly caller: string; readonly until: number },
  ): Promise<KeptRun> {
    const { idempotency_key, approve } = options;
    const named = approve === undefined ? idempotency_key : keyInApproval(approve);
    if (named !== undefined && log === undefined) throw noLog();
    const key = named ?? randomDigits(KEY_DIGITS);
    const claim = log === undefined ? undefined : () => log.claim({ key, caller }, until);
    const claimed = named === undefined ? undefined : await claim?.();
    try {
      assertUsable(claimed, given, options);
      return new KeptRun(key, given, claim, claimed);
    } catch (thrown) {
      await claimed?.release();
      throw thrown;
    }
  }

  /** Whether the writes of this run have idempotency keys. */
  get isKept(): boolean {
    return this.#claim !== undefined;
  }

  /** The approved writes that are not made yet. */
  get listed(): readonly string[] {
    const { replayed, beforeList } = this.#rounds;
    return withoutWrites(this.waiting?.writes ?? [], replayed.slice(beforeList).flatMap(writesIn));
  }

  /** The stored answers to a turn; undefined after the end of the log. */
  replay(digests: Digests): readonly KeptCall[] | undefined {
    const round = this.#rounds.replayed[this.#turn];
    if (round === undefined) return undefined;
    const isSame =
      round.length === digests.length &&
      round.every(({ digest }, index) => digest === digests.at(index));
    if (!isSame) throw conflict("The program made other calls than the earlier run with this key");
    this.#turn += 1;
    return round;
  }

  /**
   * The calls of this turn in an earlier run, which may have sent them. Undefined if no earlier run
   * can have reached this turn. Empty if that run was interrupted before it could store them.
   */
  takeEarlier(): readonly KeptCall[] | undefined {
    const { earlier } = this;
    this.#isPastLog = true;
    return earlier;
  }

  /** Like `takeEarlier`, for a dry run, which does not replace the earlier run. */
  get earlier(): readonly KeptCall[] | undefined {
    const { replayed, retried } = this.#rounds;
    const isFirst = !this.isNew && this.#turn === replayed.length;
    return isFirst ? (retried ?? []) : undefined;
  }

  /** Writes of an earlier run that this run has not reached. */
  get untold(): readonly WriteRecord[] {
    const { replayed, retried = [], sent } = this.#rounds;
    const left = replayed.slice(this.#turn).flatMap(writesIn);
    return this.#isPastLog ? left : [...left, ...writesIn(retried), ...sent];
  }

  /** Stores writes and everything before them on disk, before they are sent. */
  async beforeWrites(writes: readonly WriteRecord[]): Promise<void> {
    await this.#flush();
    await this.noteSent(writes);
  }

  /** Stores what is known about the writes of this turn, if it is not in the log yet. */
  async noteSent(writes: readonly WriteRecord[]): Promise<void> {
    await this.#append({ kind: "sent", turn: this.#turn, writes });
  }

  async #flush(): Promise<void> {
    const lines = this.#unwritten ?? [];
    this.#unwritten = undefined;
    for (const line of lines) await this.#append(line);
  }

  async keep(calls: readonly KeptCall[]): Promise<void> {
    const line: LogLine = { kind: "round", turn: this.#turn, calls };
    this.#turn += 1;
    if (this.#unwritten === undefined) await this.#append(line);
    else this.#unwritten.push(line);
  }

  /** Stores the list of waiting writes, and returns the text with which an agent approves it. */
  async ask(writes: readonly string[], request: ListRequest | undefined): Promise<string> {
    await this.#flush();
    const approval = newApproval(this.key, this.#isNamed);
    const line = { kind: "waiting", approval, writes } as const;
    if (request === undefined) await this.#append(line);
    else await this.#append({ ...line, request: { id: request.id, approve: request.approve } });
    return approval;
  }

  /** Ends a run. A run without a caller's key is deleted. */
  async end(isFinished: boolean): Promise<void> {
    if (isFinished && !this.#isNamed) await this.#claimed?.remove();
    else if (isFinished) {
      await this.#flush();
      await this.#append({ kind: "end" });
    }
  }

  async release(): Promise<void> {
    await this.#claimed?.release();
  }

  async #append(line: LogLine): Promise<void> {
    this.#claimed ??= await this.#claim?.();
    if (this.#claimed === undefined || this.#isCut) return;
    this.#chars += await this.#claimed.append(line);
    this.#isCut = this.#chars > MAX_RUN_CHARS;
    if (this.#isCut) await this.#claimed.append({ kind: "cut" });
  }
}

function noLog(): Error {
  return fail("NOT_READY", "Runs are not stored here, so a key cannot be used", {
    outcome: "not_applied",
    hint: "Pass a log to the runner, or leave out the key",
  });
}

function unknownApproval(): Error {
  return fail("POLICY", "The approval is for another list of calls", {
    outcome: "not_applied",
    hint: "Run the program again to get the current list",
  });
}

function assertUsable(
  claimed: ClaimedRun | undefined,
  { program, input }: GivenProgram,
  { approve }: CodeOptions,
): void {
  const lines = claimed?.lines ?? [];
  const [run] = selectLines(lines, "run");
  if (run === undefined && approve !== undefined) throw unknownApproval();
  if (run === undefined && program === undefined) {
    throw conflict("There is no run with this key. Pass the program too");
  }
  if (run !== undefined && program !== undefined && run.program !== program) {
    throw conflict("The key belongs to another program");
  }
  if (run !== undefined && input !== undefined && hashJson(run.input) !== hashJson(input)) {
    throw conflict("The key was used for this program with another input");
  }
  if (lines.some(({ kind }) => kind === "cut")) {
    throw conflict("The run with this key was too long to be stored, so it cannot be resumed");
  }
  if (approve === undefined) return;
  if (selectLines(lines, "waiting").at(-1)?.approval === approve) return;
  throw unknownApproval();
}
