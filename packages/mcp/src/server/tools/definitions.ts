import type { Tool } from "@modelcontextprotocol/server";

const TEXT = { type: "string" } as const;
const OBJECT = { type: "object" } as const;
const READS = { readOnlyHint: true } as const;

function calling(answer: string): string {
  return `Call a capability. Answers ${answer}; retry once if retryable. Wrong params get the signature.`;
}

/** A test limits the tokens of this text, because every session reads it first. */
export const EXECUTE: Tool = {
  name: "execute",
  description: calling("{ok,data,error,meta}"),
  inputSchema: {
    type: "object",
    properties: {
      capability_id: TEXT,
      params: OBJECT,
      options: {
        type: "object",
        description:
          "select:[paths], query:JMESPath, page:{cursor}, max_tokens, idempotency_key, dry_run, approve",
      },
    },
    required: ["capability_id"],
  },
};

/** The definition for brief answers, which omit obvious fields. */
export const BRIEF_EXECUTE: Tool = {
  ...EXECUTE,
  description: calling("data, or the error"),
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
  description: "Search by words, or list a domain such as issue",
  inputSchema: {
    type: "object",
    properties: { query: TEXT, domain: TEXT, limit: { type: "integer" } },
  },
  annotations: READS,
};

export const CODE: Tool = {
  name: "code",
  description:
    'Run JavaScript over all capabilities: (await issue.list("owner/name", {state: "open"})).map(i => i.number). Lists are whole, failures throw; only the returned or logged comes back. Find out: waybill.search("words"), waybill.signature("issue.list")',
  inputSchema: {
    type: "object",
    properties: {
      code: TEXT,
      options: {
        type: "object",
        description:
          "approve, idempotency_key (both resume without code), input, dry_run, deadline_ms, max_tokens",
      },
    },
  },
};

export const CHAIN: Tool = {
  name: "chain",
  description:
    'Several calls in one. Steps: {id,task,params,when,select:[paths]|"none"}; params may hold {"$from":"s0.data.id"}, JMESPath over steps by id (s0, s1…)',
  inputSchema: {
    type: "object",
    properties: {
      steps: { type: "array", items: OBJECT },
      options: {
        type: "object",
        description: "on_error:stop, idempotency_key, dry_run",
      },
    },
    required: ["steps"],
  },
};
