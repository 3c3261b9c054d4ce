import { fail } from "@waybill/core";
import { keptFor } from "@waybill/core/cards";
import type { ProgramRequest, ProgramRunner } from "@waybill/core/cards";
import type { ResultEnvelope, Waybill } from "@waybill/core";
import type { ProgramHost } from "@waybill/core/protocol";
import { ThreadPool } from "../sandbox/index.ts";
import type { PoolOptions } from "../sandbox/index.ts";
import { fitted, refusedAnswer } from "./answer.ts";
import { isReferred, calledNames } from "./check-program.ts";
import { startClock } from "./clock.ts";
import { KeptRun } from "./kept-run.ts";
import { levelOfNextProgram } from "./nesting.ts";
import { DEFAULT_LIMITS, checkOptions, checkProgram } from "./options.ts";
import type { CodeHost, CodeLimits, CodeOptions } from "./options.ts";
import { ProgramThread } from "./program-thread.ts";
import { Run } from "./run.ts";
import type { RunParts } from "./run-parts.ts";

export interface CodeRunnerOptions extends CodeHost {
  readonly pool?: PoolOptions;
}

/** The calls of a program, as far as its source shows them. */
export interface CallOutline {
  /** Every id that it may call; undefined if it computes some of them. */
  readonly ids: readonly string[] | undefined;
  /** Whether every call names its subject by a reference, such as `octo/hello#3`. */
  readonly isReferred: boolean;
}

/** Runs programs with a Waybill. */
export interface CodeRunner {
  /**
   * Runs a program. Never throws; the envelope says what happened. A run belongs to its caller's
   * identity, or to the host program if there is none.
   */
  run(
    waybill: Waybill,
    program: string | undefined,
    options?: CodeOptions,
    caller?: string,
  ): Promise<ResultEnvelope>;
  /** Runs the programs of cards: `cardOperation(card, { routes, programs: runner.programs })`. */
  readonly programs: ProgramRunner;
  /** Finds the ids that a program calls, without running it; undefined if it cannot be parsed. */
  outline(program: string): Promise<CallOutline | undefined>;
  /** Starts a thread in advance, in the background. */
  warm(): void;
  close(): void;
}

/** How deep programs, and the steps and functions that run programs, may call each other. */
const MAX_DEPTH = 8;

/**
 * Thread pools, one for each depth. A program keeps its thread while it waits for a saved program,
 * so the two must not wait for the same threads.
 */
class Pools {
  readonly #options: PoolOptions;
  readonly #memoryBytes: number;
  readonly #pools: ThreadPool[] = [];

  constructor({ memoryBytes }: CodeLimits, options: PoolOptions = {}) {
    this.#options = options;
    this.#memoryBytes = memoryBytes;
  }

