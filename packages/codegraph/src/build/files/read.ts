import { hash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";

/** What a generated or minified file exceeds and a written one does not. */
export const MAX_SOURCE_BYTES = 4 * 1024 * 1024;
const BINARY_PROBE_BYTES = 8192;

export interface Source {
  readonly text: string;
  readonly hashLow: number;
  readonly hashHigh: number;
  /** False when bytes had to be replaced to read it as UTF-8. */
  readonly isUtf8: boolean;
}

export type Unread = "too large" | "binary" | "unreadable";

/** The text of a source file, or why it is not read. */
export function readSource(file: string): Source | Unread {
  const bytes = readBytes(file);
  if (!bytes) return "unreadable";
  if (bytes.length > MAX_SOURCE_BYTES) return "too large";
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) return "binary";
  return { text: bytes.toString("utf8"), ...hashOf(bytes), isUtf8: isUtf8(bytes) };
}

/** Used by one file after the other: a text is made of it before the next is read. */
let shared: Buffer | undefined;

/** The bytes of a file, up to one more than is wanted; they are gone with the next call. */
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

/** Eight bytes of a hash: enough to tell a touched file from a changed one. */
function hashOf(bytes: Buffer): { hashLow: number; hashHigh: number } {
  const digest = hash("sha1", bytes, "buffer");
  return { hashLow: digest.readUInt32LE(0), hashHigh: digest.readUInt32LE(4) };
}
