import type { JsonSchemaObject } from "./json.ts";
import { ANY_OBJECT, BOOLEAN, COUNT, STRING, closed } from "./shapes.ts";
import { TOOL_ERROR_CODES } from "./tool.ts";

const META: JsonSchemaObject = closed(["approxTokens", "truncated", "limits"], {
  approxTokens: COUNT,
  truncated: BOOLEAN,
  limits: closed([], { maxItems: COUNT, maxDepth: COUNT, maxTokens: COUNT }),
  nextQuerySuggestion: {
    type: "array",
    items: closed(["tool", "args"], { tool: STRING, args: ANY_OBJECT, reason: STRING }),
  },
  page: closed(["hasMore"], { cursor: STRING, hasMore: BOOLEAN, total: COUNT }),
});

function envelope(success: boolean, result: JsonSchemaObject | boolean): JsonSchemaObject {
  const fields = ["tool", "version", "requestId", "generatedAt", "workspace", "result", "meta"];
  const data = closed(fields, {
    tool: STRING,
    version: STRING,
    requestId: STRING,
    generatedAt: STRING,
    workspace: closed(["root", "repoName"], { root: STRING, repoName: STRING, rev: STRING }),
    result,
    meta: META,
  });
  return closed(["success", "data"], { success: { const: success }, data });
}

const ERROR: JsonSchemaObject = closed(["error"], {
  error: closed(["code", "message"], {
    code: { enum: TOOL_ERROR_CODES },
    message: STRING,
    details: ANY_OBJECT,
  }),
});

/** JSON Schema of a ToolEnvelope. */
export const ToolEnvelopeSchema: JsonSchemaObject = {
  anyOf: [envelope(true, true), envelope(false, ERROR)],
};
