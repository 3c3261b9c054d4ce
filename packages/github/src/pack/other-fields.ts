import { isRecord } from "@waybill/core/schema";
import type { JsonSchema, OperationSpec } from "@waybill/core";
import { camelCased } from "./reading.ts";

/** The names of output fields in `gh --json`, GraphQL and GitHub's REST API. */
const OTHER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  actor: ["user"],
  author: ["user", "creator"],
  attempt: ["runAttempt"],
  baseRefName: ["base", "baseBranch"],
  body: ["bodyText"],
  checks: ["statusCheckRollup", "ciStatus"],
  closedAt: [],
  commentCount: ["comments", "commentsCount"],
  committedAt: ["date", "committedDate", "authoredDate"],
  conclusion: ["result"],
  createdAt: [],
  defaultBranch: ["defaultBranchRef"],
  forkCount: ["forks", "forksCount"],
  headBranch: ["branch", "headRefName"],
  headRefName: ["head", "headBranch", "branch"],
  headRefOid: ["headSha"],
  isArchived: ["archived"],
  isDraft: ["draft"],
  isFork: ["fork"],
  isPrerelease: ["prerelease"],
  isPrivate: ["private"],
  labels: ["labelNames"],
  language: ["primaryLanguage"],
  login: ["username"],
  mergedAt: [],
  nameWithOwner: ["fullName"],
  notes: ["body"],
  number: ["issueNumber", "prNumber"],
  oid: ["sha"],
  reviewRequests: ["reviewers", "requestedReviewers"],
  stargazerCount: ["stars", "stargazersCount", "stargazers"],
  startedAt: ["runStartedAt"],
  status: ["changeType"],
  tagName: ["tag"],
  text: ["content"],
  title: ["displayTitle"],
  type: ["issueType"],
  updatedAt: [],
  url: ["htmlUrl", "link"],
};

/** The output fields of an operation, or those of each item of a list. */
export function itemProperties(schema: JsonSchema): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  if (!isRecord(properties)) return {};
  const { items } = properties;
  return isRecord(items) && isRecord(items["items"]) ? itemProperties(items["items"]) : properties;
}

/** Inputs of other capabilities use another name for a numeric id, such as `runId`. */
function idNames(id: string, properties: Readonly<Record<string, unknown>>): readonly string[] {
  const own = properties["id"];
  if (!isRecord(own) || own["type"] !== "integer") return [];
  const thing = /^workflow\.runs?\./u.test(id) ? "run" : id.split(".")[0];
  return ["databaseId", `${thing}Id`];
}

/** Accepts `created_at`, the REST name of `createdAt`. */
function snakeCased(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

/** The other names of the output fields of an operation. */
export function otherFields({ id, outputSchema }: OperationSpec): Record<string, string[]> {
  const properties = itemProperties(outputSchema);
  const names = new Set([...Object.keys(properties), ...Object.keys(OTHER_FIELDS)]);
  const all = [...names].map((name): [string, string[]] => {
    const others = [
      ...(OTHER_FIELDS[name] ?? []),
      ...(name === "id" ? idNames(id, properties) : []),
    ];
    const written = [name, ...others].flatMap((each) => [camelCased(each), snakeCased(each)]);
    return [name, [...new Set([...others, ...written])].filter((each) => each !== name)];
  });
  return Object.fromEntries(all);
}
