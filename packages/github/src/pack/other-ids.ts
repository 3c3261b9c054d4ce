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
  view: ["get", "show", "info"],
  update: ["edit"],
};

/** Variants of an id such as `issue.sub_issues.add`. */
function subIssueIds(action: string): string[] {
  const things = ["sub-issues", "sub-issue", "subissues", "subissue", "children", "child"];
  return things.map((thing) => `issue.${thing}.${action}`);
}

/**
 * The commands of `gh` and operations of the REST API that do the same as a capability. Some for
 * issues also work for pull requests, because they share one sequence of numbers.
 */
export const SAME: Readonly<Record<string, readonly string[]>> = {
  "branch.list": ["repos.list-branches"],
  "commit.compare": ["compare", "repo.compare", "repos.compare-commits", "commits.compare"],
  "commit.list": ["repos.list-commits", "file.history", "file.log", "file.commits"],
  "commit.view": ["repos.get-commit"],
  "discussion.comments.create": ["discussion.comment"],
  "file.commit": [
    "file.create",
    "file.put",
    "file.update",
    "file.write",
    "file.create-or-update",
    "file.push",
    "files.push",
    "commit.create",
  ],
  "file.view": ["file.read", "file.cat", "repos.get-content"],
  "issue.assignees.add": ["issue.assign", "issues.add-assignees"],
  "file.list": ["file.tree", "tree.list", "repo.tree"],
  "issue.assignees.remove": ["issue.unassign", "issues.remove-assignees"],
  "issue.branches.create": ["issue.develop"],
  "issue.branches.list": ["issue.branches.create?list=true"],
  "issue.comments.create": ["issue.comment", "issues.create-comment"],
  "issue.comments.delete": ["issues.delete-comment"],
  "issue.comments.list": ["issues.list-comments"],
  "issue.comments.update": ["comment.edit", "issues.update-comment"],
  "issue.labels.add": [
    "issue.label",
    "issue.add_label",
    "issues.add-labels",
    "pr.label",
    "pr.labels.add",
  ],
  "issue.labels.remove": ["issues.remove-label", "issue.unlabel", "pr.labels.remove", "pr.unlabel"],
  "issue.labels.set": ["issues.set-labels"],
  "issue.list": ["issues.list-for-repo"],
  "issue.relations.parent.remove": subIssueIds("remove"),
  "issue.relations.parent.set": subIssueIds("add"),
  "issue.relations.view": subIssueIds("list"),
  "issue.view": ["issue.labels", "issue.labels.list", "issues.list-labels-on-issue"],
  "label.create": ["issues.create-label"],
  "label.delete": ["issues.delete-label"],
  "label.update": ["issues.update-label"],
  "milestone.create": ["issues.create-milestone"],
  "milestone.list": ["issues.list-milestones"],
  "notification.list": ["activity.list-notifications-for-authenticated-user"],
  "pr.assignees.add": ["pr.assign"],
  "pr.assignees.remove": ["pr.unassign"],
  "pr.branch.update": ["pr.update-branch", "pulls.update-branch"],
  "pr.checks.list": ["pr.checks"],
  "pr.comments.create": ["pr.comment"],
  "pr.commits.list": ["pulls.list-commits"],
  "pr.diff.files": ["pr.files", "pr.files.list", "pulls.list-files", "pr.diff.view?name-only=true"],
  "pr.diff.view": ["pr.diff"],
  "pr.merge.status": ["pr.mergeable"],
  "pr.reviews.list": ["pulls.list-reviews"],
  "pr.reviews.request": [
    "pr.reviewers.add",
    "pr.add-reviewers",
    "pr.request-reviewers",
    "pulls.request-reviewers",
  ],
  "pr.reviews.submit": [
    "pr.review",
    "pr.reviews.create",
    "pulls.create-review",
    "pr.comments.create?path",
    "pr.review_comments.create",
  ],
  "pr.threads.reply": [
    "pr.reply",
    "pr.comments.reply",
    "pr.comment.reply",
    "pulls.create-reply-for-review-comment",
  ],
  "project_v2.fields.list": ["project.field-list"],
  "project_v2.items.field.update": ["project.item-edit"],
  "project_v2.items.issue.add": ["project.item-add"],
  "project_v2.items.list": ["project.item-list"],
  "release.assets.download": ["release.download"],
  "release.assets.upload": ["release.upload", "repos.upload-release-asset"],
  "release.create": ["repos.create-release"],
  "release.list": ["repos.list-releases"],
  "release.publish": ["release.update?draft=false"],
  "release.view": ["release.latest", "repos.get-release-by-tag", "repos.get-latest-release"],
  "repo.create": ["repos.create-for-authenticated-user", "repos.create-in-org"],
  "repo.fork": ["repos.create-fork"],
  "repo.labels.list": ["label.list", "labels.list", "issues.list-labels-for-repo"],
  "repo.list": ["repos.list-for-org", "repos.list-for-user"],
  "search.repos": ["search.repositories"],
  "secret.list": ["actions.list-repo-secrets"],
  "secret.set": ["actions.create-or-update-repo-secret"],
  "tag.list": ["repos.list-tags"],
  "user.me": ["me", "whoami", "users.get-authenticated"],
  "user.view": ["users.get-by-username"],
  "variable.list": ["actions.list-repo-variables"],
  "workflow.dispatch": ["workflow.run", "actions.create-workflow-dispatch"],
  "workflow.job.logs.view": ["workflow.run.view?job"],
  "workflow.list": ["actions.list-repo-workflows"],
  "workflow.run.artifacts.list": ["actions.list-workflow-run-artifacts"],
  "workflow.run.cancel": ["run.cancel", "actions.cancel-workflow-run"],
  "workflow.run.rerun.all": ["run.rerun", "actions.re-run-workflow"],
  "workflow.run.rerun.failed": [
    "actions.re-run-workflow-failed-jobs",
    "workflow.run.rerun.all?failed=true",
    "workflow.run.rerun.all?failed_only=true",
  ],
  "workflow.run.view": [
    "get_job_logs?failed_only=true",
    "run.view",
    "run.logs",
    "run.jobs",
    "workflow.run.jobs.list",
    "actions.get-workflow-run",
    "actions.list-jobs-for-workflow-run",
  ],
  "workflow.run.wait": ["run.watch"],
  "workflow.runs.list": ["run.list", "runs.list", "actions.list-workflow-runs-for-repo"],
};

