import { Octokit } from "octokit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { exchangeProblems } from "./fixtures/described.ts";
import { TOKENS, startGithubEmulator } from "./index.ts";
import type { Exchange, GithubEmulator } from "./index.ts";

const R = { owner: "octo", repo: "hello" };
const I = { ...R, issue_number: 1 };
const P = { ...R, pull_number: 6 };
const RUN = { ...R, run_id: 1002 };
const TEXT = Buffer.from("hi").toString("base64");

/** Calls as programs write them: the method of octokit.rest and its parameters. */
const CALLS: [method: string, params?: object][] = [
  ["users.getAuthenticated"],
  ["users.getByUsername", { username: "monalisa" }],
  ["users.listFollowersForAuthenticatedUser"],
  ["orgs.get", { org: "octo" }],
  ["orgs.listForAuthenticatedUser"],
  ["orgs.listForUser", { username: "octocat" }],
  ["orgs.listMembers", { org: "octo" }],
  ["rateLimit.get"],
  ["meta.root"],
  ["meta.getAllVersions"],
  ["repos.get", R],
  ["repos.listForOrg", { org: "octo" }],
  ["repos.listForAuthenticatedUser"],
  ["repos.listForUser", { username: "octocat" }],
  ["repos.listBranches", R],
  ["repos.getBranch", { ...R, branch: "main" }],
  ["repos.getBranch", { ...R, branch: "feature/locale" }],
  ["repos.listCommits", R],
  ["repos.getCommit", { ...R, ref: "main" }],
  ["repos.compareCommitsWithBasehead", { ...R, basehead: "main...feature/locale" }],
  ["repos.compareCommits", { ...R, base: "main", head: "feature/locale" }],
  ["repos.getContent", { ...R, path: "README.md" }],
  ["repos.getContent", { ...R, path: "src" }],
  ["repos.getContent", { ...R, path: "" }],
  ["repos.getReadme", R],
  ["repos.listTags", R],
  ["repos.listContributors", R],
  ["repos.listLanguages", R],
  ["repos.listCollaborators", R],
  ["repos.getCollaboratorPermissionLevel", { ...R, username: "monalisa" }],
  ["repos.getAllTopics", R],
  ["repos.replaceAllTopics", { ...R, names: ["cli"] }],
  ["repos.listForks", R],
  ["repos.createFork", R],
  ["repos.createForAuthenticatedUser", { name: "made" }],
  ["repos.createInOrg", { org: "octo", name: "made" }],
  ["repos.update", { ...R, description: "New" }],
  ["repos.delete", { owner: "octo", repo: "atlas" }],
  ["repos.createOrUpdateFileContents", { ...R, path: "n.txt", message: "m", content: TEXT }],
  ["repos.listReleases", R],
  ["repos.getLatestRelease", R],
  ["repos.getReleaseByTag", { ...R, tag: "v1.0.0" }],
  ["repos.getRelease", { ...R, release_id: 1001 }],
  ["repos.createRelease", { ...R, tag_name: "v9" }],
  ["repos.updateRelease", { ...R, release_id: 1001, name: "N" }],
  ["repos.deleteRelease", { ...R, release_id: 1001 }],
  ["repos.listReleaseAssets", { ...R, release_id: 1001 }],
  ["repos.generateReleaseNotes", { ...R, tag_name: "v9" }],
  ["repos.getCombinedStatusForRef", { ...R, ref: "main" }],
  ["repos.listCommitStatusesForRef", { ...R, ref: "main" }],
  ["repos.downloadZipballArchive", { ...R, ref: "main" }],
  ["repos.downloadTarballArchive", { ...R, ref: "main" }],
  ["issues.listForRepo", R],
  ["issues.listForRepo", { ...R, labels: "bug", state: "all", assignee: "monalisa" }],
  ["issues.list", { filter: "assigned" }],
  ["issues.get", I],
  ["issues.create", { ...R, title: "T" }],
  [
    "issues.create",
    { ...R, title: "T", body: "b", labels: ["bug"], assignees: ["monalisa"], milestone: 1 },
  ],
  ["issues.update", { ...I, title: "T" }],
  ["issues.update", { ...I, state: "closed", state_reason: "not_planned" }],
  ["issues.lock", { ...I, lock_reason: "spam" }],
  ["issues.unlock", I],
  ["issues.listComments", I],
  ["issues.listCommentsForRepo", R],
  ["issues.createComment", { ...I, body: "b" }],
  ["issues.listLabelsOnIssue", I],
  ["issues.addLabels", { ...I, labels: ["question"] }],
  ["issues.setLabels", { ...I, labels: ["question"] }],
  ["issues.removeLabel", { ...I, name: "bug" }],
  ["issues.removeAllLabels", I],
  ["issues.addAssignees", { ...I, assignees: ["octocat"] }],
  ["issues.removeAssignees", { ...I, assignees: ["monalisa"] }],
  ["issues.listAssignees", R],
  ["issues.listLabelsForRepo", R],
  ["issues.getLabel", { ...R, name: "bug" }],
  ["issues.createLabel", { ...R, name: "idea" }],
  ["issues.updateLabel", { ...R, name: "bug", new_name: "defect" }],
  ["issues.deleteLabel", { ...R, name: "bug" }],
  ["issues.listMilestones", R],
  ["issues.createMilestone", { ...R, title: "M" }],
  ["issues.getMilestone", { ...R, milestone_number: 1 }],
  ["issues.listEventsForTimeline", I],
  ["issues.listEvents", I],
  ["issues.listSubIssues", { ...R, issue_number: 2 }],
  ["pulls.list", R],
  ["pulls.list", { ...R, head: "octo:feature/locale" }],
  ["pulls.get", P],
  ["pulls.get", { ...P, mediaType: { format: "diff" } }],
  ["pulls.get", { ...P, mediaType: { format: "patch" } }],
  ["pulls.create", { ...R, title: "T", head: "hubot:loud", base: "chore/version" }],
  ["pulls.update", { ...P, title: "T" }],
  ["pulls.listFiles", P],
  ["pulls.listCommits", P],
  ["pulls.checkIfMerged", { ...R, pull_number: 8 }],
  ["pulls.merge", { ...R, pull_number: 9 }],
  ["pulls.listReviews", P],
  ["pulls.createReview", { ...P, event: "COMMENT", body: "b" }],
  ["pulls.listReviewComments", P],
  ["pulls.listReviewCommentsForRepo", R],
  ["pulls.listRequestedReviewers", P],
  ["pulls.requestReviewers", { ...R, pull_number: 7, reviewers: ["monalisa"] }],
  ["pulls.updateBranch", { ...R, pull_number: 6 }],
  ["git.getRef", { ...R, ref: "heads/main" }],
  ["git.listMatchingRefs", { ...R, ref: "heads/" }],
  ["git.getTree", { ...R, tree_sha: "main", recursive: "1" }],
  ["git.createBlob", { ...R, content: "hi", encoding: "utf-8" }],
  ["checks.listForRef", { ...R, ref: "feature/locale" }],
  ["checks.listSuitesForRef", { ...R, ref: "main" }],
  ["actions.listRepoWorkflows", R],
  ["actions.getWorkflow", { ...R, workflow_id: "ci.yml" }],
  ["actions.listWorkflowRunsForRepo", R],
  ["actions.listWorkflowRuns", { ...R, workflow_id: "ci.yml" }],
  ["actions.getWorkflowRun", RUN],
  ["actions.listJobsForWorkflowRun", RUN],
  ["actions.listWorkflowRunArtifacts", { ...R, run_id: 1001 }],
  ["actions.reRunWorkflow", RUN],
  ["actions.cancelWorkflowRun", { ...R, run_id: 1004 }],
  [
    "actions.createWorkflowDispatch",
    { ...R, workflow_id: "publish.yml", ref: "main", inputs: { version: "9" } },
  ],
  ["actions.listRepoSecrets", R],
  ["actions.getRepoPublicKey", R],
  ["actions.listRepoVariables", R],
  ["actions.createRepoVariable", { ...R, name: "NAME", value: "v" }],
  ["search.issuesAndPullRequests", { q: "repo:octo/hello greet", advanced_search: "true" }],
  ["search.repos", { q: "hello" }],
  ["search.code", { q: "greet repo:octo/hello" }],
  ["search.commits", { q: "greet" }],
  ["search.users", { q: "mona" }],
  ["gists.list"],
  ["gists.create", { files: { "a.txt": { content: "hi" } } }],
  ["activity.listNotificationsForAuthenticatedUser"],
  ["activity.starRepoForAuthenticatedUser", R],
  ["activity.listReposStarredByAuthenticatedUser"],
  ["reactions.createForIssue", { ...I, content: "heart" }],
  ["reactions.listForIssue", I],
];

