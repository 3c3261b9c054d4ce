/** How many tasks call a capability, and which inputs they use. */
export interface CapabilityUse {
  readonly uses: number;
  readonly inputs: readonly string[];
}

/**
 * The use of each capability in the tasks of the benchmark and of docs/guides/github-tasks.md. The
 * skill lists these with inputs; an agent finds the others by searching.
 * `test/capability-use.test.ts` checks the numbers.
 */
export const CAPABILITY_USE: Readonly<Record<string, CapabilityUse>> = {
  "pr.create": { uses: 6, inputs: ["base", "head", "labels", "repo", "reviewers", "title"] },
  "issue.labels.add": { uses: 5, inputs: ["labels", "number", "repo"] },
  "branch.create": { uses: 4, inputs: ["branch", "from", "name", "repo"] },
  "issue.comments.create": { uses: 4, inputs: ["body", "number", "repo"] },
  "issue.list": { uses: 4, inputs: ["first", "labels", "repo", "state"] },
  "issue.view": { uses: 4, inputs: ["number", "repo"] },
  "file.commit": { uses: 3, inputs: ["branch", "files", "message", "repo"] },
  "label.create": { uses: 3, inputs: ["color", "label", "repo"] },
  "pr.threads.list": { uses: 3, inputs: ["number", "repo"] },
  "project_v2.items.list": { uses: 3, inputs: ["number", "owner"] },
  "workflow.job.logs.view": { uses: 3, inputs: ["jobId", "repo"] },
  "workflow.runs.list": { uses: 3, inputs: ["branch", "first", "repo", "status"] },
  "commit.compare": { uses: 2, inputs: ["base", "head", "repo"] },
  "issue.assignees.add": { uses: 2, inputs: ["assignees", "number", "repo"] },
  "issue.close": { uses: 2, inputs: ["comment", "number", "reason", "repo"] },
  "issue.comments.list": { uses: 2, inputs: ["first", "number", "repo"] },
  "issue.create": { uses: 2, inputs: ["body", "labels", "repo", "title"] },
  "pr.checks.list": { uses: 2, inputs: ["number", "repo", "state"] },
  "pr.list": { uses: 2, inputs: ["repo", "state"] },
  "pr.merge": { uses: 2, inputs: ["method", "number", "repo"] },
  "pr.view": { uses: 2, inputs: ["number", "repo"] },
  "release.create": { uses: 2, inputs: ["notes", "repo", "tag", "tagName", "title"] },
  "release.list": { uses: 2, inputs: ["repo"] },
  "workflow.run.rerun.failed": { uses: 2, inputs: ["repo", "runId"] },
  "workflow.run.view": { uses: 2, inputs: ["repo", "runId"] },
  "branch.delete": { uses: 1, inputs: ["branch", "repo"] },
  "branch.list": { uses: 1, inputs: ["repo"] },
  "commit.list": { uses: 1, inputs: ["first", "repo"] },
  "discussion.view": { uses: 1, inputs: ["number", "repo"] },
  "file.view": { uses: 1, inputs: ["path", "repo"] },
  "issue.relations.view": { uses: 1, inputs: ["number", "repo"] },
  "issue.update": { uses: 1, inputs: ["addAssignees", "addLabels", "milestone", "type"] },
  "label.update": { uses: 1, inputs: ["color", "label", "repo"] },
  "notification.list": { uses: 1, inputs: [] },
  "pr.diff.files": { uses: 1, inputs: ["number", "repo"] },
  "pr.files.diff": { uses: 1, inputs: ["path"] },
  "pr.reviews.list": { uses: 1, inputs: ["number", "repo"] },
  "pr.reviews.pending.comment": { uses: 1, inputs: ["body", "line", "path"] },
  "pr.reviews.pending.submit": { uses: 1, inputs: ["body", "event"] },
  "pr.reviews.submit": { uses: 1, inputs: ["comments", "event", "number", "repo"] },
  "pr.threads.reply": { uses: 1, inputs: ["body", "threadId"] },
  "pr.threads.resolve": { uses: 1, inputs: ["threadId"] },
  "project_v2.fields.list": { uses: 1, inputs: ["number", "owner"] },
  "project_v2.items.field.update": {
    uses: 1,
    inputs: ["fieldId", "itemId", "number", "owner", "valueText"],
  },
  "project_v2.items.issue.add": { uses: 1, inputs: ["number", "owner", "url"] },
  "project_v2.status.create": { uses: 1, inputs: ["body", "number", "owner", "status"] },
  "project_v2.status.list": { uses: 1, inputs: ["number", "owner"] },
  "release.view": { uses: 1, inputs: ["repo", "tagName"] },
  "repo.labels.list": { uses: 1, inputs: ["repo"] },
  "repo.view": { uses: 1, inputs: ["repo"] },
  "search.code": { uses: 1, inputs: ["query"] },
  "search.issues": { uses: 1, inputs: ["first", "query"] },
  "user.me": { uses: 1, inputs: [] },
  "workflow.dispatch": { uses: 1, inputs: ["inputs", "ref", "repo", "workflowId"] },
};
