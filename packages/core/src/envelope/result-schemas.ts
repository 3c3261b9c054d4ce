import { ERROR_CODES, PREFLIGHT_CODES, ROUTES, ROUTE_REASONS } from "./error-codes.ts";
import type { JsonSchemaObject } from "./json.ts";
import { ANY_OBJECT, BOOLEAN, COUNT, STRING, closed, arrayShape } from "./shapes.ts";

const DURATION: JsonSchemaObject = { type: "number", minimum: 0 };

/** JSON Schema of a ResultError. */
export const ResultErrorSchema: JsonSchemaObject = closed(["code", "message", "retryable"], {
  code: { enum: Object.keys(ERROR_CODES) },
  message: STRING,
  retryable: BOOLEAN,
  details: ANY_OBJECT,
});

const AttemptMetaSchema: JsonSchemaObject = closed(["route", "status", "duration_ms"], {
  route: { enum: ROUTES },
  status: { enum: ["success", "error", "skipped"] },
  error_code: { enum: [...Object.keys(ERROR_CODES), ...Object.keys(PREFLIGHT_CODES)] },
  duration_ms: DURATION,
  waited_ms: DURATION,
});

const SUGGESTION: JsonSchemaObject = closed(["capability_id", "params", "reason"], {
  capability_id: STRING,
  params: ANY_OBJECT,
  reason: STRING,
});

/** JSON Schema of a ResultMeta. */
export const ResultMetaSchema: JsonSchemaObject = closed(["capability_id"], {
  capability_id: STRING,
  request_id: STRING,
  route_used: { enum: ROUTES },
  reason: { enum: ROUTE_REASONS },
  attempts: arrayShape(AttemptMetaSchema),
  pagination: closed(["has_next_page", "end_cursor"], {
    has_next_page: BOOLEAN,
    end_cursor: { type: ["string", "null"] },
    total: COUNT,
  }),
  truncated: BOOLEAN,
  handle: STRING,
  left_out: arrayShape(STRING),
  limits: { type: "object", additionalProperties: { type: "number" } },
  next: { type: "array", items: SUGGESTION, maxItems: 3 },
  warnings: arrayShape(STRING),
  headers: { type: "object", additionalProperties: STRING },
  timings: closed(["total_ms", "adapter_ms"], { total_ms: DURATION, adapter_ms: DURATION }),
  cost: closed(["tokens_out"], {
    tokens_out: COUNT,
    tokens_in: COUNT,
    upstream_requests: COUNT,
    rate_limit_remaining: COUNT,
  }),
  replayed: BOOLEAN,
});

/** JSON Schema of a ResultEnvelope. */
export const ResultEnvelopeSchema: JsonSchemaObject = {
  anyOf: [
    closed(["ok", "data", "error", "meta"], {
      ok: { const: true },
      data: true,
      error: { type: "null" },
      meta: ResultMetaSchema,
    }),
    closed(["ok", "data", "error", "meta"], {
      ok: { const: false },
      data: { type: "null" },
      error: ResultErrorSchema,
      meta: ResultMetaSchema,
    }),
  ],
};
