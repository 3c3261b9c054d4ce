import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { HandleStore } from "@waybill/core";
import { invalidValue, valueText } from "./serialise.ts";

/** A file to be sent. */
export interface FileValue {
  readonly bytes: Uint8Array;
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
}

/** Spaces can match in one place only. With two, a long run of them would take quadratic time. */
const BASE64 = /^[A-Za-z0-9+/_\s-]*(?:={1,2}\s*)?$/u;

function textIn(value: Record<string, unknown>, key: string): string | undefined {
  return typeof value[key] === "string" ? value[key] : undefined;
}

/** A stored text result is a JSON string, so its quotes are removed before sending. */
function unquotedText(kept: string): string {
  if (!kept.startsWith('"')) return kept;
  try {
    const value: unknown = JSON.parse(kept);
    return typeof value === "string" ? value : kept;
  } catch {
    return kept;
  }
}

async function keptBytes(handle: string, store: HandleStore | undefined): Promise<Uint8Array> {
  const kept = await store?.read(handle, 0, Number.MAX_SAFE_INTEGER);
  if (kept?.encoding === "base64") return Buffer.from(kept.text, "base64");
  if (kept !== undefined) return Buffer.from(unquotedText(kept.text));
  throw fail("NOT_FOUND", `There is no stored result with the handle ${handle.slice(0, 60)}`, {
    outcome: "not_applied",
    hint: "Results are stored for a limited time. Make the call again",
  });
}

async function fileBytes(
  value: Record<string, unknown>,
  store: HandleStore | undefined,
): Promise<Uint8Array> {
  const handle = textIn(value, "handle");
  if (handle !== undefined) return keptBytes(handle, store);
  const base64 = textIn(value, "base64");
  if (base64 !== undefined) {
    if (!BASE64.test(base64))
      throw invalidValue(
        "body",
        'has a file whose "base64" is not base64; pass plain text as "text"',
      );
    return Buffer.from(base64, "base64");
  }
  const text = textIn(value, "text");
  if (text === undefined)
    throw invalidValue("body", 'has a file without "text", "base64" or "handle"; add one of them');
  return Buffer.from(text);
}

/** Reads the value that a caller passed for a file. */
export async function readFileValue(
  value: unknown,
  store: HandleStore | undefined,
): Promise<FileValue> {
  if (!isRecord(value)) {
    return { bytes: Buffer.from(valueText(value)), filename: undefined, contentType: undefined };
  }
  return {
    bytes: await fileBytes(value, store),
    filename: textIn(value, "filename"),
    contentType: textIn(value, "content_type"),
  };
}