/** Tools of older versions of GitHub's MCP server, which agents still know. */
const OLDER_TOOLS: Readonly<Record<string, readonly string[]>> = {
  "issue.relations.children.move": ["reprioritize_sub_issue"],
  "issue.relations.parent.remove": ["remove_sub_issue"],
  "issue.relations.parent.set": ["add_sub_issue"],
  "issue.relations.view": ["list_sub_issues"],
  "pr.reviews.pending.submit": ["submit_pending_pull_request_review"],
  "pr.reviews.submit": ["create_and_submit_pull_request_review", "create_pull_request_review"],
  "pr.status": ["get_pull_request_status"],
  "pr.threads.list": ["get_pull_request_comments", "get_pull_request_review_comments"],
  "workflow.dispatch": ["run_workflow"],
  "project_v2.items.issue.add": ["add_project_item"],
  "project_v2.items.issue.remove": ["delete_project_item"],
  "workflow.run.rerun.all": ["rerun_workflow_run"],
  "workflow.run.rerun.failed": ["rerun_failed_jobs"],
  "workflow.run.view": ["list_workflow_jobs"],
};

/** Alias ids that set some inputs of a capability, such as `pr.approve`. */
const WITH_INPUTS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  "file.commit": {
    delete_file: { content: null },
    "file.delete": { content: null },
    "file.remove": { content: null },
  },
  "issue.lock": {
    "issue.unlock": { locked: false },
    "pr.lock": {},
    "pr.unlock": { locked: false },
  },
  "issue.pin": { "issue.unpin": { pinned: false } },
  "commit.view": { "commit.diff": { diff: true } },
  "pr.merge": { "pr.automerge": { auto: true }, "pr.auto-merge": { auto: true } },
  "pr.reviews.request": {
    request_copilot_review: { reviewers: ["copilot-pull-request-reviewer[bot]"] },
  },
  "pr.reviews.submit": {
    "pr.approve": { event: "APPROVE" },
    "pr.request-changes": { event: "REQUEST_CHANGES" },
    "pr.request_changes": { event: "REQUEST_CHANGES" },
  },
  "pr.update": {
    "pr.draft": { draft: true },
    "pr.convert-to-draft": { draft: true },
    "pr.ready?undo=true": { draft: true },
  },
  "release.create": { "repos.create-release": { draft: false } },
  "repo.update": {
    "repo.archive": { archived: true },
    "repo.rename": {},
    "repo.unarchive": { archived: false },
  },
};

/** Converts an id to Octokit's form, such as `issues.addLabels`, and to `issues.add_labels`. */
function otherForms(id: string): string[] {
  if (id.includes("?")) return [id];
  const camelCase = id.replaceAll(/-([a-z])/gu, (_, letter: string) => letter.toUpperCase());
  return [id, camelCase, id.replaceAll("-", "_")];
}

/** The inputs that the alias ids of a capability set. */
export function idInputs(id: string): Readonly<Record<string, object>> | undefined {
  const all = Object.entries(WITH_INPUTS[id] ?? {}).flatMap(([other, inputs]) =>
    otherForms(other).map((form) => [form, inputs] as const),
  );
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

/** Accepts `pr.review.submit` for `pr.reviews.submit`, and `issue.search` for `search.issues`. */
function singularIds(id: string): string[] {
  const singular = id.replaceAll(/([a-hj-rtv-z])s(?=\.|$)/gu, "$1");
  const [first, last] = singular.split(".");
  return first === "search" ? [singular, `${last}.search`, `${last}.find`] : [singular];
}

/**
 * The alias ids of a capability. An alias that is the id of another capability is left out. An
 * alias of several capabilities, such as `issue_read`, only suggests them.
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
  const tools = [...(toolNames[id] ?? []), ...(OLDER_TOOLS[id] ?? [])];
  const all = new Set([
    ...words,
    ...bare,
    ...singularIds(id),
    ...same.flatMap(otherForms),
    ...Object.keys(idInputs(id) ?? {}),
    ...tools,
  ]);
  all.delete(id);
  return [...all];
}
