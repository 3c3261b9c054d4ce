import { isRecord } from "@waybill/core/schema";
import type { HandleStore } from "@waybill/core";
import { readFileValue } from "./files.ts";
import { formBody } from "./form-body.ts";
import { concrete } from "../operation/media-types.ts";
import { WHOLE, multipartBody } from "./multipart.ts";
import { FILE_SCHEMA } from "../operation/operation-body.ts";
import type { BodyMedia, OperationBody } from "../operation/operation-body.ts";
import { asArray, asRecord } from "../document/raw.ts";
import { jsonText, valueText } from "./serialise.ts";

export interface BuiltBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

const FORM_DATA = "multipart/form-data";

/** The fields of a form that are files, in any of its parts. */
function fileFields(schema: unknown, found = new Set<string>()): Set<string> {
  if (schema === FILE_SCHEMA) return found.add(WHOLE);
  if (!isRecord(schema)) return found;
  const { properties, allOf } = schema;
  for (const [name, field] of Object.entries(asRecord(properties))) {
    const isList = isRecord(field) && field["items"] === FILE_SCHEMA;
    if (field === FILE_SCHEMA || isList) found.add(name);
  }
  for (const part of asArray(allOf)) fileFields(part, found);
  return found;
}

/** The media type of a body: the requested one, or the first one. */
export function chosenMedia(body: OperationBody, contentType: unknown): BodyMedia {
  return body.media.find(({ mediaType }) => mediaType === contentType) ?? body.media[0]!;
}

async function multipart(
  media: BodyMedia,
  value: unknown,
  store: HandleStore | undefined,
): Promise<BuiltBody> {
  const files = fileFields(media.schema);
  const { body, boundary } = await multipartBody(value, media.encoding, files, store);
  const base = /^multipart\/[^*]+$/u.test(media.mediaType) ? media.mediaType : FORM_DATA;
  return { contentType: `${base}; boundary=${boundary}`, body };
}

async function binary(
  media: BodyMedia,
  value: unknown,
  store: HandleStore | undefined,
): Promise<BuiltBody> {
  const { bytes, contentType } = await readFileValue(value, store);
  const isRange = media.mediaType.includes("*");
  return {
    contentType: isRange && contentType !== undefined ? contentType : concrete(media.mediaType),
    body: bytes,
  };
}

/** Writes a list as one JSON value per line. A string is sent unchanged. */
function linesText(value: unknown): string {
  if (!Array.isArray(value)) return valueText(value);
  return value.map((item) => `${jsonText(item)}\n`).join("");
}

/** Encodes a body for sending. */
export async function buildBody(
  media: BodyMedia,
  value: unknown,
  store: HandleStore | undefined,
): Promise<BuiltBody> {
  const contentType = concrete(media.mediaType);
  switch (media.kind) {
    case "json":
      return { contentType, body: jsonText(value) };
    case "lines":
      return { contentType, body: linesText(value) };
    case "form":
      return { contentType, body: formBody(value, media.encoding) };
    case "multipart":
      return multipart(media, value, store);
    case "binary":
      return binary(media, value, store);
    default:
      return { contentType, body: valueText(value) };
  }
}
