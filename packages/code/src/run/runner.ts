import { AsyncLocalStorage } from "node:async_hooks";
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
  /** Every id that it may call; undefined if it computes some. */
  readonly ids: readonly string[] | undefined;
  /** Whether every call says what it is about by a reference, such as `octo/hello#3`. */
  readonly isReferred: boolean;
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
  /** Runs the programs of cards: `cardOperation(card, { routes, programs: runner.programs })`. */
  readonly programs: ProgramRunner;
  /** Reads which ids a program calls, without running it; undefined if it cannot be read. */
  outline(program: string): Promise<CallOutline | undefined>;
  /** Starts a thread in the background, for a program that is still to come. */
  warm(): void;
  close(): void;
}

/** As deep as saved programs and steps may call each other. */
const MAX_DEPTH = 8;
/** How many programs are around the code that runs now. */
const depth = new AsyncLocalStorage<number>();

/**
 * Threads for programs, by how deep they are. A program keeps its thread while it waits for a saved
 * program that it calls, so both may not wait for the same threads.
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
      const message = `Programs call each other more than ${MAX_DEPTH} deep`;
      throw fail("ADAPTER_UNSUPPORTED", message, { outcome: "not_applied" });
    }
    const memoryBytes = this.#memoryBytes;
    return (this.#pools[level] ??= new ThreadPool({ ...this.#options, memoryBytes }));
  }

  close(): void {
    for (const pool of this.#pools) pool?.close();
  }
}

/** Everything that the runs of a runner share. */
interface Shared {
  readonly pools: Pools;
  readonly stores: CodeHost;
  readonly caller: string;
  readonly limits: CodeLimits;
}

/** A program that is run, on its own or as a card. */
interface Asked {
  readonly program: string | undefined;
  readonly options: CodeOptions;
  readonly saved?: RunParts["saved"];
  /** Called once the program is known. */
  readonly open: (program: string, input: unknown) => ProgramHost;
}

async function runOnce(
  { program: given, options, saved, open }: Asked,
  { pools, stores, limits, caller }: Shared,
): Promise<ResultEnvelope> {
  const level = depth.getStore() ?? 0;
  const pool = pools.at(level);
  const isResumed = options.approve !== undefined || options.idempotency_key !== undefined;
  const isLeftOut = isResumed && (given === undefined || given === "");
  const program = isLeftOut ? undefined : checkProgram(given, limits);
  const clock = startClock(options.deadline_ms ?? limits.deadlineMs, options.signal);
  try {
    const owner = { caller, until: clock.deadline };
    // A dry run sends nothing, so there is nothing to repeat.
    const log = options.dry_run === true && !isResumed ? undefined : stores.log;
    const kept = await KeptRun.open({ program, input: options.input }, options, log, owner);
    const host = open(kept.program, kept.input);
    const nest = <T>(work: () => T): T => depth.run(level + 1, work);
    const parts = { host, pool, stores, limits, options, kept, clock, nest };
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

/** A saved program: its input was checked, and its caller shapes its answer. */
async function answerToCard(request: ProgramRequest, shared: Shared): Promise<ResultEnvelope> {
  const { program, calls, input, host, isDry, isCollecting, key, approve, deadline, signal } =
    request;
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
    return await runOnce({ program, options, saved, open: () => host }, shared);
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

/** A caller can read only its own kept results. */
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

/** Runs one program, in threads that all such calls share. */
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
