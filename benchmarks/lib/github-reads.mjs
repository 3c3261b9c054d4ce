// @ts-check

/** @typedef {import("@waybill/core").Waybill} Waybill */
/** @typedef {readonly [id: string, params: object]} Read */

const HELLO = { owner: "octo", name: "hello" };

/**
 * Views and lists of the embedded GitHub that GitHub also answers by REST. Files, diffs and logs
 * are left out, because they cannot be shortened.
 * @param {Waybill} waybill
 * @returns {Promise<Read[]>}
 */
export async function reads(waybill) {
  const run = await runWithArtifacts(waybill);
  const issue = { ...HELLO, issueNumber: 1 };
  const pull = { ...HELLO, prNumber: 6 };
  const runId = { ...HELLO, runId: run };
  return [
    ["repo.view", HELLO],
    ["repo.list", { owner: "octo" }],
    ["repo.labels.list", HELLO],
    ["repo.issue_types.list", HELLO],
    ["issue.view", issue],
    ["issue.list", { ...HELLO, state: "all" }],
    ["issue.comments.list", issue],
    ["issue.relations.view", { ...HELLO, issueNumber: 2 }],
    ["milestone.list", HELLO],
    ["search.issues", { query: "repo:octo/hello is:issue" }],
    ["search.prs", { query: "repo:octo/hello is:pr" }],
    ["search.repos", { query: "hello" }],
    ["search.code", { query: "greet repo:octo/hello" }],
    ["user.me", {}],
    ["user.view", { login: "monalisa" }],
    ["notification.list", {}],
    ["gist.list", {}],
    ["pr.view", pull],
    ["pr.list", { ...HELLO, state: "all" }],
    ["pr.commits.list", pull],
    ["pr.comments.list", pull],
    ["pr.reviews.list", pull],
    ["pr.diff.files", pull],
    ["pr.checks.list", pull],
    ["pr.reactions.list", pull],
    ["file.list", HELLO],
    ["commit.list", HELLO],
    ["commit.view", { ...HELLO, ref: "main" }],
    ["commit.compare", { ...HELLO, base: "main", head: "fix/empty-name" }],
    ["branch.list", HELLO],
    ["tag.list", HELLO],
    ["release.list", HELLO],
    ["release.view", { ...HELLO, tagName: "v1.0.0" }],
    ["release.assets.list", { ...HELLO, tagName: "v1.0.0" }],
    ["workflow.list", HELLO],
    ["workflow.view", { ...HELLO, workflowId: "ci.yml" }],
    ["workflow.runs.list", HELLO],
    ["workflow.run.view", runId],
    ["workflow.run.artifacts.list", runId],
    ["project_v2.org.view", { org: "octo", projectNumber: 1 }],
    ["project_v2.user.view", { user: "octocat", projectNumber: 1 }],
    ["project_v2.fields.list", { owner: "octo", projectNumber: 1 }],
    ["project_v2.items.list", { owner: "octo", projectNumber: 1 }],
  ];
}

/** @param {Waybill} waybill */
async function runWithArtifacts(waybill) {
  for (const { id } of await items(waybill, "workflow.runs.list", HELLO)) {
    const kept = await items(waybill, "workflow.run.artifacts.list", { ...HELLO, runId: id });
    if (kept.length > 0) return id;
  }
  throw new Error("No run of the world has artifacts");
}

/** @param {Waybill} waybill @param {string} id @param {object} params */
async function items(waybill, id, params) {
  const { data } = await waybill.execute(id, params);
  return /** @type {{ items: { id: number }[] }} */ (data).items;
}
