import type { Params } from "./reading.ts";

/**
 * The names of each input in `gh`, GitHub's REST API and its MCP server. Such a name is used only
 * if the capability has no input of that name. snake_case is converted to camelCase before.
 */
export const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  after: ["cursor", "endCursor"],
  assignees: ["assignee", "assigneeLogins", "logins", "users"],
  assignee: ["assignees"],
  assetName: ["asset", "pattern", "filename"],
  author: ["creator", "user"],
  base: ["baseRefName", "baseBranch", "target", "into"],
  body: ["text", "comment", "content", "description"],
  branch: ["branchName", "newBranch", "ref"],
  color: ["colour"],
  commentId: ["comment", "id"],
  deleteBranch: ["deleteBranchOnMerge", "deleteHeadBranch"],
  description: ["desc"],
  draft: ["isDraft"],
  diff: ["includeDiff"],
  dueOn: ["dueDate", "due"],
  event: ["action", "review", "state"],
  expectedHead: ["expectedHeadOid", "headSha"],
  first: ["limit", "perPage", "count", "pageSize", "max"],
  forkName: ["newName"],
  generateNotes: ["generateReleaseNotes"],
  from: ["fromBranch", "source", "base", "sha", "startPoint", "fromRef"],
  hasProjects: ["enableProjects"],
  head: ["headRefName", "headBranch", "source", "branch"],
  inputs: ["fields", "input"],
  issueUrl: ["url", "contentUrl"],
  lines: ["tailLines"],
  label: ["labelName"],
  labels: ["label", "addLabels"],
  login: ["username", "user"],
  message: ["commitMessage", "msg"],
  method: ["mergeMethod", "strategy"],
  newName: ["rename", "newLabel", "to"],
  notes: ["body", "releaseNotes", "description"],
  org: ["owner", "organization", "login"],
  organization: ["org"],
  owner: ["org"],
  path: ["file", "filename", "filePath"],
  prerelease: ["isPrerelease"],
  query: ["q", "search", "searchQuery", "keywords"],
  readme: ["addReadme", "autoInit"],
  reason: ["stateReason", "lockReason"],
  ref: ["sha", "branch", "commit", "revision", "commitSha"],
  releaseId: ["release", "id"],
  reviewers: ["reviewer", "users", "requestedReviewers"],
  secret: ["secretName"],
  sort: ["orderBy"],
  tagName: ["tag", "version"],
  target: ["newRepository", "destination", "to", "destinationRepo"],
  targetCommitish: ["target", "commitish"],
  threadId: ["thread", "id"],
  title: ["subject"],
  unresolvedOnly: ["unresolved"],
  user: ["owner", "username", "login"],
  value: ["body", "secretValue"],
  variable: ["variableName"],
  visibility: ["type"],
  workflowId: ["workflow", "workflowFile", "fileName", "resourceId", "id"],
};

/** The inputs that `name` may mean if `repo` is given. The first existing one is used. */
const NAMED: readonly string[] = [
  "label",
  "branch",
  "forkName",
  "workflowId",
  "secret",
  "variable",
  "assetName",
  "artifactName",
];
const TITLED = /^(?:release|milestone)\./;

/** The input that `name` means if `repo` is given; undefined if it can only be the repository. */
export function meaningOfName(id: string, properties: Params): string | undefined {
  if (id === "repo.update") return "newName";
  if (TITLED.test(id) && Object.hasOwn(properties, "title")) return "title";
  if (/\.labels\./u.test(id)) return "labels";
  const found = NAMED.find((name) => Object.hasOwn(properties, name));
  return found ?? (Object.hasOwn(properties, "tagName") ? "tagName" : undefined);
}
