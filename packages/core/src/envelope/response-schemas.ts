import type { JsonSchema, JsonSchemaObject } from "./json.ts";
import { CONFORMANCES, EDITS } from "./response.ts";
import { ANY_OBJECT, BOOLEAN, COUNT, NUMBER, STRING, arrayShape, open } from "./shapes.ts";

const PIPELINE_PROPERTIES: Record<string, JsonSchemaObject> = {
  conformance: { enum: CONFORMANCES },
  changes: {
    type: "array",
    items: open(["path", "edit"], { path: STRING, edit: { enum: EDITS } }),
  },
  warnings: arrayShape(STRING),
  sequence: COUNT,
  serverDate: NUMBER,
  nextCursor: { type: ["string", "null"] },
};

function metaSchema(
  source: string,
  required: readonly string[],
  properties: Record<string, JsonSchema>,
): JsonSchemaObject {
  return open(["source", ...required], {
    source: { const: source },
    ...properties,
    ...PIPELINE_PROPERTIES,
  });
}

/** JSON Schema of {@link LocalResponseMeta}. */
export const LocalResponseMetaSchema: JsonSchemaObject = metaSchema(
  "local",
  ["operationId", "timestamp"],
  { operationId: STRING, timestamp: NUMBER, answer: ANY_OBJECT },
);

/** JSON Schema of {@link HTTPResponseMeta}. */
export const HTTPResponseMetaSchema: JsonSchemaObject = metaSchema(
  "http",
  ["statusCode", "headers", "contentType"],
  {
    statusCode: { type: "integer" },
    headers: { type: "object", additionalProperties: STRING },
    contentType: STRING,
    told: arrayShape(STRING),
  },
);

const ANNOTATIONS: JsonSchemaObject = open([], {
  audience: { type: "array", items: { enum: ["user", "assistant"] } },
  priority: NUMBER,
  lastModified: STRING,
});

const MEDIA: Record<string, JsonSchemaObject> = {
  data: STRING,
  mimeType: STRING,
  annotations: ANNOTATIONS,
};

/** JSON Schema of {@link MCPContentBlock}. */
export const MCPContentBlockSchema: JsonSchemaObject = {
  anyOf: [
    open(["type", "text"], { type: { const: "text" }, text: STRING, annotations: ANNOTATIONS }),
    open(["type", "data", "mimeType"], { type: { const: "image" }, ...MEDIA }),
    open(["type", "data", "mimeType"], { type: { const: "audio" }, ...MEDIA }),
    open(["type", "resource"], {
      type: { const: "resource" },
      resource: open(["uri"], { uri: STRING, mimeType: STRING, text: STRING, blob: STRING }),
      annotations: ANNOTATIONS,
    }),
    open(["type", "uri", "name"], {
      type: { const: "resource_link" },
      uri: STRING,
      name: STRING,
      title: STRING,
      description: STRING,
      mimeType: STRING,
      size: NUMBER,
      icons: arrayShape(ANY_OBJECT),
      annotations: ANNOTATIONS,
      _meta: ANY_OBJECT,
    }),
  ],
};

/** JSON Schema of {@link MCPResponseMeta}. */
export const MCPResponseMetaSchema: JsonSchemaObject = metaSchema("mcp", ["isError", "content"], {
  isError: BOOLEAN,
  content: arrayShape(MCPContentBlockSchema),
  structuredContent: true,
  _meta: ANY_OBJECT,
});

/** JSON Schema of {@link CLIResponseMeta}. */
export const CLIResponseMetaSchema: JsonSchemaObject = metaSchema(
  "cli",
  ["command", "exitCode", "durationMs"],
  {
    command: arrayShape(STRING),
    exitCode: { type: "integer" },
    durationMs: NUMBER,
  },
);

/** JSON Schema of {@link ResponseMeta}. */
export const ResponseMetaSchema: JsonSchemaObject = {
  anyOf: [
    LocalResponseMetaSchema,
    HTTPResponseMetaSchema,
    MCPResponseMetaSchema,
    CLIResponseMetaSchema,
  ],
};

/** JSON Schema of {@link ResponseEnvelope}. */
export const ResponseEnvelopeSchema: JsonSchemaObject = {
  ...open(["data", "meta"], { data: true, meta: ResponseMetaSchema }),
  additionalProperties: false,
};
