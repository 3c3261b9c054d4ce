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
  /** Undefined for a response without a body. */
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

/** Statuses without a body. For other statuses an undocumented body is possible. */
const BODILESS = new Set(["204", "205"]);

function streamed(media: unknown): Raw | undefined {
  const items = asRecord(media)["itemSchema"];
  return items === undefined ? undefined : { type: "array", items };
}

function getMedia([status, response]: readonly [string, Raw]): SuccessMedia[] {
  const content = Object.entries(asRecord(response["content"]));
  if (BODILESS.has(status)) return [{ mediaType: undefined, schema: { type: "null" } }];
  if (content.length === 0) return [{ mediaType: undefined, schema: true }];
  return content.map(([mediaType, media]) => ({
    mediaType,
    // OpenAPI 3.2 describes the items of a stream separately.
    schema: asRecord(media)["schema"] ?? streamed(media) ?? true,
  }));
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
    success: successes.flatMap(getMedia),
    hasLink: headers.some((name) => name.toLowerCase() === "link"),
  };
}

/** The media types to accept; any if none is documented. */
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

/** Some descriptions have the schema of the list, others that of one line. */
function listSchema(schema: JsonSchema): JsonSchema {
  return isRecord(schema) && schema["type"] === "array" ? schema : { type: "array", items: schema };
}

/** The schema of `data`: any of the documented success responses. */
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
