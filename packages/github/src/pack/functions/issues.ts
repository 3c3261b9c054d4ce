import { fail, isRecord } from "@waybill/core";
import type { CardFunctions } from "@waybill/core";
import { numberOf, over } from "./typed.ts";
import type { Params } from "./typed.ts";

interface RestIssueType {
  readonly node_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly color?: string | null;
  readonly is_enabled?: boolean;
}

const DEFAULT_PAGE = 30;

/** REST has all types in one answer; the cursor is how many were shown. */
function issueTypesPage(types: readonly RestIssueType[], params: Params): object {
  const start = Number(params["after"] ?? 0);
  const end = start + numberOf(params, "first", DEFAULT_PAGE);
  const items = types.slice(start, end).map((type) => ({
    id: type.node_id,
    name: type.name,
    description: type.description,
    color: type.color?.toUpperCase() ?? null,
    ...(type.is_enabled !== undefined && { isEnabled: type.is_enabled }),
  }));
  const hasNextPage = end < types.length;
  return { items, pageInfo: { hasNextPage, endCursor: hasNextPage ? String(end) : null } };
}

export const issueFunctions: CardFunctions = {
  issueTypesPage: over(issueTypesPage),
  /** REST shows pull requests as issues, and GraphQL by their number: here a pull request is none. */
  anIssue: (value) => {
    if (!isRecord(value)) return value;
    if (!isRecord(value["pull_request"]) && value["__typename"] !== "PullRequest") return value;
    throw fail("NOT_FOUND", `#${String(value["number"])} is a pull request, not an issue`, {
      hint: "Use the capability of the same name under pr.",
    });
  },
  /** Of those who were to be assigned, the ones who are: GitHub leaves out who cannot be, silently. */
  assigned: (logins, { assignees }) => {
    const asked = Array.isArray(assignees) ? assignees : [];
    const wanted = new Set(asked.map((login) => String(login).toLowerCase()));
    return Array.isArray(logins)
      ? logins.filter((login) => wanted.has(String(login).toLowerCase()))
      : undefined;
  },
};
