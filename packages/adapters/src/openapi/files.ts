import { fail, isRecord } from "@waybill/core";
import type { HandleStore } from "@waybill/core";
import { invalidValue, textOf } from "./serialise.ts";

/** A file on its way out. */
export interface FileValue {
  readonly bytes: Uint8Array;
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
}

/** Files are kept as base64, since what is kept is text. */
const MAX_INLINE = 65_536;
const BASE64 = /^[A-Za-z0-9+/_\s-]*={0,2}\s*$/u;
const OCTETS = "application/octet-stream";

function textIn(value: Record<string, unknown>, key: string): string | undefined {
  return typeof value[key] === "string" ? value[key] : undefined;
}

/** A result that was a text is kept as JSON, in which it is a quoted one. */
function plainText(kept: string): string {
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
  if (kept !== undefined) return Buffer.from(plainText(kept.text));
  throw fail("NOT_FOUND", `Nothing is kept under the handle ${handle.slice(0, 60)}`, {
    outcome: "not_applied",
  });
}

async function bytesOf(
  value: Record<string, unknown>,
  store: HandleStore | undefined,
): Promise<Uint8Array> {
  const handle = textIn(value, "handle");
  if (handle !== undefined) return keptBytes(handle, store);
  const base64 = textIn(value, "base64");
  if (base64 !== undefined) {
    if (!BASE64.test(base64)) throw invalidValue("body", "has a file that is not base64");
    return Buffer.from(base64, "base64");
  }
  const text = textIn(value, "text");
  if (text === undefined) throw invalidValue("body", "has a file without text, base64 or handle");
  return Buffer.from(text);
}

/** What a caller gave for a file. */
export async function readFileValue(
  value: unknown,
  store: HandleStore | undefined,
): Promise<FileValue> {
  if (!isRecord(value)) {
    return { bytes: Buffer.from(textOf(value)), filename: undefined, contentType: undefined };
  }
  return {
    bytes: await bytesOf(value, store),
    filename: textIn(value, "filename"),
    contentType: textIn(value, "content_type"),
  };
}

const SIGNATURES: readonly (readonly [string, string])[] = [
  ["25504446", "application/pdf"],
  ["89504e47", "image/png"],
  ["ffd8ff", "image/jpeg"],
  ["47494638", "image/gif"],
  ["504b0304", "application/zip"],
  ["1f8b", "application/gzip"],
];

/** What the first bytes say, where the upstream says no more than that they are bytes. */
function sniffed(bytes: Uint8Array, declared: string): string {
  if (declared !== "" && declared !== OCTETS) return declared;
  const start = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  return SIGNATURES.find(([prefix]) => start.startsWith(prefix))?.[1] ?? OCTETS;
}

/** RFC 8187: a charset, a language, and bytes in percents; undefined when it is none of that. */
function extendedName(text: string): string | undefined {
  const [charset = "", , ...rest] = text.trim().replaceAll('"', "").split("'");
  const encoded = rest.join("'");
  if (encoded === "" || !/^(?:[^%]|%[\da-f]{2})+$/iu.test(encoded)) return undefined;
  const bytes = encoded.replaceAll(/%([\da-f]{2})/giu, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}

/** The name that the upstream gives a file, without a path; the extended form goes before the plain. */
function filenameIn(disposition = ""): string | undefined {
  const [, extended] = /;\s*filename\*\s*=\s*([^;]+)/iu.exec(disposition) ?? [];
  const [, quoted, bare] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/iu.exec(disposition) ?? [];
  const plain = quoted?.replaceAll(/\\(["\\])/gu, "$1") ?? bare;
  const name = (extended && extendedName(extended)) ?? plain;
  // oxlint-disable-next-line no-control-regex
  const shown = name?.replaceAll(/[\u0000-\u001f\u007f]/gu, "").trim();
  return shown?.split(/[/\\]/u).at(-1) || undefined;
}

/** A file that came back: a handle to it and what it is, never its bytes unless they are few. */
export async function keepFile(
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
  store: HandleStore | undefined,
  capability_id: string,
): Promise<{ data: object; warnings: string[] }> {
  const content_type = sniffed(bytes, headers["content-type"] ?? "");
  const filename = filenameIn(headers["content-disposition"]);
  const facts = { size: bytes.length, content_type, ...(filename !== undefined && { filename }) };
  if (bytes.length === 0) return { data: facts, warnings: [] };
  const base64 = Buffer.from(bytes).toString("base64");
  if (store !== undefined) {
    const handle = await store.put(base64, { capability_id, encoding: "base64" });
    return { data: { handle, ...facts }, warnings: [] };
  }
  if (bytes.length <= MAX_INLINE) return { data: { ...facts, base64 }, warnings: [] };
  const warning = "The file was not kept: the source has no handle store";
  return { data: facts, warnings: [warning] };
}
