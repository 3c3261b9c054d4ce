import type { Tool } from "@modelcontextprotocol/server";

const TEXT = { type: "string" } as const;
const OBJECT = { type: "object" } as const;
const READS = { readOnlyHint: true } as const;

function calling(answer: string): string {
  return `Call a capability by id. Answers ${answer}; retry once only if error.retryable. Wrong params are answered with the signature.`;
}

/** Every session pays for these words before anything is done: a test counts them. */
export const EXECUTE: Tool = {
  name: "execute",
  description: calling("{ok,data,error,meta}: ok=false failed"),
  inputSchema: {
    type: "object",
    properties: {
      capability_id: TEXT,
      params: OBJECT,
      options: {
        type: "object",
        description:
          "select:[paths], query:JMESPath, page:{cursor,limit}, max_tokens, include:[groups], idempotency_key, dry_run, approve, deadline_ms, route, trace",
      },
    },
    required: ["capability_id"],
  },
};

/** Where answers leave out what goes without saying. */
export const BRIEF_EXECUTE: Tool = {
  ...EXECUTE,
  description: calling("data; if it failed, error instead"),
};

export const EXPLAIN: Tool = {
  name: "explain",
  description: "Inputs and outputs of a capability",
  inputSchema: {
    type: "object",
    properties: { capability_id: TEXT },
    required: ["capability_id"],
  },
  annotations: READS,
};

export const LIST_CAPABILITIES: Tool = {
  name: "list_capabilities",
  description: "Ids and descriptions; query finds hidden ones too",
  inputSchema: {
    type: "object",
    properties: {
      query: TEXT,
      domain: { type: "string", description: "id prefix, like issue" },
      limit: { type: "integer" },
    },
  },
  annotations: READS,
};

export const CODE: Tool = {
  name: "code",
  description:
    'Run JavaScript over every capability, such as: const open = await issue.list("owner/name", {state: "open"}); return open.map(i => i.number). Lists are whole arrays, failures throw, only what is returned or logged comes back. To find out: await waybill.search("words"), await waybill.signature("issue.list").',
  inputSchema: {
    type: "object",
    properties: {
      code: TEXT,
      options: {
        type: "object",
        description:
          "approve, idempotency_key (both also resume without code), dry_run, deadline_ms, max_tokens",
      },
    },
  },
};

export const CHAIN: Tool = {
  name: "chain",
  description:
    'Several calls in one, answered in results. A step\'s params may hold {"$from":"s0.data.id"}, JMESPath over earlier steps by id (s0, s1… unless given).',
  inputSchema: {
    type: "object",
    properties: {
      steps: {
        type: "array",
        items: {
          type: "object",
          properties: {
            task: TEXT,
            params: OBJECT,
            id: TEXT,
            when: TEXT,
            select: { type: "array", items: TEXT },
          },
          required: ["task"],
        },
      },
      options: {
        type: "object",
        description: "on_error:stop, max_tokens, idempotency_key, dry_run",
      },
    },
    required: ["steps"],
  },
};
