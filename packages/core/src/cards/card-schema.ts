import type { JsonSchemaObject } from "../envelope/index.ts";
import { STRING, closed } from "../envelope/index.ts";
import { EFFECTS } from "../operation/index.ts";
import { CARD_FORMAT, CARD_ROUTES, VERIFY_KINDS } from "./card.ts";

const TEXT: JsonSchemaObject = { type: "string", minLength: 1 };
const TEXTS: JsonSchemaObject = { type: "array", items: TEXT };
const BOOLEAN: JsonSchemaObject = { type: "boolean" };
const LIMIT: JsonSchemaObject = { type: "integer", minimum: 1 };
const ROUTE: JsonSchemaObject = { enum: CARD_ROUTES };
const SCHEMA: JsonSchemaObject = { type: ["object", "boolean"] };
const ID: JsonSchemaObject = { type: "string", pattern: "^[\\w-]+(\\.[\\w-]+)+$", maxLength: 256 };
const VERSION: JsonSchemaObject = { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+" };
/** The mapping parser checks the content of a mapping, because it gives better errors. */
const MAPPING: JsonSchemaObject = {
  type: ["string", "number", "boolean", "null", "array", "object"],
};

function oneOrMore(part: JsonSchemaObject): JsonSchemaObject {
  return { anyOf: [part, { type: "array", items: part, minItems: 1 }] };
}

function recordSchema(value: JsonSchemaObject, names: JsonSchemaObject = TEXT): JsonSchemaObject {
  return { type: "object", propertyNames: names, additionalProperties: value };
}

const VARIANT = {
  when: TEXT,
  limits: closed([], { maxPageSize: LIMIT, maxItemsPerCall: LIMIT }),
};

const GRAPHQL = closed(["operationName", "documentPath", "output"], {
  ...VARIANT,
  operationName: { type: "string", pattern: "^[A-Za-z_]\\w*$" },
  documentPath: TEXT,
  variables: MAPPING,
  output: MAPPING,
});

/** Headers for credentials and message framing are not allowed in a card. */
const HEADER_NAME: JsonSchemaObject = {
  type: "string",
  pattern: "^[A-Za-z][A-Za-z0-9-]*$",
  not: {
    pattern:
      "^([Aa]uthorization|[Cc]ookie|[Hh]ost|[Cc]onnection|[Cc]ontent-[Ll]ength|[Tt]ransfer-[Ee]ncoding|[Pp]roxy-.*)$",
  },
};

const REST = closed(["method", "path", "output"], {
  ...VARIANT,
  method: { enum: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] },
  path: TEXT,
  query: MAPPING,
  headers: recordSchema({ type: "string", pattern: "^[\\x20-\\x7e]*$" }, HEADER_NAME),
  body: MAPPING,
  output: MAPPING,
});

const CLI = closed([], {
  ...VARIANT,
  use: { enum: ["rest", "graphql"] },
  command: { type: "string", pattern: "^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)*$" },
  flags: MAPPING,
  positionals: MAPPING,
  stdin: MAPPING,
  jsonFields: { type: "array", items: { type: "string", pattern: "^\\w+$" }, minItems: 1 },
  output: MAPPING,
  min_gh_version: { type: "string", pattern: "^\\d+\\.\\d+(\\.\\d+)?$" },
});

const LOOKUP = closed(["value"], {
  document: TEXT,
  variables: MAPPING,
  path: TEXT,
  query: MAPPING,
  each: TEXT,
  value: MAPPING,
  optional: BOOLEAN,
});

const ROUTING = closed(["preferred", "fallbacks"], {
  preferred: ROUTE,
  fallbacks: { type: "array", items: ROUTE },
  suitability: {
    type: "array",
    items: closed(["route", "predicate", "reason"], {
      route: ROUTE,
      predicate: TEXT,
      reason: TEXT,
    }),
  },
  notes: TEXTS,
});

const PROBE = {
  when: TEXT,
  value: MAPPING,
  container: TEXT,
  viewer: TEXT,
  fallback: BOOLEAN,
};

const VERIFY = closed([], {
  kind: { enum: VERIFY_KINDS },
  unsettled: TEXT,
  when: TEXT,
  capability: ID,
  params: MAPPING,
  graphql: closed(["document", "value"], { ...PROBE, document: TEXT, variables: MAPPING }),
  rest: closed(["path", "value"], { ...PROBE, path: TEXT, query: MAPPING, second: TEXT }),
  same: { type: "object", minProperties: 1 },
  created: TEXT,
  authoritative: BOOLEAN,
  before: TEXT,
  output: MAPPING,
});

const NAME: JsonSchemaObject = { type: "string", pattern: "^[A-Za-z_]\\w*$" };

const STEPS: JsonSchemaObject = {
  type: "array",
  items: closed(["task"], {
    id: NAME,
    task: ID,
    params: { type: "object" },
    input: { type: "object" },
    when: TEXT,
  }),
  minItems: 1,
  maxItems: 100,
};

/** The JSON Schema of a card. `checkCard` checks the rest. */
export const CardSchema: JsonSchemaObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Operation card",
  ...closed(
    ["capability_id", "version", "description", "effect", "input_schema", "output_schema"],
    {
      $schema: STRING,
      format: { const: CARD_FORMAT },
      capability_id: ID,
      version: VERSION,
      description: { type: "string", minLength: 1, maxLength: 200 },
      effect: { enum: EFFECTS },
      idempotent: BOOLEAN,
      safe: BOOLEAN,
      exposed: BOOLEAN,
      aliases: recordSchema({ ...TEXTS, minItems: 1 }),
      input_schema: SCHEMA,
      output_schema: SCHEMA,
      routing: ROUTING,
      steps: STEPS,
      steps_when: TEXT,
      code: { type: "string", minLength: 1, maxLength: 200_000 },
      calls: { type: "array", items: ID, uniqueItems: true, maxItems: 100 },
      output: MAPPING,
      lookup: recordSchema(LOOKUP, NAME),
      graphql: oneOrMore(GRAPHQL),
      rest: oneOrMore(REST),
      cli: oneOrMore(CLI),
      verify: VERIFY,
      scopes: TEXTS,
      access: closed([], { all: TEXTS, any: TEXTS, resource: TEXT, action: TEXT }),
      include: recordSchema(
        { ...closed([], { graphql: MAPPING, rest: MAPPING, cli: MAPPING }), minProperties: 1 },
        NAME,
      ),
      idempotency_header: HEADER_NAME,
      examples: {
        type: "array",
        items: closed(["title", "input"], { title: TEXT, input: { type: "object" } }),
      },
    },
  ),
  dependentRequired: {
    steps: ["output"],
    steps_when: ["steps", "routing"],
    code: ["calls"],
  },
  if: { anyOf: [{ required: ["steps"] }, { required: ["code"] }] },
  else: { required: ["routing"] },
};
