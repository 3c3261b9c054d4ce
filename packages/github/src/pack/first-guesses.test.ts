import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TOKENS, startGithubEmulator } from "../emulator/index.ts";
import type { GithubEmulator } from "../emulator/index.ts";
import { githubApiSource } from "./api-source.ts";
import { githubSource } from "./source.ts";

const repo = "octo/hello";
const PAGE = "https://github.com/octo/hello";
const API = "https://api.github.com/repos/octo/hello";
const RAW = "https://raw.githubusercontent.com/octo/hello";

/**
 * Calls as people write them who know `gh`, GitHub's REST API or its MCP server, but not Waybill.
 */
const GUESSES: readonly (readonly [id: string, params: object])[] = [
  ["issue.list", { repo, label: "bug" }],
  ["issue.list", { repo, labels: "bug,priority: high" }],
  ["issue.list", { repo, assignee: "monalisa", state: "all" }],
  ["issue.list", { repo, author: "monalisa", limit: 5 }],
  ["issue.list", { repo, creator: "monalisa" }],
  ["issue.list", { repo, milestone: "v1.2" }],
  ["issue.list", { repo, milestone: "1", per_page: 5 }],
  ["issue.list", { repo, since: "2026-01-01", sort: "updated", order: "asc" }],
  ["issue.list", { owner: "octo", repo: "hello", state: "closed", perPage: 10 }],
  ["issue.view", { repo, number: 1 }],
  ["issue.view", { owner: "octo", repo: "hello", issue_number: 1 }],
  ["issue.view", { url: "https://github.com/octo/hello/issues/1" }],
  ["issue.view", { url: "https://api.github.com/repos/octo/hello/issues/1" }],
  ["issue.create", { repo, title: "T", body: "b", label: "bug", assignee: "monalisa" }],
  ["issue.create", { repo, title: "T", labels: ["bug"], milestone: "v1.2" }],
  ["issue.create", { repo, title: "T", type: "Bug", parent: 1 }],
  ["issue.update", { repo, number: 1, state: "closed" }],
  ["issue.update", { repo, issue_number: 1, title: "N", milestone: 1 }],
  ["issue.close", { repo, number: 1, reason: "not_planned" }],
  ["issue.close", { repo, issue_number: 1, state_reason: "completed" }],
  ["issue.comments.create", { repo, number: 1, body: "Hi" }],
  ["issue.comments.create", { repo, issue_number: 1, comment: "Hi" }],
  ["issue.comments.list", { repo, number: 1, limit: 2 }],
  ["issue.labels.add", { repo, number: 1, labels: "question" }],
  ["issue.labels.add", { repo, issue_number: 1, label: ["question"] }],
  ["issue.assignees.add", { repo, number: 1, assignees: "octocat" }],
  ["issue.milestone.set", { repo, number: 2, milestone: 1 }],
  ["issue.milestone.set", { repo, number: 2, milestone: "v1.2" }],
  ["label.create", { repo, name: "idea", color: "0075ca" }],
  ["label.create", { owner: "octo", repo: "hello", label: "idea", color: "#0075ca" }],
  ["label.update", { repo, name: "bug", new_name: "defect" }],
  ["label.delete", { repo, name: "bug" }],
  ["branch.create", { repo, name: "next", from: "main" }],
  ["branch.create", { owner: "octo", repo: "hello", branch: "next", from_branch: "main" }],
  ["branch.delete", { repo, name: "docs/usage" }],
  ["milestone.create", { repo, name: "v9" }],
  ["pr.list", { repo, state: "open", base: "main" }],
  ["pr.list", { repo, head: "feature/locale" }],
  ["pr.list", { repo, author: "octocat", draft: true }],
  ["pr.list", { repo, label: "bug", limit: 3 }],
  ["pr.view", { repo, number: 6 }],
  ["pr.labels.add", { repo, number: 6, labels: ["bug"] }],
  ["pr.labels.remove", { repo, number: 6, label: "bug" }],
  ["pr.view", { owner: "octo", repo: "hello", pullNumber: 6 }],
  ["pr.view", { url: "https://github.com/octo/hello/pull/6/files" }],
  ["pr.create", { repo, title: "T", head: "hubot:loud", base: "chore/version", body: "b" }],
  ["pr.update", { repo, number: 6, base: "docs/usage" }],
  ["pr.merge", { repo, number: 9, merge_method: "squash" }],
  ["pr.merge", { repo, pull_number: 9, method: "squash", delete_branch: true }],
  ["pr.reviews.submit", { repo, number: 6, event: "COMMENT", body: "Fine" }],
  ["pr.reviews.request", { repo, number: 7, reviewers: "monalisa" }],
  ["pr.diff.view", { repo, number: 6 }],
  ["pr.checks.list", { repo, pr: 6 }],
  ["file.view", { repo, path: "README.md", ref: "main" }],
  ["file.view", { repo, file: "README.md", branch: "main" }],
  ["commit.list", { repo, sha: "main", per_page: 2 }],
  ["release.create", { repo, tag: "v9", name: "Nine", body: "Notes" }],
  ["release.create", { repo, tag_name: "v9", target_commitish: "main", prerelease: true }],
  ["release.view", { repo, tag: "v1.0.0" }],
  ["workflow.runs.list", { repo, workflow: "ci.yml", limit: 2 }],
  ["workflow.run.view", { repo, run_id: 1002 }],
  ["workflow.dispatch", { repo, workflow: "publish.yml", ref: "main", inputs: { version: "9" } }],
  ["search.issues", { q: "repo:octo/hello greet", limit: 3 }],
  ["search.code", { q: "greet repo:octo/hello" }],
  ["user.view", { username: "monalisa" }],
  ["repo.create", { name: "made", private: true }],
  ["github.issues.get", { repo, issue_number: 1 }],
  ["github.issues.get", { url: "https://github.com/octo/hello/issues/1" }],
  ["secret.set", { repo, name: "TOKEN", value: "s3cret" }],
  ["variable.set", { repo, name: "REGION", value: "eu" }],
  ["secret.list", { repo, per_page: 5 }],
  ["repo.update", { repo, description: "New", archived: false }],
  ["discussion.create", { repo, category: "Q&A", title: "How?", body: "So?" }],
  ["discussion.categories.list", { repo }],
  ["file.blame", { repo, path: "README.md" }],
  ["issue.pin", { repo, issue_number: 1 }],
  ["issue.branches.create", { repo, issue: 1, name: "fix/one" }],
  ["issue.agents.assign", { repo, number: 1, assignee: "copilot" }],
  [
    "pr.reviews.pending.comment",
    { repo, pull_number: 6, path: "src/greet.ts", line: 3, body: "?" },
  ],
  ["project_v2.create", { owner: "octo", title: "Spring" }],
  ["project_v2.status.create", { owner: "octo", project: 1, status: "on_track" }],
  ["github.reactions.create-for-issue", { repo, number: 1, content: "heart" }],
  ["github.issues.create", { repo, title: "T", body: "b", labels: ["bug"] }],
  ["pr.update", { repo, number: 6, title: "T", state: "closed" }],
  ["pr.comment", { repo, number: 6, path: "src/greet.ts", line: 3, body: "?" }],
  ["issue.sub_issues.add", { repo, number: 2, sub_issue: 1 }],
  ["issue.assign", { repo, number: 2, user: "monalisa" }],
  ["discussion.list", { repo, category: "Q&A" }],
  ["discussion.comment", { repo, number: 11, body: "Beep" }],
  ["workflow.run", { repo, workflow: "Publish" }],
  ["milestone.close", { repo, number: 1 }],
  ["milestone.close", { repo, id: 1 }],
  ["workflow.enable", { repo, workflow: "ci.yml" }],
  ["commit.status", { repo, sha: "main" }],
  ["notification.read", { id: 1001 }],
  ["github.git.get-ref", { repo, branch: "main" }],
  ["github.git.get-ref", { repo, ref: "refs/tags/v1.0.0" }],
  ["ratelimit", {}],
  ["issues.lock", { repo, issue_number: 3, lock_reason: "too heated" }],
  ["issues.createLabel", { owner: "octo", repo: "hello", name: "hello", color: "aabbcc" }],
  ["github.git.get-ref", { repo, branch: "heads/main" }],
  ["github.git.get-ref", { repo, branch: "refs/heads/main" }],
  ["workflow.view", { url: `${PAGE}/actions/workflows/ci.yml?query=branch%3Amain` }],
  ["search.issues", { query: "repo:octo/hello is:issue OR is:pr" }],
  ["project.field-list", { owner: "octo", number: 1, format: "json" }],
  ["issue.update", { repo, number: 3, milestone: `${PAGE}/milestone/1` }],
  ["label.create", { url: `${PAGE}/labels`, name: "urgent" }],
  ["label.update", { url: `${PAGE}/labels/bug`, name: "defect" }],
  ["tag.delete", { url: `${PAGE}/releases/tag/v1.0.0` }],
  [
    "project_v2.items.issue.add",
    { url: ["https://github.com/orgs/octo/projects/1", `${PAGE}/issues/3`] },
  ],
  ["commit.diff", { repo, sha: "main" }],
  [
    "add_project_item",
    { owner: "octo", project_number: 1, item_owner: "octo", item_repo: "hello", issue_number: 3 },
  ],
];

