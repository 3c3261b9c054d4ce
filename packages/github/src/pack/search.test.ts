import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { githubApiSource } from "./api-source.ts";
import { githubSource } from "./source.ts";

const transport = createHttpTransport();
let waybill: Waybill;

/** The pack and GitHub's whole API at an unreachable address. A search sends no request. */
beforeAll(() => {
  const url = "http://127.0.0.1:9";
  const place = { host: "github.com", restUrl: url, graphqlUrl: url, token: "t" };
  const around = { env: {}, cwd: "/", transport, userAgent: "test", repository: undefined };
  waybill = createWaybill({
    sources: [githubSource(place, around), githubApiSource(place, around)],
  });
});

afterAll(async () => {
  await waybill.close();
  transport.close();
});

const PHRASES = [
  ["failing checks of a pull request", "pr.checks.list"],
  ["logs of a failed job", "workflow.job.logs.view"],
  ["why did CI fail", "workflow.job.logs.view"],
  ["merge a pull request", "pr.merge"],
  ["can this pull request be merged", "pr.merge.status"],
  ["files changed in a pull request", "pr.diff.files"],
  ["diff of a pull request", "pr.diff.view"],
  ["who reviewed this pull request", "pr.reviews.list"],
  ["approve a pull request", "pr.reviews.submit"],
  ["request a review", "pr.reviews.request"],
  ["reply to a review comment", "pr.threads.reply"],
  ["list open pull requests", "pr.list"],
  ["comment on an issue", "issue.comments.create"],
  ["comments of an issue", "issue.comments.list"],
  ["list open issues", "issue.list"],
  ["edit the title of an issue", "issue.update"],
  ["reopen a closed issue", "issue.reopen"],
  ["add a label to a pull request", "issue.labels.add"],
  ["find issues about login", "search.issues"],
  ["create a new branch", "branch.create"],
  ["read a file from a repository", "file.view"],
  ["commits between two branches", "commit.compare"],
  ["trigger a workflow", "workflow.dispatch"],
  ["cancel a running workflow", "workflow.run.cancel"],
  ["who am I", "user.me"],
  ["add a collaborator", "github.repos.add-collaborator"],
] as const;

describe("natural-language queries", () => {
  it.each(PHRASES)(
    "a capability search for %j returns %s as the first result",
    async (query, id) => {
      const found = await waybill.list_capabilities({ query, wait_ms: 60_000 });
      expect(found.map(({ capability_id }) => capability_id)[0]).toBe(id);
    },
  );

  it.each([
    ["pull", "pr.list"],
    ["list pulls", "pr.list"],
    ["who", "user.me"],
  ])(
    "a capability search for the short query %j returns %s as the first result",
    async (query, id) => {
      const found = await waybill.list_capabilities({ query, wait_ms: 60_000 });
      expect(found[0]?.capability_id).toBe(id);
    },
  );
});

describe("ids of gh and the REST API", () => {
  it.each([
    ["issue.comment", "issue.comments.create"],
    ["pr.files.list", "pr.diff.files"],
    ["label.list", "repo.labels.list"],
    ["pulls.create-review", "pr.reviews.submit"],
    ["issues.addLabels", "issue.labels.add"],
    ["run.list", "workflow.runs.list"],
    ["releases.get", "release.view"],
    ["issue.edit", "issue.update"],
    ["pr.commits", "pr.commits.list"],
    ["file.put", "file.commit"],
    ["issue.label", "issue.labels.add"],
    ["issue.assign", "issue.assignees.add"],
    ["workflow.run.list", "workflow.runs.list"],
    ["list_issues", "issue.list"],
    ["pr.review.submit", "pr.reviews.submit"],
    ["pr.update_branch", "pr.branch.update"],
    ["issue.search", "search.issues"],
    ["compare", "commit.compare"],
    ["create_or_update_file", "file.commit"],
  ])("a call of the id %s runs %s", async (other, id) => {
    const { error, meta } = await waybill.execute(other, {});
    expect([error?.code, meta.capability_id]).toEqual(["VALIDATION", id]);
  });
});

describe("wrong ids", () => {
  it.each([
    ["issue.status", "issue.list"],
    ["issue_read", "issue.comments.list"],
    ["reaction.add", "github.reactions.create-for-issue"],
    ["subissue.add", "github.issues.add-sub-issue"],
    ["limits", "github.rate-limit.get"],
  ])("a call of the wrong id %s returns an error that suggests %s", async (guess, right) => {
    const { error } = await waybill.execute(guess, {});
    expect(error?.details?.did_you_mean).toContain(right);
  });

  it.each([
    ["file.create", "file.commit"],
    ["file.delete", "file.commit"],
    ["commit.create", "file.commit"],
    ["workflow.run.jobs.list", "workflow.run.view"],
    ["search.pulls", "search.prs"],
    ["pr.approve", "pr.reviews.submit"],
    ["pr.reviewers.add", "pr.reviews.request"],
    ["issue.unlock", "issue.lock"],
    ["issue.unassign", "issue.assignees.remove"],
    ["issue.add_labels", "issue.labels.add"],
    ["issue.comment.edit", "issue.comments.update"],
    ["repo.archive", "repo.update"],
    ["branch.get", "github.repos.get-branch"],
    ["branch.rename", "github.repos.rename-branch"],
    ["branch.protection", "github.repos.get-branch-protection"],
    ["commit.status", "github.repos.get-combined-status-for-ref"],
    ["gist.view", "github.gists.get"],
    ["repo.topics", "github.repos.get-all-topics"],
    ["repo.star", "github.activity.star-repo-for-authenticated-user"],
    ["repo.readme", "github.repos.get-readme"],
    ["repo.contributors", "github.repos.list-contributors"],
    ["repos.listContributors", "github.repos.list-contributors"],
    ["org.members", "github.orgs.list-members"],
    ["org.webhooks.list", "github.orgs.list-webhooks"],
    ["webhook.list", "github.repos.list-webhooks"],
    ["team.list", "github.teams.list"],
    ["team.members", "github.teams.list-members-in-org"],
    ["user.repos", "github.repos.list-for-user"],
    ["pr.review_comments", "github.pulls.list-review-comments"],
    ["notification.read", "github.activity.mark-thread-as-read"],
    ["artifact.download", "github.actions.download-artifact"],
    ["cache.list", "github.actions.get-actions-cache-list"],
    ["dependabot.alerts", "github.dependabot.list-alerts-for-repo"],
    ["release.generate_notes", "github.repos.generate-release-notes"],
  ])("a call of the wrong id %s, which has one meaning, runs %s", async (guess, right) => {
    const { capability_id } = await waybill.explain(guess);
    expect(capability_id).toBe(right);
  });

  it.each(["repo.transmogrify", "issue.frobnicate", "pr.revert", "repo.traffic"])(
    "a call of %s, which stands for no operation, returns NOT_FOUND",
    async (guess) => {
      expect((await waybill.execute(guess, {})).error?.code).toBe("NOT_FOUND");
    },
  );
});
