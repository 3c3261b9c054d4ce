import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CardFunctions } from "@waybill/core/cards";
import { getNumber, over, present } from "./typed.ts";
import type { Params } from "./typed.ts";

interface RestIssueType {
  readonly node_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly color?: string | null;
  readonly is_enabled?: boolean;
}

const DEFAULT_PAGE = 30;

/** REST returns all types in one answer. The cursor is the number of types shown so far. */
function issueTypesPage(types: readonly RestIssueType[], params: Params): object {
  const start = Number(params["after"] ?? 0);
  const end = start + getNumber(params, "first", DEFAULT_PAGE);
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

interface Milestone {
  readonly id?: string;
  readonly number?: number;
  readonly title: string;
}

/** The id or number of the given milestone; null if none has that title. */
function titledMilestone(
  { milestones, field }: { milestones: readonly (Milestone | null)[]; field: "id" | "number" },
  params: Params,
): unknown {
  const title = String(params["milestone"] ?? params["milestoneNumber"]).toLowerCase();
  return present(milestones).find((one) => one.title.toLowerCase() === title)?.[field] ?? null;
}

export const issueFunctions: CardFunctions = {
  titledMilestone: over(titledMilestone),
  /** An optional lookup returns a list, which is empty if it was not needed. */
  firstFound: (found) => (Array.isArray(found) ? (found[0] as unknown) : undefined),
  /** The given number, or the number of the milestone with the given title. */
  milestoneNumber: over(({ numbers }: { numbers?: readonly number[] }, params) => {
    const given = params["milestone"] ?? params["milestoneNumber"];
    return typeof given === "number" ? given : numbers?.[0];
  }),
  issueTypesPage: over(issueTypesPage),
  /**
   * REST returns pull requests in lists of issues, and GraphQL finds them by number. Waybill does
   * not count them as issues.
   */
  anIssue: (value) => {
    if (!isRecord(value)) return value;
    if (!isRecord(value["pull_request"]) && value["__typename"] !== "PullRequest") return value;
    throw fail("NOT_FOUND", `#${String(value["number"])} is a pull request, not an issue`, {
      hint: "Use the capability of the same name under pr.",
    });
  },
  /** The requested logins that are assigned. GitHub silently ignores users who cannot be. */
  assigned: (logins, { assignees }) => {
    const asked = Array.isArray(assignees) ? assignees : [];
    const wanted = new Set(asked.map((login) => String(login).toLowerCase()));
    return Array.isArray(logins)
      ? logins.filter((login) => wanted.has(String(login).toLowerCase()))
      : undefined;
  },
};