let github: GithubEmulator;
let waybill: Waybill;
beforeAll(async () => {
  github = await startGithubEmulator();
  const transport = createHttpTransport();
  const place = {
    host: "github.com",
    restUrl: github.url,
    graphqlUrl: `${github.url}/graphql`,
    token: TOKENS.octocat,
    ghToken: TOKENS.octocat,
    ghConfigDir: null,
  };
  const around = { env: {}, transport, userAgent: "waybill-test" };
  waybill = createWaybill({
    sources: [githubSource(place, around), githubApiSource(place, around)],
    policy: { confirm: "none" },
  });
});
afterEach(() => github.reset());
afterAll(async () => {
  await waybill.close();
  await github.close();
});

describe("first guesses", () => {
  it.each(GUESSES)(
    "Waybill accepts inputs as an agent guesses them without reading the docs: %s %j",
    async (id, params) => {
      const { error } = await waybill.execute(id, { ...params });
      expect(error).toBeNull();
    },
  );
});

/** Wrong calls, and the text that the error must contain. */
const LED: readonly (readonly [id: string, params: object, says: string])[] = [
  ["issue.create", { repo, title: "T", lable: "bug" }, "labels"],
  ["pr.update", { repo, number: 6, state: "merged" }, "use pr.merge to merge"],
  ["issue.update", { repo, number: 1, milestone: "none" }, "issue.milestone.clear"],
  ["issue.update", { repo, number: 1, milestone: null }, "issue.milestone.clear"],
  ["pr.create", { repo, title: "T", head: "none", base: "main" }, "head invalid: none"],
  ["issue.labels.remove", { repo, number: 3, labels: ["bug"] }, "Label bug on issue octo/hello#3"],
  ["discussion.list", { repo, category: "none" }, "Categories: General, Q&A"],
  ["sub_issue_write", { method: "add", repo, issue_number: 2, sub_issue_id: 9 }, "subIssueNumber"],
  ["repos.deleteFile", { repo, path: "LICENSE", message: "m" }, "file.delete"],
  ["milestone.close", { repo, number: "v1.2" }, "milestone.list"],
  ["milestone.close", { repo, title: "v1.2" }, "milestone.list"],
  ["search.issues", { query: "repo:octo/hello is:pr" }, "use search.prs"],
  ["request_copilot_review", { repo, pull_number: 6 }, "is not a collaborator"],
  ["search.prs", { query: "type:issue crash" }, "use search.issues"],
  ["github.issues.delete-comment", { repo: `${repo}#3` }, "number"],
  ["github.repos.delete-release", { repo: `${repo}#3` }, "number"],
  ["issue.list", { repo, search: "is:pr" }, "use pr.list"],
  ["issue.list", { url: `${PAGE}/issues?q=is%3Apr` }, "use pr.list"],
  ["workflow.runs.list", { url: `${PAGE}/actions?query=foo%3Abar` }, "/foo is not an input"],
  ["repo.list", { owner: "octo", sort: "updated" }, "github.repos.list-for-org"],
  ["notification.list", { unread: true }, "only unread ones"],
  [
    "github.activity.set-thread-subscription",
    { thread_id: 1, action: "ignore" },
    "pass ignored=true",
  ],
  ["pr.checkout", { repo, number: 6 }, "git fetch origin pull/NUMBER/head"],
  ["pr.revert", { repo, number: 8 }, "revertPullRequest"],
  ["tag.create", { repo, tag: "v9" }, "github.git.create-ref"],
  ["repo.clone", { repo }, "git clone"],
  ["auth.status", {}, "user.me"],
  ["GET", { "": "/user" }, "method and path"],
];

