import type { CardFunctions } from "@waybill/core/cards";
import { over, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

/** The lookups of a query. They are lists, because a lookup that is not needed returns nothing. */
interface Found {
  /** The current name of the repository, because a search does not find older names. */
  readonly repository?: readonly string[] | string | null;
  /** The title of a milestone that was given by number. */
  readonly milestone?: readonly string[] | null;
}

/**
 * Filters that only a search supports. Without them GitHub's own list is used, which is more
 * current.
 */
const SEARCHED: readonly string[] = [
  "labels",
  "assignee",
  "author",
  "mentioned",
  "milestone",
  "type",
  "since",
  "search",
  "draft",
  "review",
];

function isSearched(params: Params): boolean {
  const isSorted = params["sort"] !== "created" && params["sort"] !== undefined;
  const isTurned = params["direction"] === "asc";
  return isSorted || isTurned || SEARCHED.some((name) => params[name] !== undefined);
}

/** Quotes a value, because it may contain spaces and colons. Quotes in it are removed. */
function quotedQualifier(value: unknown): string {
  return `"${String(value).replaceAll('"', "")}"`;
}

function filter(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (value === "none") return [`no:${name}`];
  return value === "*" ? [`${name}:*`] : [`${name}:${quotedQualifier(value)}`];
}

function requestedStates(params: Params): string[] {
  const state = stringParam(params, "state") ?? "open";
  if (state === "all") return [];
  return [state === "merged" ? "is:merged" : `state:${state}`];
}

function getLabels({ labels }: Params): string[] {
  return (Array.isArray(labels) ? labels : []).map((label) => `label:${quotedQualifier(label)}`);
}

function getDraft({ draft }: Params): string[] {
  return typeof draft === "boolean" ? [`draft:${draft}`] : [];
}

/** The title of the milestone. A number was looked up before. */
function getMilestone({ milestone }: Found, params: Params): string[] {
  return filter("milestone", milestone?.[0] ?? params["milestone"]);
}

function searchQuery(kind: "issue" | "pr", found: Found, params: Params): string {
  const repository =
    [found.repository ?? []].flat()[0] ?? `${String(params["owner"])}/${String(params["name"])}`;
  const since = stringParam(params, "since");
  return [
    `repo:${repository}`,
    `is:${kind}`,
    ...requestedStates(params),
    ...getLabels(params),
    ...filter("assignee", params["assignee"]),
    ...filter("author", params["author"]),
    ...filter("mentions", params["mentioned"]),
    ...getMilestone(found, params),
    ...filter("type", params["type"]),
    ...filter(
      "head",
      stringParam(params, "head") && plainBranch(stringParam(params, "head") ?? ""),
    ),
    ...filter("base", params["base"]),
    ...filter("review", stringParam(params, "review")?.toLowerCase()),
    ...getDraft(params),
    ...(since === undefined ? [] : [`updated:>=${since}`]),
    ...[stringParam(params, "search") ?? []].flat(),
    `sort:${stringParam(params, "sort") ?? "created"}-${stringParam(params, "direction") ?? "desc"}`,
  ].join(" ");
}

/** The branch in "branch" or "owner:branch". */
function plainBranch(head: string): string {
  return head.slice(head.indexOf(":") + 1);
}

export const listQueryFunctions: CardFunctions = {
  plainBranch: over(plainBranch),
  /** REST requires the owner before the branch: `owner:branch`. */
  ownedBranch: over((head: string, { owner }) =>
    head.includes(":") ? head : `${String(owner)}:${head}`,
  ),
  issueQuery: over((found: Found, params) => searchQuery("issue", found, params)),
  prQuery: over((found: Found, params) => searchQuery("pr", found, params)),
  isSearched: over((_value: unknown, params) => isSearched(params)),
};