const UNSERVED = 501;

type Method = (params?: object) => Promise<{ readonly status: number; readonly data: unknown }>;

function getMethod(octokit: Octokit, name: string): Method {
  const [group = "", method = ""] = name.split(".");
  const methods = Reflect.get(octokit.rest, group) as Readonly<Record<string, Method>>;
  return methods[method]!;
}

/**
 * Octokit with its plugins for pagination and retries. The throttling plugin is left out, because
 * it slows the test down.
 */
function connect({ url: baseUrl }: GithubEmulator, isThrottled = false): Octokit {
  return new Octokit({
    auth: TOKENS.octocat,
    baseUrl,
    retry: { retries: 2, retryAfterBaseValue: 1 },
    throttle: {
      enabled: isThrottled,
      onRateLimit: () => true,
      onSecondaryRateLimit: () => true,
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
}

describe("Octokit calls", () => {
  const exchanges: Exchange[] = [];
  const unserved: string[] = [];
  const onExchange = (exchange: Exchange): void => void exchanges.push(exchange);
  let octokit: Octokit;
  let shared: GithubEmulator;
  beforeAll(async () => {
    shared = await startGithubEmulator({ onExchange });
    octokit = connect(shared);
  });
  afterEach(() => {
    if (Object.keys(shared.applied()).length > 0) shared.reset();
  });
  afterAll(() => shared.close());

  it.each(CALLS.map(([name, params = {}]) => [name, params] as const))(
    "the GitHub emulator answers octokit.%s with %j as GitHub does, or with 501",
    async (name, params) => {
      const status = await getMethod(
        octokit,
        name,
      )(params).then(
        (answer) => answer.status,
        (error: { status?: number }) => error.status,
      );
      if (status === UNSERVED) unserved.push(name);
      // An operation that the emulator does not serve returns a clear error. Nothing else may fail.
      expect([200, 201, 202, 204, UNSERVED]).toContain(status);
    },
  );

  it("the GitHub emulator answers at least 95 % of the Octokit calls without 501", () => {
    expect(unserved).toHaveLength(Math.min(unserved.length, Math.floor(CALLS.length * 0.05)));
  });

  it("the GitHub emulator sends Octokit no response that violates GitHub's OpenAPI description", () => {
    const rest = exchanges.filter(({ kind, status }) => kind === "rest" && status < 400);
    expect(new Set(rest.flatMap((one) => exchangeProblems(one).answer))).toEqual(new Set());
  });
});

describe("Octokit plugins", () => {
  let github: GithubEmulator;
  beforeAll(async () => {
    github = await startGithubEmulator();
  });
  afterEach(() => github.reset());
  afterAll(() => github.close());

  it("the GitHub emulator lets Octokit's pagination plugin read all pages of a search", async () => {
    const octokit = connect(github);
    const found = await octokit.paginate("GET /search/issues", {
      q: "repo:octo/hello",
      per_page: 4,
    });
    expect(found.length).toBeGreaterThan(8);
    expect(found[0]).toHaveProperty("number");
  });

  it("the GitHub emulator lets Octokit's pagination plugin read all pages of every kind of list", async () => {
    const octokit = connect(github);
    const lists = [
      await octokit.paginate("GET /repos/{owner}/{repo}/actions/runs", { ...R, per_page: 1 }),
      await octokit.paginate("GET /repos/{owner}/{repo}/issues", { ...R, per_page: 2 }),
      await octokit.paginate("GET /search/repositories", { q: "hello fork:true", per_page: 1 }),
      await octokit.paginate("GET /search/code", { q: "greet", per_page: 1 }),
      await octokit.paginate("GET /repos/{owner}/{repo}/actions/workflows", { ...R, per_page: 1 }),
      await octokit.paginate("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
        ...R,
        ref: "main",
        per_page: 1,
      }),
    ];
    for (const list of lists) expect(list.length).toBeGreaterThan(1);
  });

  it("the GitHub emulator lets Octokit's retry plugin repeat a request after a server error", async () => {
    const octokit = connect(github);
    github.faults.inject({ kind: "status", status: 502, times: 2 });
    const { data } = await octokit.rest.users.getAuthenticated();
    expect(data.login).toBe("octocat");
  });

  it("the GitHub emulator lets Octokit's throttling plugin wait for a secondary rate limit and retry", async () => {
    const octokit = connect(github, true);
    github.faults.inject({ kind: "rate-limit", limit: "secondary", retryAfter: 1 });
    const { data } = await octokit.rest.users.getAuthenticated();
    expect(data.login).toBe("octocat");
    expect(github.requests.map(({ status }) => status)).toEqual([403, 200]);
  });
});
