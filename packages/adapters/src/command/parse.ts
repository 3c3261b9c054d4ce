import { fail } from "@waybill/core";
import { parseExactJson } from "@waybill/core/schema";
import type { ExactJson } from "@waybill/core/schema";

/** Parses JSON. Undefined if it is invalid, such as cut JSON or a web page. */
export function parseJson(bytes: Uint8Array): ExactJson | undefined {
  try {
    return parseExactJson(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** A page may end within a character, which then belongs to the next page. */
export function decodeOutput(bytes: Uint8Array, isPage: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isPage });
  } catch (cause) {
    throw fail(
      "ADAPTER_UNSUPPORTED",
      `The answer is not text (${bytes.length} bytes), and gh returns only text; use another route`,
      { outcome: "applied" },
      { cause },
    );
  }
}
