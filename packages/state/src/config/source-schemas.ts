import type { JsonSchema } from "@waybill/core";
import type { JsonSchemaObject } from "@waybill/core/schema";
import type { SourceKind } from "./source-config.ts";

export const TEXT: JsonSchemaObject = { type: "string", minLength: 1 };
export const URL_TEXT: JsonSchemaObject = { type: "string", pattern: "^https?://[^\\s/?#]+" };
const HOST: JsonSchemaObject = { type: "string", pattern: "^[A-Za-z0-9.-]+$" };
const HOST_AND_PORT: JsonSchemaObject = {
  type: "string",
  pattern: "^(http://)?([A-Za-z0-9.-]{1,253}|\\[[0-9a-fA-F:.]{2,45}\\])(:[0-9]{1,5})?$",
};
const ALLOW_PRIVATE: JsonSchemaObject = {
  description: "Private hosts, addresses and ranges that may be reached",
  anyOf: [
    { type: "boolean" },
    { type: "array", items: { type: "string", pattern: "^[A-Za-z0-9_.:-]+(/[0-9]+)?$" } },
  ],
};
const ACCOUNT: JsonSchemaObject = {
  type: "string",
  pattern: "^[A-Za-z0-9_.@:|+/-]{1,200}$",
  description: "The account to use, see waybill connections",
};
const PER_CALLER: JsonSchemaObject = {
  type: "boolean",
  description: "Whether each caller of a server uses the account that has the caller's name",
};
const TEXTS: JsonSchemaObject = { type: "array", items: TEXT };
const WORDS: JsonSchemaObject = { type: "array", items: { type: "string" } };
const VALUES: JsonSchemaObject = { type: "object", additionalProperties: { type: "string" } };

export function closed(
  properties: Record<string, JsonSchema>,
  required: string[] = [],
): JsonSchemaObject {
  return { type: "object", required, properties, additionalProperties: false };
}

export const CREDENTIAL: JsonSchemaObject = {
  description: "The variable or the program that has the secret; never the secret itself",
  ...closed({
    env: {
      type: "string",
      pattern: "^[A-Za-z_]\\w*$",
      description: "Name of an environment variable",
    },
    command: { ...TEXTS, minItems: 1, description: "A program that prints the secret" },
  }),
  minProperties: 1,
  maxProperties: 1,
};

function source(
  kind: SourceKind,
  description: string,
  properties: Record<string, JsonSchema>,
  required: string[],
): JsonSchemaObject {
  return closed({ kind: { const: kind, description }, ...properties }, ["kind", ...required]);
}

const CARDS = source(
  "cards",
  "A folder of cards",
  {
    folder: { ...TEXT, description: "The folder, relative to this file" },
    rest: {
      description: "Where the REST routes of the cards send requests",
      ...closed({ baseUrl: { ...URL_TEXT, description: "Base URL of REST paths" } }, ["baseUrl"]),
    },
    graphql: {
      description: "Where the GraphQL routes of the cards send requests",
      ...closed({ url: { ...URL_TEXT, description: "The GraphQL endpoint" } }, ["url"]),
    },
    cli: {
      description: "The program that the command routes of the cards run",
      ...closed({
        program: { enum: ["gh"], description: "The program (default: gh)" },
        host: { ...HOST, description: "The host for gh" },
      }),
    },
    token: CREDENTIAL,
    host: { ...HOST, description: "The host that the token belongs to" },
    allow_private: ALLOW_PRIVATE,
  },
  ["folder"],
);

const HOSTS =
  "Hosts that may receive credentials (default: the hosts of server and of the document's URL)";

const OPENAPI = source(
  "openapi",
  "An API with an OpenAPI description",
  {
    document: { ...TEXT, description: "A file, relative to this one, or a URL" },
    server: { ...URL_TEXT, description: "Address to use instead of the described servers" },
    credentials: {
      type: "object",
      additionalProperties: CREDENTIAL,
      description: "Credentials by security scheme; * is used for any other scheme",
    },
    hosts: { type: "array", items: HOST_AND_PORT, description: HOSTS },
    account: ACCOUNT,
    per_caller: PER_CALLER,
    external: {
      type: "boolean",
      description: "Read the other documents that the description refers to",
    },
    base_url: { ...URL_TEXT, description: "Base of relative URLs in the description" },
    variables: { ...VALUES, description: "Values for the variables in the server's URL" },
    headers: { ...VALUES, description: "Sent with every request; ${env:NAME} inserts a variable" },
    limits: {
      description: "Limits of a call",
      ...closed({
        response_mb: {
          type: "number",
          exclusiveMinimum: 0,
          description: "Maximum size of a response in MB",
        },
        timeout_ms: {
          type: "integer",
          minimum: 1,
          description: "Maximum time for a response in milliseconds",
        },
      }),
    },
    overrides: {
      type: "object",
      description:
        "Settings of operations that replace the described ones; the keys are ids without the source's name",
      additionalProperties: closed({
        effect: {
          enum: ["read", "write", "destructive"],
          description: "The effect of the operation, instead of the one that its method suggests",
        },
        idempotent: {
          type: "boolean",
          description: "Whether a call may be sent twice without harm",
        },
        description: { ...TEXT, description: "Replaces the description of the operation" },
        exposed: {
          type: "boolean",
          description: "Whether lists of capabilities show the operation",
        },
        idempotency_header: { ...TEXT, description: "The header that carries the idempotency key" },
      }),
    },
    allow_private: ALLOW_PRIVATE,
  },
  ["document"],
);