describe("errors for wrong guesses", () => {
  it.each(LED)(
    'an error for a wrong guess says what to use: %s %j must mention "%s"',
    async (id, params, says) => {
      const isRest = ["issue.labels.remove", "pr.create"].includes(id);
      const { error } = await waybill.execute(id, { ...params }, isRest ? { route: "rest" } : {});
      expect(JSON.stringify(error)).toContain(says);
    },
  );
});

/** URLs that GitHub uses in its pages and responses, and the text that the answer must contain. */
const ADDRESSES: readonly (readonly [id: string, url: string, shown: string])[] = [
  ["issue.view", `${PAGE}/issues/1#issuecomment-1001`, '"number":1,'],
  ["pr.view", `${PAGE}/pull/6/files`, '"number":6,'],
  ["pr.diff.view", `${API}/pulls/6`, "diff --git"],
  ["file.view", `${PAGE}/blob/main/README.md#L1-L1`, '"path":"README.md"'],
  ["file.blame", `${PAGE}/blame/main/README.md`, '"path":"README.md"'],
  ["file.list", `${PAGE}/tree/main/src`, '"path":"src/greet.ts"'],
  ["file.view", `${API}/contents/README.md?ref=main`, '"path":"README.md"'],
  ["file.view", `${PAGE}/blob/feature/locale/src/greet.ts#L1`, '"path":"src/greet.ts"'],
  ["file.blame", `${PAGE}/blame/feature/locale/src/greet.ts`, '"path":"src/greet.ts"'],
  ["file.list", `${PAGE}/tree/feature/locale`, '"path":"README.md"'],
  ["file.list", `${PAGE}/tree/feature/locale/src`, '"path":"src/greet.ts"'],
  ["file.view", `${RAW}/main/README.md`, '"path":"README.md"'],
  ["file.view", `${RAW}/refs/heads/feature/locale/src/greet.ts`, '"path":"src/greet.ts"'],
  ["commit.list", `${PAGE}/commits/feature/locale/`, "table of greetings"],
  ["commit.view", `${API}/commits/feature/locale`, "table of greetings"],
  ["commit.view", `${PAGE}/commit/main`, '"message"'],
  ["commit.compare", `${PAGE}/compare/main...feature/locale`, '"aheadBy"'],
  ["release.view", `${PAGE}/releases/tag/v1.0.0`, '"tagName":"v1.0.0"'],
  ["workflow.run.view", `${PAGE}/actions/runs/1002/job/1004`, '"id":1002'],
  ["workflow.job.logs.view", `${API}/actions/jobs/1004`, '"jobId":1004'],
  ["workflow.view", `${PAGE}/actions/workflows/ci.yml`, "ci.yml"],
  ["user.view", "https://github.com/monalisa", '"login":"monalisa"'],
  ["user.view", "https://api.github.com/users/monalisa", '"login":"monalisa"'],
  ["repo.list", "https://github.com/octo", "octo/hello"],
  ["project_v2.org.view", "https://github.com/orgs/octo/projects/1", '"number":1,'],
  ["github.repos.get-content", `${PAGE}/blob/main/README.md`, '"path":"README.md"'],
  ["github.repos.get-release-by-tag", `${PAGE}/releases/tag/v1.0.0`, '"tag_name":"v1.0.0"'],
  ["github.repos.get-commit", `${PAGE}/commit/main`, '"sha"'],
  ["github.issues.get-comment", `${PAGE}/issues/1#issuecomment-1001`, '"id":1001'],
  ["github.users.get-by-username", "https://github.com/monalisa", '"login":"monalisa"'],
  ["org.get", "https://github.com/octo", '"login":"octo"'],
  ["github.git.get-ref", `${API}/git/ref/heads/main`, '"ref":"refs/heads/main"'],
  ["github.git.get-ref", `${PAGE}/tree/docs/usage`, '"ref":"refs/heads/docs/usage"'],
  ["github.git.get-tree", `${PAGE}/tree/main`, '"tree"'],
  ["github.repos.list-release-assets", `${API}/releases/1001/assets`, "hello-1.0.0.tgz"],
];

