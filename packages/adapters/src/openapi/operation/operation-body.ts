import { isRecord } from "@waybill/core/schema";
import { essence, bodyKind } from "./media-types.ts";
import type { BodyKind } from "./media-types.ts";
import { asRecord } from "../document/raw.ts";
import type { Raw } from "../document/raw.ts";
import { resolve, resolveRecord } from "../document/references.ts";
import type { SpecDocument } from "../document/spec-document.ts";

/** One media type in which a body may be sent. */
export interface BodyMedia {
  readonly mediaType: string;
  readonly kind: BodyKind;
  /** The declared schema. Files in it have the schema of a file input. */
  readonly schema: unknown;
  readonly encoding: Readonly<Record<string, Raw>>;
}

export interface OperationBody {
  readonly isRequired: boolean;
  readonly description: string | undefined;
  /** The media types of the body. The first is the default. */
  readonly media: readonly BodyMedia[];
}

const TEXT: Raw = { type: "string" };

function fileForm(content: string): Raw {
  return {
    type: "object",
    properties: { [content]: TEXT, filename: TEXT, content_type: TEXT },
    required: [content],
    additionalProperties: false,
  };
}

/** The schema of a file input: text, bytes as base64, or the handle of an earlier result. */
export const FILE_SCHEMA: Raw = {
  description: "Text, or a file",
  anyOf: [TEXT, fileForm("base64"), fileForm("text"), fileForm("handle")],
};

const MAX_PARTS_DEPTH = 4;

function isFile(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const isBytes = schema["format"] === "binary" || schema["type"] === "file";
  const isRawMedia =
    typeof schema["contentMediaType"] === "string" && schema["contentEncoding"] === undefined;
  return isBytes || (isRawMedia && schema["type"] !== "object");
}

/** A field of a form. Binary text has the schema of a file input. */
function withFiles(document: SpecDocument, field: unknown): unknown {
  const schema = resolve(document, field);
  if (isFile(schema)) return FILE_SCHEMA;
  const items = isRecord(schema) ? resolve(document, schema["items"]) : undefined;
  return isFile(items) ? { ...(schema as Raw), items: FILE_SCHEMA } : field;
}

/** The schema of a multipart body. Its fields are at the top level, or in parts of an `allOf`. */
function formSchema(document: SpecDocument, given: unknown, depth = 0): unknown {
  const schema = resolve(document, given);
  if (isFile(schema)) return FILE_SCHEMA;
  if (!isRecord(schema) || depth > MAX_PARTS_DEPTH) return given;
  const { properties, allOf } = schema;
  if (!isRecord(properties) && !Array.isArray(allOf)) return given;
  const fields = Object.entries(isRecord(properties) ? properties : {});
  const replaced = fields.map(([name, field]) => [name, withFiles(document, field)] as const);
  return {
    ...schema,
    ...(isRecord(properties) && { properties: Object.fromEntries(replaced) }),
    ...(Array.isArray(allOf) && {
      allOf: allOf.map((part) => formSchema(document, part, depth + 1)),
    }),
  };
}

function schemaFor(document: SpecDocument, kind: BodyKind, schema: unknown): unknown {
  if (kind === "multipart") return formSchema(document, schema);
  if (kind === "binary") return FILE_SCHEMA;
  if (kind === "lines") return { anyOf: [{ type: "array" }, TEXT] };
  // The content is sent as text, even if the description has another type for it.
  return kind === "text" || kind === "events" ? TEXT : schema;
}

function getEncoding(media: Raw): Readonly<Record<string, Raw>> {
  const encoding = asRecord(media["encoding"]);
  return Object.fromEntries(
    Object.entries(encoding).filter((entry): entry is [string, Raw] => isRecord(entry[1])),
  );
}

/** Other encodings of the same data as JSON. */
const OTHER_ENCODING = /[/+.](?:cbor|msgpack|x-msgpack|protobuf|x-protobuf|yaml|x-yaml)$/u;
const JSON_ORDER = [/^application\/json$/u, /merge-patch\+json$/u, /json(?<!json-patch\+json)$/u];

/**
 * Prefers JSON, because callers have JSON. If the first media type is another encoding of the
 * same data, the first JSON type becomes the default. A JSON patch is a list of changes and
 * comes last.
 */
function preference({ mediaType, kind }: BodyMedia, first: BodyMedia): number {
  if (!OTHER_ENCODING.test(essence(first.mediaType))) return 0;
  if (kind !== "json") return JSON_ORDER.length + 1;
  const at = JSON_ORDER.findIndex((pattern) => pattern.test(essence(mediaType)));
  return at < 0 ? JSON_ORDER.length : at;
}

export function operationBody(document: SpecDocument, given: unknown): OperationBody | undefined {
  if (given === undefined) return undefined;
  const raw = resolveRecord(document, given, "the request body");
  const content = asRecord(raw["content"]);
  const media = Object.entries(content).map(([mediaType, value]): BodyMedia => {
    const kind = bodyKind(mediaType);
    // Follows a reference, because in OpenAPI 3.2 a media type may be one.
    const raws = asRecord(resolve(document, value));
    const schema = schemaFor(document, kind, raws["schema"] ?? true);
    return { mediaType, kind, schema, encoding: getEncoding(raws) };
  });
  if (media.length === 0) return undefined;
  const [described] = media;
  const usual = (each: BodyMedia): number => preference(each, described!);
  const ordered = media.toSorted((first, second) => usual(first) - usual(second));
  const { description } = raw;
  return {
    isRequired: raw["required"] === true,
    description: typeof description === "string" ? description : undefined,
    media: ordered,
  };
}
