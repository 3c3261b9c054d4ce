// The code blocks of the document, as a program beside an install has them.
import type {
  AttemptMeta,
  ErrorCode,
  OperationCard,
  ResultEnvelope,
  ResultError,
  ResultMeta,
  RouteReason,
  RouteType,
} from "@waybill/core";

export const routes: RouteType[] = ["cli", "graphql", "rest"];

export const reasons: RouteReason[] = [
  "CARD_PREFERRED",
  "CARD_FALLBACK",
  "PREFLIGHT_FAILED",
  "ENV_CONSTRAINT",
  "CAPABILITY_LIMIT",
  "DEFAULT_POLICY",
];

export const codes: ErrorCode[] = [
  "AUTH",
  "NOT_FOUND",
  "VALIDATION",
  "RATE_LIMIT",
  "NETWORK",
  "SERVER",
  "ADAPTER_UNSUPPORTED",
  "UNKNOWN",
];

const text = { type: "string" } as const;

/** The example card as a value. A card in code states what a file lets Waybill derive. */
export const card: OperationCard = {
  capability_id: "issue.view",
  version: "1.0.0",
  description: "Fetch a single issue by number with core fields.",
  effect: "read",
  input_schema: {
    type: "object",
    required: ["owner", "repo", "issue_number"],
    properties: { owner: text, repo: text, issue_number: { type: "integer", minimum: 1 } },
  },
  output_schema: { type: "object", required: ["id"], properties: { id: text } },
  routing: { preferred: "graphql", fallbacks: ["cli"], notes: ["Use GraphQL for precise fields"] },
  graphql: {
    operationName: "IssueView",
    documentPath: "operations/IssueView.graphql",
    limits: { maxPageSize: 100 },
    output: { from: "repository.issue", fields: { id: "id" } },
  },
  cli: { command: "issue view", jsonFields: ["id"] },
  examples: [
    {
      title: "Basic issue view",
      input: { owner: "octocat", repo: "hello-world", issue_number: 123 },
    },
  ],
};

export const error: ResultError = { code: "NOT_FOUND", message: "none", retryable: false };
export const attempt: AttemptMeta = { route: "cli", status: "error", duration_ms: 1 };
export const meta: ResultMeta = {
  capability_id: "issue.view",
  route_used: "cli",
  reason: "CARD_PREFERRED",
  attempts: [attempt],
  pagination: { has_next_page: false, end_cursor: null },
  timings: { total_ms: 1, adapter_ms: 1 },
  cost: { tokens_in: 1, tokens_out: 1 },
};
export const failed: ResultEnvelope = { ok: false, data: null, error, meta };