/** Pages that list a part, the input that selects the same, and the field that shows it. */
const FILTERED: readonly (readonly [id: string, page: string, input: object])[] = [
  ["pr.list", "pulls/octocat", { author: "octocat" }],
  ["issue.list", "issues/created_by/octocat", { author: "octocat" }],
  ["issue.list", "issues/assigned/monalisa", { assignee: "monalisa" }],
  ["issue.list", "milestone/1", { milestone: 1 }],
  ["workflow.runs.list", "actions?query=branch%3Amain", { branch: "main" }],
  ["workflow.runs.list", "actions?query=is%3Afailure", { status: "failure" }],
  ["workflow.runs.list", "actions/workflows/ci.yml?query=branch%3Amain", { branch: "main" }],
];

describe("URLs as inputs", () => {
  it.each(ADDRESSES)("%s reads its inputs from the URL %s", async (id, url, shown) => {
    const { error, data } = await waybill.execute(id, { url });
    expect(error).toBeNull();
    expect(JSON.stringify(data)).toContain(shown);
  });

  it("github.gists.get reads a gist by its URL", async () => {
    const { name } = github.store.gists[0]!;
    for (const url of [
      `https://gist.github.com/octocat/${name}`,
      `https://api.github.com/gists/${name}`,
    ]) {
      const { error, data } = await waybill.execute("github.gists.get", { url });
      expect([error, data]).toMatchObject([null, { id: name }]);
    }
  });

  it("issue.list filters issues by the URL of a label", async () => {
    const { data } = await waybill.execute("issue.list", { url: `${PAGE}/labels/bug` });
    const { items } = data as { items: { labels: string[] }[] };
    expect(items.length).toBeGreaterThan(0);
    for (const { labels } of items) expect(labels).toContain("bug");
  });

  it.each(FILTERED)(
    "%s uses the filters in the URL of the GitHub page %s",
    async (id, page, input) => {
      const all = await waybill.execute(id, { repo });
      const filtered = await waybill.execute(id, { url: `${PAGE}/${page}` });
      const same = await waybill.execute(id, { repo, ...input });
      expect([filtered.error, filtered.data]).toEqual([null, same.data]);
      expect(filtered.data).not.toEqual(all.data);
    },
  );

  it("search.issuesAndPullRequests, the id of GitHub's REST operation, finds pull requests", async () => {
    const q = "repo:octo/hello is:pr is:open review:approved";
    const { data } = await waybill.execute("search.issuesAndPullRequests", { q });
    expect(JSON.stringify(data)).toContain("Count up the version");
  });

  it.each([
    ["repo.update", PAGE, { description: "x" }],
    ["label.update", `${PAGE}/labels/bug`, { color: "aabbcc" }],
    ["variable.delete", PAGE, {}],
  ])(
    "%s is refused if the inputs owner and name differ from the repository in its url input",
    async (id, url, more) => {
      const { error } = await waybill.execute(id, { owner: "octo", name: "world", url, ...more });
      expect(error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
    },
  );

  it("a capability rejects a URL that contradicts another input", async () => {
    const input = { url: `${PAGE}/blob/main/README.md`, path: "LICENSE" };
    const { error } = await waybill.execute("file.view", input);
    expect(error).toMatchObject({ code: "VALIDATION" });
  });
});
