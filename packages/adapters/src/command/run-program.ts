import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { errorFromUnknown } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { refuseNul } from "./argv.ts";
import { refuseIfOver, watchEnding } from "./ending.ts";
import type { Ending } from "./ending.ts";
import { Output } from "./output.ts";
import type { OutputRest } from "./output.ts";
import { ProcessGroup } from "./process-group.ts";
import { startProgram } from "./start.ts";
import type { Started, StartOptions } from "./start.ts";
import { TextTail } from "./text-tail.ts";

const MEGABYTE = 1_000_000;
const MAX_STDERR_BYTES = 64_000;

export interface ProgramOptions extends StartOptions, Ending {
  /** Output beyond this size is stored on disk and read through `rest` (default: 20 MB). */
  readonly maxOutputBytes?: number | undefined;
  /** Output beyond this size ends the program with TOO_LARGE (default: 512 MB). */
  readonly hardLimitBytes?: number | undefined;
  /** Milliseconds between asking the group to end and killing it (default: 1 s). */
  readonly graceMs?: number | undefined;
  readonly onSpawned?: ((pid: number) => void) | undefined;
}

export interface ProgramResult {
  /** The beginning of the output. It is the whole output if `truncated` is false. */
  readonly stdout: Uint8Array;
  /** The end of the standard error output. */
  readonly stderr: string;
  /** The exit code. Null if a signal ended the program. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly durationMs: number;
  readonly truncated: boolean;
  /** The rest of the output. Present if `truncated` is true. The caller closes it. */
  readonly rest?: OutputRest;
}

type Exit = [exitCode: number | null, signal: NodeJS.Signals | null];

/** If a pipe is closed early, reading ends with what was read so far. */
async function readAll(
  stream: Readable | null,
  take: (chunk: Uint8Array) => Promise<boolean>,
): Promise<void> {
  try {
    for await (const chunk of (stream ?? []) as AsyncIterable<Uint8Array>) {
      if (!(await take(chunk))) return;
    }
  } catch {
    return;
  }
}

/** Reads both pipes to their end. Calls `fail` if the output cannot be stored any more. */
async function collectOutput(
  child: ChildProcess,
  output: Output,
  fail: (why: CallError) => void,
): Promise<{ exit: Exit; stderr: string }> {
  const tail = new TextTail(MAX_STDERR_BYTES);
  const [exit] = await Promise.all([
    once(child, "close") as Promise<Exit>,
    readAll(child.stdout, async (chunk) => {
      const why = await output.write(chunk);
      if (why !== undefined) fail(why);
      return why === undefined;
    }),
    readAll(child.stderr, async (chunk) => {
      tail.write(chunk);
      return true;
    }),
  ]);
  return { exit, stderr: tail.toString() };
}

/** Even if a listener throws, the program must be ended. */
function notifyOutput(
  { onSpawned }: ProgramOptions,
  pid: number,
  end: (why: CallError) => void,
): void {
  try {
    onSpawned?.(pid);
  } catch (thrown) {
    end(errorFromUnknown(thrown));
  }
}

async function follow(
  { child, pid }: Started,
  options: ProgramOptions,
  output: Output,
): Promise<Omit<ProgramResult, "durationMs">> {
  const group = new ProcessGroup(child, pid, options.graceMs ?? 1_000);
  let failure: CallError | undefined;
  const end = (why: CallError): void => {
    failure ??= why;
    group.end();
  };
  const unwatch = watchEnding(options, end);
  try {
    notifyOutput(options, pid, end);
    const { exit, stderr } = await collectOutput(child, output, end);
    if (failure !== undefined) throw failure;
    const stdout = output.head();
    const rest = output.rest(stdout);
    const ended = { stdout, stderr, exitCode: exit[0], signal: exit[1] };
    return rest === undefined
      ? { ...ended, truncated: false }
      : { ...ended, truncated: true, rest };
  } finally {
    unwatch();
  }
}

/**
 * Runs a program to its end and returns its output, for any exit code. Throws a CallError if the
 * program could not be started (`not_applied`), or if an abort, a deadline or the output limit
 * ended it (`unknown`). Its whole process group ends with it.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  refuseNul([options.program, ...options.argv]);
  refuseIfOver(options);
  const began = performance.now();
  const output = new Output({
    maxOutputBytes: options.maxOutputBytes ?? 20 * MEGABYTE,
    hardLimitBytes: options.hardLimitBytes ?? 512 * MEGABYTE,
  });
  const started = await startProgram(options);
  try {
    const result = await follow(started, options, output);
    return { ...result, durationMs: performance.now() - began };
  } catch (error) {
    await output.discard();
    throw error;
  }
}
