import type { Writable } from "node:stream";
import { printable } from "./output/printable.ts";

/** Everything outside the process that a command uses, so that a test can replace it. */
export interface Io {
  /** The arguments, without the program and the script. */
  readonly argv: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** The stream for the answer; messages go to stderr. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Writes to stdout without creating the stream. Returns the text that could not be written. */
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

/** Thrown if the answer could not be written, for example because the disk is full. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/**
 * Compares the name of the error, because the built command contains several copies of this class.
 */
export function isOutputError(value: unknown): value is OutputError {
  return value instanceof Error && value.name === "OutputError";
}

/**
 * Resolves when the text is written. It is not an error if the reader, such as `head`, has ended.
 */
function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined || isClosed(error)) resolve();
      else reject(new OutputError(error.message, { cause: error }));
    });
  });
}

/**
 * Control characters that JSON does not escape, but that terminals act on. They occur only inside
 * strings, so escaping them does not change the JSON value.
 */
// oxlint-disable-next-line no-control-regex
const UNESCAPED = /[\u007f-\u009f]/g;

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

async function print(io: Io, shown: string): Promise<void> {
  const text = io.isTTY ? shown.replaceAll(UNESCAPED, escapeControl) : shown;
  const left = io.writeAtOnce?.(text) ?? text;
  if (left.length > 0) await write(io.stdout, left);
}

export function printText(io: Io, text: string): Promise<void> {
  return print(io, `${printable(text)}\n`);
}

/** Prints the text of a file, which already ends with a line break. */
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
