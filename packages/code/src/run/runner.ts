import { keptFor } from "@waybill/core/cards";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import { ThreadPool } from "../sandbox/index.ts";
import type { PoolOptions } from "../sandbox/index.ts";
import { fitted, refusedAnswer } from "./answer.ts";
import { namesIn } from "./check-program.ts";
import { startClock } from "./clock.ts";
import { KeptRun } from "./kept-run.ts";
import { DEFAULT_LIMITS, checkOptions, checkProgram } from "./options.ts";
import type { CodeHost, CodeLimits, CodeOptions } from "./options.ts";
import { ProgramThread } from "./program-thread.ts";
import { Run } from "./run.ts";

export interface CodeRunnerOptions extends CodeHost {
  readonly pool?: PoolOptions;
}

/** Runs programs over a Waybill. */
export interface CodeRunner {
  /**
   * Runs a program. Never throws; the envelope says what happened. A run belongs to its caller, who
   * is known by an id; without one it is the program around this.
   */
  run(
    waybill: Waybill,
    program: string | undefined,
    options?: CodeOptions,
    caller?: string,
  ): Promise<ResultEnvelope>;
  /** The ids that a program names; undefined if it computes some, or cannot be read. */
  idsIn(program: string): Promise<readonly string[] | undefined>;
  /** Starts a thread in the background, for a program that is still to come. */
  warm(): void;
  close(): void;
}

/** Everything that the runs of a runner share. */
interface Shared {
  readonly pool: ThreadPool;
  readonly host: CodeHost;
  readonly caller: string;
  readonly limits: CodeLimits;
}

async function runOnce(
  waybill: Waybill,
  given: string | undefined,
  options: CodeOptions,
  { pool, host, limits, caller }: Shared,
): Promise<ResultEnvelope> {
  const isResumed = options.approve !== undefined || options.idempotency_key !== undefined;
  const isLeftOut = isResumed && (given === undefined || given === "");
  const program = isLeftOut ? undefined : checkProgram(given, limits);
  const clock = startClock(options.deadline_ms ?? limits.deadlineMs, options.signal);
  try {
    const owner = { caller, until: clock.deadline };
    // A dry run sends nothing, so there is nothing to repeat.
    const log = options.dry_run === true && !isResumed ? undefined : host.log;
    const kept = await KeptRun.open(program, options, log, owner);
    try {
      return await new Run({ waybill, pool, host, limits, options, kept, clock }).answer();
    } finally {
      await kept.release();
    }
  } finally {
    clock.stop();
  }
}

async function answerTo(
  waybill: Waybill,
  program: string | undefined,
  options: CodeOptions | undefined,
  shared: Shared,
): Promise<ResultEnvelope> {
  try {
    const checked = checkOptions(options);
    const result = await runOnce(waybill, program, checked, shared);
    return await fitted(result, checked.max_tokens, shared.host.handles);
  } catch (thrown) {
    return refusedAnswer(thrown);
  }
}

async function namedIds(
  program: string,
  { pool, limits }: Shared,
): Promise<readonly string[] | undefined> {
  const clock = startClock(limits.computeMs, undefined);
  try {
    const thread = await ProgramThread.take(pool, limits, clock);
    try {
      const facts = await thread.read(checkProgram(program, limits));
      return facts.computed.length > 0 ? undefined : namesIn(facts);
    } finally {
      thread.release();
    }
  } catch {
    return undefined;
  } finally {
    clock.stop();
  }
}

/** A caller can read only its own kept results. */
function hostFor(host: CodeHost, caller: string): CodeHost {
  if (host.handles === undefined || caller === "") return host;
  return { ...host, handles: keptFor(host.handles, { id: caller, scopes: [] }) };
}

export function createCodeRunner(options: CodeRunnerOptions = {}): CodeRunner {
  const { pool: poolOptions, ...host } = options;
  const pool = new ThreadPool(poolOptions);
  const limits = { ...DEFAULT_LIMITS, ...host.limits };
  const sharedBy = (caller: string): Shared => ({
    pool,
    host: hostFor(host, caller),
    caller,
    limits,
  });
  return {
    run: (waybill, program, asked, caller = "") =>
      answerTo(waybill, program, asked, sharedBy(caller)),
    idsIn: (program) => namedIds(program, sharedBy("")),
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}

let commonPool: ThreadPool | undefined;

/** Runs one program, in threads that all such calls share. */
export function runCode(
  waybill: Waybill,
  program: string,
  options: CodeOptions & CodeHost = {},
): Promise<ResultEnvelope> {
  const { log, handles, limits, ...asked } = options;
  const host: CodeHost = {
    ...(log !== undefined && { log }),
    ...(handles !== undefined && { handles }),
  };
  commonPool ??= new ThreadPool();
  const shared = { pool: commonPool, host, caller: "", limits: { ...DEFAULT_LIMITS, ...limits } };
  return answerTo(waybill, program, asked, shared);
}
