import { fail, isRecord } from "@waybill/core";

/** A string, kept; or a comment, or a comma before a closing bracket, which go. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/gu;

/** An object in JSON as editors write it, with comments and a comma too many. */
export function parseJsonc(text: string): Record<string, unknown> {
  const plain = text
    .replace(/^\uFEFF/u, "")
    .replaceAll(TOKEN, (token) => (token.startsWith('"') ? token : ""));
  try {
    const value: unknown = JSON.parse(plain);
    if (isRecord(value)) return value;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw fail("VALIDATION", `It is not JSON: ${why}`, {}, { cause });
  }
  throw fail("VALIDATION", "It must be an object");
}
