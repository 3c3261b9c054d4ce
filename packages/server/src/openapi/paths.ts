import type { OperationSpec } from "@waybill/core";
import { FAILED, answer, callBody, content, ref, shownSchema, getSuccess } from "./shapes.ts";

const ID = { name: "id", in: "path", required: true, schema: { type: "string" } };
const KEY = {
  name: "Idempotency-Key",
  in: "header",
  schema: { type: "string" },
  description: "Idempotency key: makes a write safe to repeat",
};
const EVENTS = "text/event-stream";
const TEXT = { type: "string" };

const query = (name: string, schema: object, description: string): object => ({
  name,
  in: "query",
  schema,
  description,
});
const PARAMS = query("params", TEXT, "The input, as JSON");
const COUNT = { type: "integer", minimum: 1 };
const LIMITS = [
  query("limit", COUNT, "Maximum number of events (default: no limit)"),
  query("max_tokens", COUNT, "Maximum tokens of all events together (default: no limit)"),
];

/** The path that runs programs. */
export const CODE_PATH: Readonly<Record<string, object>> = {
  "/v1/code": {
    post: {
      operationId: "code",
      summary: "Run a program that can call every capability",
      parameters: [KEY],
      requestBody: {
        required: true,
        ...content({
          type: "object",
          properties: {
            code: { type: "string", description: "JavaScript or TypeScript" },
            options: {
              type: "object",
              properties: {
                idempotency_key: TEXT,
                approve: TEXT,
                dry_run: { type: "boolean" },
                deadline_ms: { type: "number", exclusiveMinimum: 0 },
                max_tokens: { type: "integer", minimum: 200 },
              },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        }),
      },
      responses: { "200": answer("The result", ref("Success")), ...FAILED },
    },
  },
};

/** Paths that exist for all capabilities. */
export const FIXED_PATHS: Readonly<Record<string, object>> = {
  "/v1/execute/{id}": {
    post: {
      operationId: "execute",
      summary: "Call a capability",
      parameters: [ID, KEY],
      requestBody: content({
        type: "object",
        properties: { params: { type: "object" }, options: ref("Options") },
        additionalProperties: false,
      }),
      responses: { "200": answer("The result", ref("Success")), ...FAILED },
    },
  },
  "/v1/chain": {
    post: {
      operationId: "chain",
      summary: "Run several calls in one request; steps can use earlier results",
      parameters: [KEY],
      requestBody: { required: true, ...content(ref("Chain")) },
      responses: {
        "200": answer("The outcome of each step", ref("ChainResult")),
        default: answer("The call could not start", {
          anyOf: [ref("ChainResult"), ref("Failure")],
        }),
      },
    },
  },
  "/v1/capabilities": {
    get: {
      operationId: "list_capabilities",
      summary: "List the capabilities, or search for them",
      parameters: [
        query("query", TEXT, "Words to search for in all capabilities, including hidden ones"),
        query("domain", TEXT, "List only ids below this one, such as issue"),
        query("limit", { type: "integer", minimum: 0 }, "Maximum number of results"),
      ],
      responses: {
        "200": answer("Ids and descriptions", { type: "array", items: ref("Capability") }),
        ...FAILED,
      },
    },
  },
  "/v1/explain/{id}": {
    get: {
      operationId: "explain",
      summary: "Show the inputs, outputs and routes of a capability",
      parameters: [ID],
      responses: {
        "200": answer("The signature, description and routes", ref("Explanation")),
        ...FAILED,
      },
    },
  },
  "/v1/subscribe/{id}": {
    get: {
      operationId: "subscribe",
      summary: "Subscribe to a capability",
      parameters: [ID, PARAMS, ...LIMITS],
      responses: { "200": answer("Events: data, error, end", TEXT, EVENTS), ...FAILED },
    },
  },
  "/openapi.json": {
    get: {
      operationId: "openapi",
      summary: "This OpenAPI description",
      responses: { "200": answer("OpenAPI 3.1", { type: "object" }), ...FAILED },
    },
  },
  "/health": {
    get: {
      operationId: "health",
      summary: "Whether the server is up",
      security: [],
      responses: {
        "200": answer("The server is up", { type: "object" }),
        "503": answer("The server is shutting down", { type: "object" }),
      },
    },
  },
  "/metrics": {
    get: {
      operationId: "metrics",
      summary: "Metrics of the server, for Prometheus",
      responses: { "200": answer("The metrics as text", TEXT, "text/plain"), ...FAILED },
    },
  },
};

export const MCP_PATH: Readonly<Record<string, object>> = {
  "/mcp": {
    post: {
      operationId: "mcp",
      summary: "Call the same capabilities over MCP (streamable HTTP)",
      requestBody: { required: true, ...content({ type: "object" }) },
      responses: {
        "200": {
          description: "A JSON-RPC message, or a stream of messages",
          content: {
            "application/json": { schema: { type: "object" } },
            [EVENTS]: { schema: TEXT },
          },
        },
        ...FAILED,
      },
    },
  },
};

function callPath(spec: OperationSpec): object {
  return {
    post: {
      operationId: `execute.${spec.id}`,
      summary: spec.description.split("\n", 1)[0]!.slice(0, 200),
      tags: [spec.id.slice(0, spec.id.lastIndexOf("."))],
      ...(spec.effect !== "read" && { parameters: [KEY] }),
      requestBody: content(callBody(spec)),
      responses: {
        "200": answer("The result", getSuccess(shownSchema(spec.outputSchema))),
        ...FAILED,
      },
    },
  };
}

function subscriptionPath(spec: OperationSpec): object {
  return {
    get: {
      operationId: `subscribe.${spec.id}`,
      summary: spec.description.split("\n", 1)[0]!.slice(0, 200),
      parameters: [PARAMS, ...LIMITS],
      responses: { "200": answer("Events: data, error, end", TEXT, EVENTS), ...FAILED },
    },
  };
}

/** The path of one operation. It comes before the general path with `{id}`. */
export function operationPath(spec: OperationSpec): readonly [string, object] {
  return spec.kind === "subscription"
    ? [`/v1/subscribe/${spec.id}`, subscriptionPath(spec)]
    : [`/v1/execute/${spec.id}`, callPath(spec)];
}
