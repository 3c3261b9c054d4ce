import { createHash } from "node:crypto";
import { isRecord } from "@waybill/core/schema";
import type { HandleStore } from "@waybill/core";
import { readFileValue } from "./files.ts";
import { getSerialisation } from "../operation/parameters.ts";
import { serialiseForm, valueText } from "./serialise.ts";

type Encoding = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Part {
  readonly head: string;
  readonly bytes: Uint8Array;
}

/** Escapes names as browsers do, so that a name cannot end the header. */
function quotedParameter(text: string): string {
  const escaped = text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return `"${escaped}"`;
}

function isFileValue(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const names = Object.keys(value);
  const known = ["text", "base64", "handle", "filename", "content_type"];
  const hasContent = names.some((name) => ["text", "base64", "handle"].includes(name));
  return hasContent && names.every((name) => known.includes(name));
}

function partHead(
  name: string,
  filename: string | undefined,
  contentType: string | undefined,
): string {
  const file = filename === undefined ? "" : `; filename=${quotedParameter(filename)}`;
  const type = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
  return `Content-Disposition: form-data; name=${quotedParameter(name)}${file}${type}`;
}

function declaredType(encoding: Encoding, name: string): string | undefined {
  const declared = Object.hasOwn(encoding, name) ? encoding[name]!["contentType"] : undefined;
  const [first] = typeof declared === "string" ? declared.split(",", 1) : [];
  return first?.includes("*") === true ? undefined : first?.trim();
}

async function getPart(
  name: string,
  value: unknown,
  isFile: boolean,
  encoding: Encoding,
  store: HandleStore | undefined,
): Promise<Part> {
  const declared = declaredType(encoding, name);
  if (isFile || isFileValue(value)) {
    const { bytes, filename, contentType } = await readFileValue(value, store);
    const type = contentType ?? declared ?? "application/octet-stream";
    return { head: partHead(name, filename ?? name, safe(type)), bytes };
  }
  const usual = typeof value === "object" ? "application/json" : undefined;
  const bytes = Buffer.from(valueText(value));
  return { head: partHead(name, undefined, safe(declared ?? usual)), bytes };
}

function safe(contentType: string | undefined): string | undefined {
  return contentType?.replaceAll(/[^\u0020-\u007e]/gu, "");
}

/** The name of a part that has no name in the description. */
export const WHOLE = "file";
const STYLE_KEYWORDS = ["style", "explode", "allowReserved"];

/** A field that has a style is split into parts as in a form. */
function styledParts(name: string, field: unknown, encoding: Encoding): Part[] | undefined {
  const given = Object.hasOwn(encoding, name) ? encoding[name]! : {};
  const isStyled = STYLE_KEYWORDS.some((keyword) => keyword in given);
  if (!isStyled || typeof field !== "object" || "contentType" in given) return undefined;
  const pairs = serialiseForm(name, field, getSerialisation({ ...given }, "query"));
  return [...new URLSearchParams(pairs.join("&"))].map(([key, value]) => ({
    head: partHead(key, undefined, undefined),
    bytes: Buffer.from(value),
  }));
}

/** The boundary is a hash of the parts, so that equal parts give equal bytes. */
function getBoundary(parts: readonly Part[]): string {
  const hash = createHash("sha256");
  for (const { head, bytes } of parts) hash.update(head).update(bytes);
  return `waybill-${hash.digest("hex").slice(0, 32)}`;
}

function joinParts(parts: readonly Part[], boundary: string): Uint8Array {
  const chunks = parts.flatMap(({ head, bytes }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/**
 * The fields of a body. If the body is not an object, such as a file, it becomes a single field.
 */
function formFields(value: unknown): [string, unknown][] {
  if (isRecord(value) && !isFileValue(value)) return Object.entries(value);
  return value === null || value === undefined ? [] : [[WHOLE, value]];
}

/** Encodes an object as `multipart/form-data`: one part per field, and per item of a list. */
export async function multipartBody(
  value: unknown,
  encoding: Encoding,
  fileFields: ReadonlySet<string>,
  store: HandleStore | undefined,
): Promise<{ body: Uint8Array; boundary: string }> {
  const parts: Part[] = [];
  for (const [name, field] of formFields(value)) {
    const styled = styledParts(name, field, encoding);
    if (styled !== undefined) {
      parts.push(...styled);
      continue;
    }
    for (const item of Array.isArray(field) ? (field as unknown[]) : [field]) {
      if (item === undefined || item === null) continue;
      parts.push(await getPart(name, item, fileFields.has(name), encoding, store));
    }
  }
  const boundary = getBoundary(parts);
  return { body: joinParts(parts, boundary), boundary };
}
