import { isUtf8 } from "node:buffer";
import { CallError } from "@waybill/core";
import { parseStrictJson } from "@waybill/core/schema";

/** As deep as core takes a value; what walks a value recursively is safe up to here. */
const MAX_DEPTH = 512;
const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = Buffer.from('"\\{}[]');

function invalidBody(problem: string): CallError {
  return new CallError("VALIDATION_ERROR", `The body ${problem}`, { outcome: "not_applied" });
}

/** Whether JSON nests deeper than it may, told without parsing it. */
function isTooDeep(bytes: Uint8Array): boolean {
  // Each level takes two bytes, so most bodies need no look.
  if (bytes.length <= MAX_DEPTH * 2) return false;
  let depth = 0;
  let isText = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (isText) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE || byte === CLOSE_LIST) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function decodeUtf8(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw invalidBody("is not UTF-8 text");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** Parses a request's body and refuses repeated names. Throws as `parseBody` does. */
export function parseRequestBody(bytes: Uint8Array): unknown {
  return parseStrictJson(decodeUtf8(bytes), { maxDepth: MAX_DEPTH });
}

/** Parses a body. Throws a CallError that names the mistake. */
export function parseBody(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (isTooDeep(bytes)) throw invalidBody(`nests deeper than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw invalidBody(`is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
