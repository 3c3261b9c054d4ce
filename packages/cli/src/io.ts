import type { Writable } from "node:stream";
import { printable } from "./printable.ts";

/** All that a run of the command sees of the world, so that a test can be the world. */
export interface Io {
  /** Without the program and the script. */
  readonly argv: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Carries the answer and nothing else. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Writes to stdout as much as it can before the stream is made; returns what is left. */
  readonly writeAtOnce?: (text: string) => Uint8Array;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether a person reads stdout. */
  readonly isTTY: boolean;
  /** Starts another run of the command, which nobody waits for. */
  readonly inBackground?: (argv: readonly string[]) => void;
  /** Aborted when the user interrupts. */
  readonly signal?: AbortSignal;
}

function isClosed(error: Error): boolean {
  const code: unknown = Reflect.get(error, "code");
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

/** The answer itself could not be delivered, such as to a full disk. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/** By its name, for the built command has more than one copy of this class. */
export function isOutputError(value: unknown): value is OutputError {
  return value instanceof Error && value.name === "OutputError";
}

/** Resolves once the text is out; a reader that has gone away, such as `head`, wants no more. */
function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined || isClosed(error)) resolve();
      else reject(new OutputError(error.message, { cause: error }));
    });
  });
}

async function print(io: Io, text: string): Promise<void> {
  const left = io.writeAtOnce?.(text) ?? text;
  if (left.length > 0) await write(io.stdout, left);
}

export function printText(io: Io, text: string): Promise<void> {
  return print(io, `${printable(text)}\n`);
}

/** A file's worth of text, which ends with its own line break. */
export function printSource(io: Io, text: string): Promise<void> {
  return printText(io, text.replace(/\n$/, ""));
}

/** Text that was made printable already, and may hold colours. */
export function printRaw(io: Io, text: string): Promise<void> {
  return print(io, `${text}\n`);
}

/** One line of JSON; indented on a terminal or on request. */
export function printJson(io: Io, value: unknown, isPretty = io.isTTY): Promise<void> {
  return print(io, `${JSON.stringify(value, null, isPretty ? 2 : undefined)}\n`);
}

export function note(io: Pick<Io, "stderr">, text: string): Promise<void> {
  return write(io.stderr, `${printable(text)}\n`);
}

export async function warn(io: Pick<Io, "stderr">, warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) await note(io, `waybill: warning: ${warning}`);
}
