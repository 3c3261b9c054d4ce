import type { HandleStore } from "@waybill/core";

/** Without a store, a file of up to this many bytes is part of the answer. */
const MAX_INLINE = 65_536;
const OCTETS = "application/octet-stream";

const SIGNATURES: readonly (readonly [string, string])[] = [
  ["25504446", "application/pdf"],
  ["89504e47", "image/png"],
  ["ffd8ff", "image/jpeg"],
  ["47494638", "image/gif"],
  ["504b0304", "application/zip"],
  ["1f8b", "application/gzip"],
];

/**
 * Guesses the media type from the first bytes, if the upstream names only
 * `application/octet-stream`.
 */
function sniffed(bytes: Uint8Array, declared: string): string {
  if (declared !== "" && declared !== OCTETS) return declared;
  const start = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  return SIGNATURES.find(([prefix]) => start.startsWith(prefix))?.[1] ?? OCTETS;
}

/**
 * Parses a file name of RFC 8187: a charset, a language, and percent-encoded bytes. Undefined if
 * it has another form.
 */
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

/** The file name that the upstream gives, without a path. `filename*` has priority. */
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

/** Stores a received file. Returns its handle and properties, without its bytes. */
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
  const warning =
    "The file was left out, because the source has no store for files (option handles)";
  return { data: facts, warnings: [warning] };
}
