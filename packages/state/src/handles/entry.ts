import { randomDigits } from "@waybill/core/protocol";

/** About 128 random bits. */
const DIGITS = 39;
/** Earlier versions wrote 22 characters of base64. Their files are still read and removed. */
const SHAPE = /^(?:r\d{39}|[\w-]{22})$/;
const HEADER_BYTES = 512;
/** The maximum length of a media type. It fits the header even if every character is escaped. */
const MAX_TYPE_LENGTH = 200;

/** A handle has 128 random bits, because everyone who knows it may read its value. */
export function newHandle(): string {
  return `r${randomDigits(DIGITS)}`;
}

/** Matches Waybill's own handles. Other text must not become part of a path. */
export function isHandle(text: string): boolean {
  return SHAPE.test(text);
}

/**
 * The format of a file: a header line of fixed length, then the value. Both are in one file, so
 * that neither can exist without the other.
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
