import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import { parse, printParseErrorCode } from "jsonc-parser";
import type { ParseError } from "jsonc-parser";

/** Parses a JSON object with comments and trailing commas, as editors write it. */
export function parseJsonc(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const plain = text.replace(/^\uFEFF/u, "");
  const value: unknown = parse(plain, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = plain.slice(0, first.offset).split("\n").length;
    throw fail(
      "VALIDATION",
      `It is not JSON: ${printParseErrorCode(first.error)} in line ${line}. Correct that line`,
    );
  }
  if (isRecord(value)) return value;
  throw fail("VALIDATION", "It must be an object");
}
