import { toolNames } from "../generated/tool-names.ts";

/** The names that `gh` and GitHub's REST API use for the first part of an id. */
const THINGS: Readonly<Record<string, readonly string[]>> = {
  branch: ["branches"],
  commit: ["commits"],
  discussion: ["discussions"],
  file: ["files", "contents"],
  gist: ["gists"],
  issue: ["issues"],
  label: ["labels"],
  milestone: ["milestones"],
  notification: ["notifications"],
  pr: ["prs", "pulls"],
  project_v2: ["project", "projects"],
  release: ["releases"],
  repo: ["repos"],
  secret: ["secrets"],
  tag: ["tags"],
  user: ["users"],
  variable: ["variables"],
  workflow: ["workflows"],
};

/** Other verbs for the last part of an id. */
const SIMILAR_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  view: ["get", "show"],
  update: ["edit"],
};

/**
 * The commands of `gh` and operations of the REST API that do the same as a capability. Some for
 * issues also work for pull requests, because they share one sequence of numbers.
 */
const SAME: Readonly<Record<string, readonly string[]>> = {
  "branch.create": ["git.create-ref"],
  "branch.list": ["repos.list-branches"],
  "commit.compare": ["compare", "repo.compare", "repos.compare-commits", "commits.compare"],
  "commit.list": ["repos.list-commits"],
  "commit.view": ["repos.get-commit"],
  "file.commit": [
    "file.create",
    "file.put",
    "file.update",
    "file.write",
    "file.create-or-update",
    "file.push",
    "files.push",
    "commit.create",
    "repos.create-or-update-file-contents",
  ],
  "file.view": ["file.read", "file.cat", "repos.get-content"],
  "issue.assignees.add": ["issue.assign", "issues.add-assignees"],
  "issue.assignees.remove": ["issue.unassign", "issues.remove-assignees"],
  "issue.branches.create": ["issue.develop"],
  "issue.comments.create": ["issue.comment", "issues.create-comment"],
  "issue.comments.delete": ["issues.delete-comment"],
  "issue.comments.list": ["issues.list-comments"],
  "issue.comments.update": ["comment.edit", "issues.update-comment"],
  "issue.labels.add": ["issue.label", "issues.add-labels", "pr.labels.add"],
  "issue.labels.remove": ["issues.remove-label", "pr.labels.remove"],
  "issue.labels.set": ["issues.set-labels"],
  "issue.list": ["issues.list-for-repo"],
  "label.create": ["issues.create-label"],
  "label.delete": ["issues.delete-label"],
  "label.update": ["issues.update-label"],
  "milestone.create": ["issues.create-milestone"],
  "milestone.list": ["issues.list-milestones"],
  "notification.list": ["activity.list-notifications-for-authenticated-user"],
  "pr.branch.update": ["pr.update-branch", "pulls.update-branch"],
  "pr.checks.list": ["pr.checks"],
  "pr.comments.create": ["pr.comment"],
  "pr.commits.list": ["pulls.list-commits"],
  "pr.diff.files": ["pr.files", "pr.files.list", "pulls.list-files"],
  "pr.diff.view": ["pr.diff"],
  "pr.reviews.list": ["pulls.list-reviews"],
  "pr.reviews.request": ["pr.reviewers.add", "pr.request-reviewers", "pulls.request-reviewers"],
  "pr.reviews.submit": ["pr.review", "pulls.create-review"],
  "project_v2.fields.list": ["project.field-list"],
  "project_v2.items.field.update": ["project.item-edit"],
  "project_v2.items.issue.add": ["project.item-add"],
  "project_v2.items.list": ["project.item-list"],
  "release.assets.download": ["release.download"],
  "release.assets.upload": ["release.upload", "repos.upload-release-asset"],
  "release.create": ["repos.create-release"],
  "release.list": ["repos.list-releases"],
  "release.view": ["release.latest", "repos.get-release-by-tag", "repos.get-latest-release"],
  "repo.create": ["repos.create-for-authenticated-user", "repos.create-in-org"],
  "repo.fork": ["repos.create-fork"],
  "repo.labels.list": ["label.list", "labels.list", "issues.list-labels-for-repo"],
  "repo.list": ["repos.list-for-org", "repos.list-for-user"],
  "search.issues": ["search.issues-and-pull-requests"],
  "search.repos": ["search.repositories"],
  "secret.list": ["actions.list-repo-secrets"],
  "secret.set": ["actions.create-or-update-repo-secret"],
  "tag.list": ["repos.list-tags"],
  "user.me": ["users.get-authenticated"],
  "user.view": ["users.get-by-username"],
  "variable.list": ["actions.list-repo-variables"],
  "workflow.dispatch": ["workflow.run", "actions.create-workflow-dispatch"],
  "workflow.list": ["actions.list-repo-workflows"],
  "workflow.run.artifacts.list": ["actions.list-workflow-run-artifacts"],
  "workflow.run.cancel": ["run.cancel", "actions.cancel-workflow-run"],
  "workflow.run.rerun.all": ["run.rerun", "actions.re-run-workflow"],
  "workflow.run.rerun.failed": ["actions.re-run-workflow-failed-jobs"],
  "workflow.run.view": [
    "run.view",
    "run.jobs",
    "workflow.run.jobs.list",
    "actions.get-workflow-run",
    "actions.list-jobs-for-workflow-run",
  ],
  "workflow.run.wait": ["run.watch"],
  "workflow.runs.list": ["run.list", "runs.list", "actions.list-workflow-runs-for-repo"],
};

