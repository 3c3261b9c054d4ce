import { randomBytes } from "node:crypto";

const SHAPE = /^[\w-]{22}$/;
const HEADER_BYTES = 512;
/** Fits the header even if each of its characters has to be escaped. */
const MAX_TYPE_LENGTH = 200;

/** 128 random bits: knowing a handle is the right to read what it names. */
export function newHandle(): string {
  return randomBytes(16).toString("base64url");
}

/** Only what we made ourselves may become part of a path. */
export function isHandle(text: string): boolean {
  return SHAPE.test(text);
}

/**
 * A file is a line of fixed length that says what it holds, then the value. One file for both, so
 * that neither can be there without the other.
 */
export function encodeEntry(value: Uint8Array, contentType: string): Uint8Array {
  const printable = contentType.replaceAll(/[^\u0020-\u007e]/g, "?").slice(0, MAX_TYPE_LENGTH);
  const entry = Buffer.alloc(HEADER_BYTES + value.byteLength);
  entry.fill(" ", 0, HEADER_BYTES);
  entry.write(JSON.stringify({ contentType: printable }), 0, "latin1");
  entry.set(value, HEADER_BYTES);
  return entry;
}

export function decodeHeader(bytes: Uint8Array): { contentType: string } {
  return JSON.parse(Buffer.from(bytes).toString("latin1")) as { contentType: string };
}

export const headerBytes = HEADER_BYTES;
