import type { IdStep } from "@waybill/core/cards";
import { camelCased } from "./reading.ts";

const HERE = "Waybill changes nothing in this folder; use";
const SIGN_IN: IdStep = {
  hint: "user.me shows the account. The command `waybill doctor` shows what its token can do, and `gh auth login` signs in",
  ids: ["user.me"],
};
const OF_GH: IdStep = { hint: "This is a setting of gh on this machine; use gh for it", ids: [] };
const BY_PATH: IdStep = {
  hint: "Each operation of GitHub's REST API has a name, such as github.issues.get for GET /repos/{owner}/{repo}/issues/{issue_number}. A search finds it by its method and path",
  ids: ["github.graphql"],
};
const MINE: IdStep = {
  hint: "Pass repo=OWNER/NAME, and assignee=@me, author=@me or mentions=@me",
  ids: ["search.issues", "search.prs", "notification.list"],
};

/** Commands of `gh` and REST that have no Waybill operation, by their words. */
const STEPS: Readonly<Record<string, IdStep>> = {
  api: BY_PATH,
  browse: {
    hint: "The answers have the url of the page",
    ids: ["repo.view", "issue.view", "pr.view"],
  },
  "commit.revert": {
    hint: "Commit the earlier content of its files; commit.view shows them",
    ids: ["file.commit", "commit.view"],
  },
  delete: BY_PATH,
  "file.rename": {
    hint: "Commit the new path with the content and the old path with content null, both in files",
    ids: ["file.commit"],
  },
  get: BY_PATH,
  head: BY_PATH,
  "issue.duplicate": {
    hint: "Pass state_reason=duplicate with state=closed, and name the other issue in a comment",
    ids: ["github.issues.update", "issue.comments.create"],
  },
  "issue.status": {
    hint: "Pass assignee=@me or author=@me. search.issues also takes mentions=@me",
    ids: ["issue.list", "search.issues", "notification.list"],
  },
  "label.clone": {
    hint: "List the labels of one repository and create each in the other",
    ids: ["repo.labels.list", "label.create"],
  },
  patch: BY_PATH,
  post: BY_PATH,
  "pr.checkout": { hint: `${HERE} git: git fetch origin pull/NUMBER/head`, ids: ["pr.view"] },
  "pr.revert": {
    hint: "Run the mutation revertPullRequest(input: {pullRequestId: ID}); pr.view has the id",
    ids: ["github.graphql.mutate"],
  },
  put: BY_PATH,
  "repo.clone": { hint: `${HERE} git clone`, ids: ["repo.view"] },
  "repo.setDefault": { hint: "Pass repo=OWNER/NAME with each call", ids: [] },
  rest: BY_PATH,
  status: MINE,
  "tag.create": {
    hint: "Pass ref=refs/tags/NAME and sha=COMMIT. release.create makes a tag and a release",
    ids: ["github.git.create-ref", "release.create"],
  },
};

/** The next step for every command of a group. */
const GROUPS: Readonly<Record<string, IdStep>> = {
  alias: OF_GH,
  auth: SIGN_IN,
  config: OF_GH,
  extension: OF_GH,
};

/** The next step for a command of `gh` or REST that has no capability. */
export function stepForId(id: string): IdStep | undefined {
  const written = camelCased(id.replace(/^github\./u, ""));
  const known = /^[A-Z]+$/u.test(written) ? written.toLowerCase() : written;
  if (Object.hasOwn(STEPS, known)) return STEPS[known];
  const [group = "", ...rest] = known.split(".");
  return rest.length === 1 && Object.hasOwn(GROUPS, group) ? GROUPS[group] : undefined;
}
