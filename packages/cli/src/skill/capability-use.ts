/** How many benchmark tasks call a capability, and which inputs they use. */
export interface CapabilityUse {
  readonly uses: number;
  readonly inputs: readonly string[];
}

/**
 * The use of each capability in the tasks of the benchmark. The skill lists these with inputs; an
 * agent guesses the others, or finds them by searching.
 * `test/capability-use.test.ts` checks the numbers.
 */
export const CAPABILITY_USE: Readonly<Record<string, CapabilityUse>> = {
  "issue.list": { uses: 12, inputs: ["first", "labels", "repo", "state"] },
  "issue.labels.add": { uses: 5, inputs: ["labels", "number", "repo"] },
  "issue.comments.create": { uses: 4, inputs: ["body", "number", "repo"] },
  "issue.comments.list": { uses: 4, inputs: ["first", "number", "repo"] },
  "issue.view": { uses: 4, inputs: ["number", "repo"] },
  "pr.create": { uses: 4, inputs: ["base", "head", "repo", "title"] },
  "branch.create": { uses: 3, inputs: ["branch", "from", "repo"] },
  "issue.assignees.add": { uses: 3, inputs: ["assignees", "number", "repo"] },
  "issue.create": { uses: 3, inputs: ["body", "labels", "repo", "title"] },
  "label.create": { uses: 3, inputs: ["color", "label", "repo"] },
  "workflow.job.logs.view": { uses: 3, inputs: ["jobId", "repo"] },
  "workflow.runs.list": { uses: 3, inputs: ["branch", "first", "repo", "status"] },
  "commit.list": { uses: 2, inputs: ["first", "repo"] },
  "file.commit": { uses: 2, inputs: ["branch", "files", "message", "repo"] },
  "file.view": { uses: 2, inputs: ["path", "repo"] },
  "pr.checks.list": { uses: 2, inputs: ["number", "repo", "state"] },
  "pr.diff.files": { uses: 2, inputs: ["number", "repo"] },
  "pr.list": { uses: 2, inputs: ["first", "repo", "state"] },
  "pr.merge": { uses: 2, inputs: ["method", "number", "repo"] },
  "pr.threads.list": { uses: 2, inputs: ["number", "repo"] },
  "pr.view": { uses: 2, inputs: ["number", "repo"] },
  "project_v2.items.list": { uses: 2, inputs: ["number", "owner"] },
  "search.issues": { uses: 2, inputs: ["first", "query"] },
  "workflow.run.view": { uses: 2, inputs: ["repo", "runId"] },
  "branch.delete": { uses: 1, inputs: ["branch", "repo"] },
  "branch.list": { uses: 1, inputs: ["repo"] },
  "commit.compare": { uses: 1, inputs: ["base", "head", "repo"] },
  "discussion.view": { uses: 1, inputs: ["number", "repo"] },
  "file.list": { uses: 1, inputs: ["path", "repo"] },
  "issue.close": { uses: 1, inputs: ["number", "reason", "repo"] },
  "issue.relations.view": { uses: 1, inputs: ["number", "repo"] },
  "issue.update": { uses: 1, inputs: ["number", "repo", "title"] },
  "label.update": { uses: 1, inputs: ["color", "label", "repo"] },
  "notification.list": { uses: 1, inputs: [] },
  "pr.comments.create": { uses: 1, inputs: ["body", "number", "repo"] },
  "pr.reviews.list": { uses: 1, inputs: ["number", "repo"] },
  "pr.reviews.submit": { uses: 1, inputs: ["comments", "event", "number", "repo"] },
  "pr.threads.reply": { uses: 1, inputs: ["body", "threadId"] },
  "pr.threads.resolve": { uses: 1, inputs: ["threadId"] },
  "project_v2.fields.list": { uses: 1, inputs: ["number", "owner"] },
  "project_v2.items.field.update": {
    uses: 1,
    inputs: ["fieldId", "itemId", "number", "owner", "valueText"],
  },
  "release.create": { uses: 1, inputs: ["notes", "repo", "tagName"] },
  "release.list": { uses: 1, inputs: ["repo"] },
  "release.view": { uses: 1, inputs: ["repo", "tagName"] },
  "repo.labels.list": { uses: 1, inputs: ["repo"] },
  "repo.view": { uses: 1, inputs: ["repo"] },
  "search.code": { uses: 1, inputs: ["query"] },
  "search.prs": { uses: 1, inputs: ["query"] },
  "user.me": { uses: 1, inputs: [] },
  "workflow.dispatch": { uses: 1, inputs: ["inputs", "ref", "repo", "workflowId"] },
  "workflow.run.rerun.failed": { uses: 1, inputs: ["repo", "runId"] },
};
