import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { contentHash } from "./content-hash.ts";
import type { ContentHash } from "./content-hash.ts";

/** The size limit for parsing. Larger files are usually generated or minified. */
export const MAX_SOURCE_BYTES = 4 * 1024 * 1024;
const BINARY_PROBE_BYTES = 8192;
/**
 * The deepest nesting of brackets to parse. Written code is less deep, and much deeper code would
 * crash the parser and the process.
 */
export const MAX_NESTING = 1_000;
/**
 * Files below this size are not checked, because they cannot be nested deeply enough to crash the
 * parser.
 */
const SHALLOW_BYTES = 5_000;

export interface Source extends ContentHash {
  readonly text: string;
  /** Whether the text is valid UTF-8; false if invalid bytes had to be replaced. */
  readonly isUtf8: boolean;
}

export type Unread = "too large" | "too deep" | "binary" | "unreadable";

/** The text of a source file, or why it is not read. */
export function readSource(file: string): Source | Unread {
  const bytes = readBytes(file);
  if (!bytes) return "unreadable";
  if (bytes.length > MAX_SOURCE_BYTES) return "too large";
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return "binary";
  if (bytes.length > SHALLOW_BYTES && nestsTooDeep(bytes)) return "too deep";
  return { text: bytes.toString("utf8"), ...contentHash(bytes), isUtf8: isUtf8(bytes) };
}

/** The size limit for reading. Larger files are not read at all. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024;

/** The text of a file that is too large or too deeply nested to be parsed. */
export function readText(file: string): string | undefined {
  try {
    return statSync(file).size > MAX_TEXT_BYTES ? undefined : readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** A buffer that all reads share. The text is decoded before the next file is read. */
let shared: Buffer | undefined;

/** The bytes of a file, at most one more than the limit. They are valid until the next call. */
function readBytes(file: string): Buffer | undefined {
  const buffer = (shared ??= Buffer.allocUnsafeSlow(MAX_SOURCE_BYTES + 1));
  let handle: number | undefined;
  try {
    handle = openSync(file, "r");
    return buffer.subarray(0, readSync(handle, buffer));
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The change of depth for each byte. A table is fastest, because many files are scanned. */
const STEPS = new Int8Array(256);
for (const byte of Buffer.from("([{")) STEPS[byte] = 1;
for (const byte of Buffer.from(")]}")) STEPS[byte] = -1;

/** Brackets in strings and comments count too, but they are rarely unbalanced in large numbers. */
function nestsTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const step = STEPS[bytes[at]!]!;
    if (step !== 0) depth = Math.max(0, depth + step);
    if (depth > MAX_NESTING) return true;
  }
  return false;
}
