import { isUtf8 } from "node:buffer";
import { CallError } from "@waybill/core";
import { parseStrictJson } from "@waybill/core/schema";

/**
 * The maximum nesting that core accepts. Recursive functions do not overflow the stack up to it.
 */
const MAX_DEPTH = 512;
const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = Buffer.from('"\\{}[]');

function invalidBody(problem: string): CallError {
  return new CallError("VALIDATION_ERROR", `The body ${problem}`, { outcome: "not_applied" });
}

/** Whether JSON is nested too deeply, checked without parsing it. */
function isTooDeep(bytes: Uint8Array): boolean {
  // Skips the check for small bodies, because each level of nesting takes two bytes.
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
  if (!isUtf8(bytes)) throw invalidBody("is not UTF-8 text; encode it as UTF-8");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** Parses a request's body and refuses repeated names. Throws like `parseBody`. */
export function parseRequestBody(bytes: Uint8Array): unknown {
  return parseStrictJson(decodeUtf8(bytes), { maxDepth: MAX_DEPTH });
}

/** Parses a body. Throws a CallError that names the problem. */
export function parseBody(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (isTooDeep(bytes)) throw invalidBody(`nests deeper than ${MAX_DEPTH} levels; flatten it`);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw invalidBody(`is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