const MCP = {
  ...source(
    "mcp",
    "An MCP server",
    {
      command: { ...TEXT, description: "A program that speaks MCP on its standard streams" },
      args: { ...WORDS, description: "Arguments of the program" },
      env: { ...VALUES, description: "Environment of the program; ${env:NAME} inserts a variable" },
      cwd: { ...TEXT, description: "The folder that the program runs in" },
      limits: {
        description: "Limits of each process of the program",
        ...closed({
          memory_mb: { type: "number", exclusiveMinimum: 0, description: "Maximum memory in MB" },
          cpu_seconds: {
            type: "number",
            exclusiveMinimum: 0,
            description: "Maximum processor time in seconds",
          },
        }),
      },
      isolated: {
        description: "Run the program in a sandbox without the home folder and the network",
        anyOf: [
          { type: "boolean" },
          closed({
            network: { type: "boolean", description: "Allow network access" },
            folders: { ...TEXTS, description: "Further folders that the program may read" },
            writable: { ...TEXTS, description: "Folders that the program may write to" },
          }),
        ],
      },
      url: { ...URL_TEXT, description: "A server that speaks streamable HTTP" },
      headers: {
        ...VALUES,
        description: "Sent with every request; ${env:NAME} inserts a variable",
      },
      account: ACCOUNT,
      per_caller: PER_CALLER,
      auth: {
        description: "How to sign in, if the server does not describe it",
        ...closed({
          grant: {
            enum: ["authorization_code", "client_credentials"],
            description: "The kind of sign-in",
          },
          clientId: { ...TEXT, description: "Client id of the registered application" },
          clientSecret: {
            ...TEXT,
            description: "Secret of the registered application, as ${env:NAME}",
          },
          scope: { ...TEXT, description: "The scopes to request" },
        }),
      },
      trusted: {
        type: "boolean",
        description: "Trust the effects that the server declares for its tools",
      },
      allow_private: ALLOW_PRIVATE,
    },
    [],
  ),
  oneOf: [{ required: ["command"] }, { required: ["url"] }],
};

const GRAPHQL = source(
  "graphql",
  "A GraphQL endpoint",
  {
    url: { ...URL_TEXT, description: "The endpoint" },
    schema: {
      ...TEXT,
      description: "A file with the schema, as SDL or as an introspection result",
    },
    documents: { ...TEXTS, minItems: 1, description: "Files with GraphQL documents" },
    persisted: {
      enum: ["apollo", "document-id"],
      description: "How a request names a document that the endpoint has stored",
    },
    subscriptions_url: {
      type: "string",
      pattern: "^wss?://[^\\s/?#]+",
      description: "URL of the WebSocket for subscriptions, if it differs from url",
    },
    depth: {
      type: "integer",
      minimum: 1,
      maximum: 6,
      description: "How many levels of fields a call returns if its input has no selection",
    },
    token: CREDENTIAL,
    account: ACCOUNT,
    per_caller: PER_CALLER,
    allow_private: ALLOW_PRIVATE,
  },
  ["url"],
);

const COMMAND = source(
  "command",
  "A program with a manifest of its operations",
  {
    manifest: { ...TEXT, description: "A YAML or JSON file" },
    cwd: { ...TEXT, description: "The folder that the program runs in" },
  },
  ["manifest"],
);

const NATS_URL: JsonSchemaObject = { type: "string", pattern: "^(nats|tls)://[^\\s/?#]+" };

const NATS = source(
  "nats",
  "A service on NATS",
  {
    url: {
      description: "nats://host:port/service, or several servers of one cluster",
      oneOf: [NATS_URL, { type: "array", items: NATS_URL, minItems: 1 }],
    },
    key: { ...CREDENTIAL, description: "The secret that signs callers' identities" },
    shared_journal: {
      type: "boolean",
      description: "Whether all workers of the service share one journal",
    },
  },
  ["url"],
);

export const SOURCE_SCHEMAS: Readonly<Record<SourceKind, JsonSchemaObject>> = {
  cards: CARDS,
  openapi: OPENAPI,
  mcp: MCP,
  graphql: GRAPHQL,
  command: COMMAND,
  nats: NATS,
};
