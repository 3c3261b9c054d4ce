// The code blocks of the document, as an installed program uses them.
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

interface IssueInput {
  readonly owner: string;
  readonly repo: string;
  readonly issue_number: number;
}

/** Appendix A of the document, as a TypeScript value. */
export const card: OperationCard<IssueInput> = {
  capability_id: "issue.view",
  version: "1.0.0",
  description: "Fetch a single issue by number with core fields.",
  input_schema: {
    type: "object",
    required: ["owner", "repo", "issue_number"],
    properties: {
      owner: { type: "string" },
      repo: { type: "string" },
      issue_number: { type: "integer", minimum: 1 },
    },
  },
  output_schema: {
    type: "object",
    required: ["id", "number", "title", "state", "url"],
    properties: {
      id: { type: "string" },
      number: { type: "integer" },
      title: { type: "string" },
      state: { type: "string" },
      url: { type: "string" },
    },
  },
  routing: {
    preferred: "graphql",
    fallbacks: ["cli"],
    notes: ["Use GraphQL for precise fields; fallback to gh CLI if GraphQL token missing."],
  },
  graphql: {
    operationName: "IssueView",
    documentPath: "packages/adapters/graphql/src/operations/IssueView.graphql",
  },
  cli: { command: "issue view", jsonFields: ["id", "number", "title", "state", "url"] },
  examples: [
    {
      title: "Basic issue view",
      input: { owner: "octocat", repo: "hello-world", issue_number: 123 },
    },
  ],
};

/** The kinds of routes that the interface declares besides those in the example. */
export const otherForms: Pick<OperationCard, "graphql" | "cli" | "rest"> = {
  graphql: {
    operationName: "IssueView",
    documentPath: "operations/IssueView.graphql",
    variables: { owner: "owner" },
    limits: { maxPageSize: 100 },
  },
  cli: { command: "issue view", jsonFields: ["id"], limits: { maxItemsPerCall: 100 } },
  rest: { endpoints: [{ method: "GET", path: "/repos/{owner}/{repo}/issues/{issue_number}" }] },
};

const error: ResultError = { code: "NOT_FOUND", message: "none", retryable: false };
const attempt: AttemptMeta = { route: "cli", status: "error", duration_ms: 1 };
const meta: ResultMeta = {
  capability_id: "issue.view",
  route_used: "cli",
  reason: "CARD_PREFERRED",
  attempts: [attempt],
  pagination: { has_next_page: false, end_cursor: null },
  timings: { total_ms: 1, adapter_ms: 1 },
  cost: { tokens_in: 1, tokens_out: 1 },
};
export const failed: ResultEnvelope = { ok: false, data: null, error, meta };