  at(level: number): ThreadPool {
    if (level >= MAX_DEPTH) {
      const message = `Programs call each other more than ${MAX_DEPTH} levels deep; call fewer saved programs inside each other`;
      throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
    }
    const memoryBytes = this.#memoryBytes;
    return (this.#pools[level] ??= new ThreadPool({ ...this.#options, memoryBytes }));
  }

  /** The nesting level of a program that starts now, inside at least this many other programs. */
  levelFrom(depth: number): number {
    return Math.max(
      depth,
      levelOfNextProgram(() => this.at(0).isFull),
    );
  }

  close(): void {
    for (const pool of this.#pools) pool?.close();
  }
}

/** The state that the runs of a runner share. */
interface Shared {
  readonly pools: Pools;
  readonly stores: CodeHost;
  readonly caller: string;
  readonly limits: CodeLimits;
}

/** A program to run, directly or as a card. */
interface Asked {
  readonly program: string | undefined;
  readonly options: CodeOptions;
  readonly saved?: RunParts["saved"];
  /** How many programs are running around this one (default: 0). */
  readonly depth?: number;
  /** Called once the program is known. */
  readonly open: (program: string, input: unknown) => ProgramHost;
}

async function runOnce(
  { program: given, options, saved, depth = 0, open }: Asked,
  { pools, stores, limits, caller }: Shared,
): Promise<ResultEnvelope> {
  const level = pools.levelFrom(depth);
  const pool = pools.at(level);
  const isResumed = options.approve !== undefined || options.idempotency_key !== undefined;
  const isLeftOut = isResumed && (given === undefined || given === "");
  const program = isLeftOut ? undefined : checkProgram(given, limits);
  const clock = startClock(options.deadline_ms ?? limits.deadlineMs, options.signal);
  try {
    const owner = { caller, until: clock.deadline };
    // A dry run sends nothing, so it needs no log.
    const log = options.dry_run === true && !isResumed ? undefined : stores.log;
    const kept = await KeptRun.open({ program, input: options.input }, options, log, owner);
    const host = open(kept.program, kept.input);
    const parts = { host, pool, level, stores, limits, options, kept, clock };
    try {
      const result = await new Run(saved === undefined ? parts : { ...parts, saved }).answer();
      host.end(result);
      return result;
    } finally {
      await kept.release();
    }
  } finally {
    clock.stop();
  }
}

/** The params of a run, for the observer. */
function shownProgram(code: unknown, input: unknown): object {
  return { code, ...(input !== undefined && { input }) };
}

async function answerRun(
  waybill: Waybill,
  program: string | undefined,
  options: CodeOptions | undefined,
  shared: Shared,
): Promise<ResultEnvelope> {
  let isOpen = false;
  const open = (code: unknown, input: unknown): ProgramHost => {
    isOpen = true;
    return waybill.openProgram(shownProgram(code, input));
  };
  try {
    const checked = checkOptions(options);
    const result = await runOnce({ program, options: checked, open }, shared);
    return await fitted(result, checked.max_tokens, shared.stores.handles);
  } catch (thrown) {
    const refused = refusedAnswer(thrown);
    if (!isOpen) open(program, undefined).end(refused);
    return refused;
  }
}

/** Runs a saved program. Its input is already checked, and its caller shapes the answer. */
async function answerToCard(request: ProgramRequest, shared: Shared): Promise<ResultEnvelope> {
  const { program, calls, input, host, depth, isDry, isCollecting } = request;
  const { key, approve, deadline, signal } = request;
  const left = deadline === undefined ? undefined : Math.max(1, deadline - Date.now());
  const options: CodeOptions = {
    input,
    ...(key !== undefined && { idempotency_key: key }),
    ...(approve !== undefined && { approve }),
    ...(isDry && { dry_run: true }),
    ...(left !== undefined && { deadline_ms: left }),
    ...(signal !== undefined && { signal }),
  };
  try {
    const saved = { calls, isCollecting };
    return await runOnce({ program, options, saved, depth, open: () => host }, shared);
  } catch (thrown) {
    return refusedAnswer(thrown);
  }
}

async function outlineFor(
  program: string,
  { pools, limits }: Shared,
): Promise<CallOutline | undefined> {
  const clock = startClock(limits.computeMs, undefined);
  try {
    const thread = await ProgramThread.take(pools.at(0), limits, clock);
    try {
      const facts = await thread.read(checkProgram(program, limits));
      const ids = facts.computed.length > 0 ? undefined : calledNames(facts);
      return { ids, isReferred: ids !== undefined && facts.calls.every(isReferred) };
    } finally {
      thread.release();
    }
  } catch {
    return undefined;
  } finally {
    clock.stop();
  }
}

/** Lets each caller read only its own stored results. */
function storesFor(stores: CodeHost, caller: string): CodeHost {
  if (stores.handles === undefined || caller === "") return stores;
  return { ...stores, handles: keptFor(stores.handles, { id: caller, scopes: [] }) };
}

export function createCodeRunner(options: CodeRunnerOptions = {}): CodeRunner {
  const { pool: poolOptions, ...stores } = options;
  const limits = { ...DEFAULT_LIMITS, ...stores.limits };
  const pools = new Pools(limits, poolOptions);
  const sharedBy = (caller: string): Shared => ({
    pools,
    stores: storesFor(stores, caller),
    caller,
    limits,
  });
  return {
    run: (waybill, program, asked, caller = "") =>
      answerRun(waybill, program, asked, sharedBy(caller)),
    programs: { run: (request) => answerToCard(request, sharedBy(request.caller)) },
    outline: (program) => outlineFor(program, sharedBy("")),
    warm: () => pools.at(0).warm(),
    close: () => pools.close(),
  };
}

let commonPools: Pools | undefined;

/** Runs one program. All such calls share a pool of threads. */
export function runCode(
  waybill: Waybill,
  program: string,
  options: CodeOptions & CodeHost = {},
): Promise<ResultEnvelope> {
  const { log, handles, limits, ...asked } = options;
  const stores: CodeHost = {
    ...(log !== undefined && { log }),
    ...(handles !== undefined && { handles }),
  };
  commonPools ??= new Pools(DEFAULT_LIMITS);
  const shared = {
    pools: commonPools,
    stores,
    caller: "",
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
  return answerRun(waybill, program, asked, shared);
}
