import type { Writable } from "node:stream";
import { printable } from "./output/printable.ts";

/** Everything outside the process that a command uses, so that a test can replace it. */
export interface Io {
  /** The arguments, without the program and the script. */
  readonly argv: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** For the answer only. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Writes to stdout before the stream exists, as much as possible. Returns the rest. */
  readonly writeAtOnce?: (text: string) => Uint8Array;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether stdout is a terminal. */
  readonly isTTY: boolean;
  /** Starts another command in the background. */
  readonly inBackground?: (argv: readonly string[]) => void;
  /** Aborted when the user interrupts. */
  readonly signal?: AbortSignal;
}

function isClosed(error: Error): boolean {
  const code: unknown = Reflect.get(error, "code");
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

/** The answer could not be written, for example because the disk is full. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/** Checks the name, because the built command contains more than one copy of this class. */
export function isOutputError(value: unknown): value is OutputError {
  return value instanceof Error && value.name === "OutputError";
}

/** Resolves when the text is written. A reader that has gone, such as `head`, is not an error. */
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

/** Prints the text of a file, which has its own final line break. */
export function printSource(io: Io, text: string): Promise<void> {
  return printText(io, text.replace(/\n$/, ""));
}

/** Prints text that is already safe for a terminal and may contain colours. */
export function printRaw(io: Io, text: string): Promise<void> {
  return print(io, `${text}\n`);
}

/** Prints one line of JSON; indented on a terminal or on request. */
export function printJson(io: Io, value: unknown, isPretty = io.isTTY): Promise<void> {
  return print(io, `${JSON.stringify(value, null, isPretty ? 2 : undefined)}\n`);
}

export function note(io: Pick<Io, "stderr">, text: string): Promise<void> {
  return write(io.stderr, `${printable(text)}\n`);
}

export async function warn(io: Pick<Io, "stderr">, warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) await note(io, `waybill: warning: ${warning}`);
}
