import { isRecord } from "@waybill/core/schema";
import type { JsonSchema } from "@waybill/core";
import { bodyKind } from "./media-types.ts";
import { asRecord } from "../document/raw.ts";
import type { Raw } from "../document/raw.ts";
import { resolve } from "../document/references.ts";
import type { SchemaRegistry } from "../document/schema-registry.ts";
import type { SpecDocument } from "../document/spec-document.ts";
import { upgradedResponse } from "../document/swagger2.ts";

/** One documented success response. */
interface SuccessMedia {
  /** The media type. Undefined for a response without a body. */
  readonly mediaType: string | undefined;
  readonly schema: unknown;
}

export interface OperationResponses {
  readonly success: readonly SuccessMedia[];
  /** Whether a `Link` header is documented. */
  readonly hasLink: boolean;
}

/** The schema of `data` for a file. */
const FILE_OUTPUT: JsonSchema = {
  type: "object",
  properties: {
    handle: { type: "string" },
    size: { type: "integer" },
    content_type: { type: "string" },
    filename: { type: "string" },
    base64: { type: "string" },
  },
  required: ["size", "content_type"],
};

function lenient(document: SpecDocument, value: unknown): Raw {
  try {
    return asRecord(resolve(document, value));
  } catch {
    // If a response cannot be read, the operation can still be called.
    return {};
  }
}

/** Statuses that never have a body. Other statuses may have a body that is not documented. */
const BODILESS = new Set(["204", "205"]);

function streamed(media: Raw): Raw | undefined {
  const items = media["itemSchema"];
  return items === undefined ? undefined : { type: "array", items };
}

function getMedia(
  document: SpecDocument,
  [status, response]: readonly [string, Raw],
): SuccessMedia[] {
  const content = Object.entries(asRecord(response["content"]));
  if (BODILESS.has(status)) return [{ mediaType: undefined, schema: { type: "null" } }];
  if (content.length === 0) return [{ mediaType: undefined, schema: true }];
  return content.map(([mediaType, given]) => {
    // In OpenAPI 3.2, a media type may be a reference, and the items of a stream have their own
    // schema.
    const media = lenient(document, given);
    return { mediaType, schema: media["schema"] ?? streamed(media) ?? true };
  });
}

export function operationResponses(
  document: SpecDocument,
  given: unknown,
  produces: unknown,
): OperationResponses {
  const all = Object.entries(asRecord(given));
  const successes = all
    .filter(([status]) => /^2(?:\d\d|XX)$/iu.test(status))
    .map(([status, value]) => {
      return [status, upgradedResponse(lenient(document, value), produces)] as const;
    });
  const headers = successes.flatMap(([, { headers: named }]) =>
    isRecord(named) ? Object.keys(named) : [],
  );
  return {
    success: successes.flatMap((response) => getMedia(document, response)),
    hasLink: headers.some((name) => name.toLowerCase() === "link"),
  };
}

/** The media types to accept. If none is documented, any. */
export function getAccept({ success }: OperationResponses): string {
  const types = success.flatMap(({ mediaType }) => mediaType ?? []);
  const json = types.filter((type) => ["json", "lines"].includes(bodyKind(type)));
  const chosen = [...new Set(json.length > 0 ? json : types)];
  return chosen.length === 0 ? "application/json, */*;q=0.5" : chosen.join(", ");
}

function mediaSchema(media: SuccessMedia, schemas: SchemaRegistry, used: Set<string>): JsonSchema {
  if (media.mediaType === undefined) return media.schema === true ? true : { type: "null" };
  switch (bodyKind(media.mediaType)) {
    case "json":
      return schemas.convert(media.schema, used);
    case "lines":
      return listSchema(schemas.convert(media.schema, used));
    case "binary":
    case "multipart":
      return FILE_OUTPUT;
    default:
      return { type: "string" };
  }
}

/**
 * Some descriptions give the schema of the whole list, others that of one line. Both are
 * accepted.
 */
function listSchema(schema: JsonSchema): JsonSchema {
  return isRecord(schema) && schema["type"] === "array" ? schema : { type: "array", items: schema };
}

/** The schema of `data`: one of the schemas of the documented success responses. */
export function outputSchema({ success }: OperationResponses, schemas: SchemaRegistry): JsonSchema {
  const used = new Set<string>();
  const forms = new Map<string, JsonSchema>();
  for (const media of success) {
    const schema = mediaSchema(media, schemas, used);
    if (schema === true) return true;
    forms.set(JSON.stringify(schema), schema);
  }
  const [first, ...others] = forms.values();
  if (first === undefined || first === false) return true;
  const schema = others.length === 0 ? first : { anyOf: [first, ...others] };
  return isRecord(schema) ? schemas.whole(schema, used) : schema;
}