/** Ids that stand for a capability with some of its inputs. */
const WITH_INPUTS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  "file.commit": { "file.delete": { content: null }, "file.remove": { content: null } },
  "issue.lock": {
    "issue.unlock": { locked: false },
    "pr.lock": {},
    "pr.unlock": { locked: false },
  },
  "issue.pin": { "issue.unpin": { pinned: false } },
  "pr.reviews.submit": {
    "pr.approve": { event: "APPROVE" },
    "pr.request-changes": { event: "REQUEST_CHANGES" },
    "pr.request_changes": { event: "REQUEST_CHANGES" },
  },
  "pr.update": { "pr.draft": { draft: true } },
  "repo.update": {
    "repo.archive": { archived: true },
    "repo.rename": {},
    "repo.unarchive": { archived: false },
  },
};

/** The inputs that the other ids of a capability stand for. */
export function idInputs(id: string): Readonly<Record<string, object>> | undefined {
  return WITH_INPUTS[id];
}

/** Converts an id to Octokit's form, such as `issues.addLabels`, and to `issues.add_labels`. */
function otherForms(id: string): string[] {
  const camelCase = id.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());
  return [id, camelCase, id.replaceAll("-", "_")];
}

/** `pr.review.submit` for `pr.reviews.submit`, and `issue.search` for `search.issues`. */
function singularIds(id: string): string[] {
  const singular = id.replaceAll(/([a-hj-rtv-z])s(?=\.|$)/gu, "$1");
  const [first, last] = singular.split(".");
  return first === "search" ? [singular, `${last}.search`] : [singular];
}

/**
 * The other ids of a capability. An id that is a capability itself is not used for another one, and
 * one that several capabilities have only leads to them: `issue_read`.
 */
export function otherIds(id: string): string[] {
  const [thing = "", ...rest] = id.split(".");
  const action = rest.pop() ?? "";
  const things = [thing, ...(THINGS[thing] ?? [])];
  const actions = [action, ...(SIMILAR_ACTIONS[action] ?? [])];
  const words = things.flatMap((first) => actions.map((last) => [first, ...rest, last].join(".")));
  const same = SAME[id] ?? [];
  // `pr.commits` can only mean the list.
  const bare =
    action === "list" && rest.length > 0 ? things.map((one) => [one, ...rest].join(".")) : [];
  const tools = toolNames[id] ?? [];
  const all = new Set([
    ...words,
    ...bare,
    ...singularIds(id),
    ...same.flatMap(otherForms),
    ...Object.keys(WITH_INPUTS[id] ?? {}),
    ...tools,
  ]);
  all.delete(id);
  return [...all];
}
