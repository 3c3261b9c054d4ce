import { Octokit } from "octokit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startGithubEmulator, TOKENS } from "./index.ts";
import type { GithubEmulator } from "./index.ts";

const HELLO = { owner: "octo", repo: "hello" };

describe("Octokit over plain HTTP", () => {
  let github: GithubEmulator;
  let octokit: Octokit;
  beforeEach(async () => {
    github = await startGithubEmulator();
    octokit = new Octokit({
      auth: TOKENS.octocat,
      baseUrl: github.url,
      retry: { enabled: false },
      throttle: { enabled: false },
    });
  });
  afterEach(async () => {
    await github.close();
  });

  it("the GitHub emulator tells Octokit the authenticated user", async () => {
    const { data } = await octokit.rest.users.getAuthenticated();
    expect(data.login).toBe("octocat");
  });

  it("the GitHub emulator lets Octokit list all pages of a list", async () => {
    const labels = await octokit.paginate(octokit.rest.issues.listLabelsForRepo, {
      ...HELLO,
      per_page: 3,
    });
    expect(labels.map(({ name }) => name)).toHaveLength(10);
    const runs = await octokit.paginate(octokit.rest.actions.listWorkflowRunsForRepo, {
      ...HELLO,
      per_page: 1,
    });
    expect(runs.map(({ id }) => id)).toEqual([1004, 1003, 1002, 1001]);
  });

  it("the GitHub emulator lets Octokit create, comment on, assign and close an issue", async () => {
    const { data: issue } = await octokit.rest.issues.create({
      ...HELLO,
      title: "From Octokit",
      labels: ["bug"],
    });
    const at = { ...HELLO, issue_number: issue.number };
    await octokit.rest.issues.createComment({ ...at, body: "Hi" });
    await octokit.rest.issues.addAssignees({ ...at, assignees: ["monalisa"] });
    await octokit.rest.issues.update({ ...at, state: "closed", state_reason: "completed" });
    const { data } = await octokit.rest.issues.get(at);
    expect(data).toMatchObject({
      state: "closed",
      comments: 1,
      assignees: [{ login: "monalisa" }],
    });
    expect(github.applied()).toEqual({
      createIssue: 1,
      addComment: 1,
      addAssignees: 1,
      closeIssue: 1,
    });
  });

  it("the GitHub emulator returns a pull request to Octokit as JSON and as a diff", async () => {
    const at = { ...HELLO, pull_number: 6 };
    const { data: pull } = await octokit.rest.pulls.get(at);
    expect(pull).toMatchObject({ mergeable: true, mergeable_state: "blocked", changed_files: 2 });
    const { data: diff } = await octokit.rest.pulls.get({ ...at, mediaType: { format: "diff" } });
    expect(diff).toContain("diff --git a/src/greet.ts b/src/greet.ts");
    const { data: files } = await octokit.rest.pulls.listFiles(at);
    expect(files.map(({ filename }) => filename)).toEqual(["src/greet.ts", "test/greet.test.ts"]);
  });

  it("the GitHub emulator lets Octokit write a file and read it back", async () => {
    const content = Buffer.from("hello").toString("base64");
    const at = { ...HELLO, path: "notes/a b.txt" };
    await octokit.rest.repos.createOrUpdateFileContents({ ...at, message: "Add", content });
    const { data } = await octokit.rest.repos.getContent(at);
    expect(data).toMatchObject({ type: "file", size: 5, encoding: "base64" });
  });

  it("the GitHub emulator lets Octokit download logs from another host without its token", async () => {
    const { data } = await octokit.rest.actions.downloadJobLogsForWorkflowRun({
      ...HELLO,
      job_id: 1004,
    });
    expect(data).toContain("##[error]Process completed with exit code 1.");
    expect(github.requests.at(-1)).toMatchObject({
      host: "storage.githubusercontent.com",
      status: 200,
    });
  });

  it("the GitHub emulator lets Octokit create a release and upload an asset", async () => {
    const { data: release } = await octokit.rest.repos.createRelease({ ...HELLO, tag_name: "v4" });
    await octokit.rest.repos.uploadReleaseAsset({
      ...HELLO,
      release_id: release.id,
      name: "a.txt",
      data: "text",
      baseUrl: github.url,
    });
    const { data } = await octokit.rest.repos.listReleaseAssets({
      ...HELLO,
      release_id: release.id,
    });
    expect(data).toMatchObject([{ name: "a.txt", size: 4 }]);
  });

  it("the GitHub emulator lets Octokit page through a GraphQL list", async () => {
    const query = `query ($cursor: String) {
      repository(owner: "octo", name: "hello") {
        labels(first: 4, after: $cursor) { nodes { name } pageInfo { hasNextPage endCursor } }
      }
    }`;
    const { repository } = await octokit.graphql.paginate<{
      repository: { labels: { nodes: unknown[] } };
    }>(query);
    expect(repository.labels.nodes).toHaveLength(10);
  });

  it("the GitHub emulator lets Octokit follow a renamed repository", async () => {
    const { data } = await octokit.rest.repos.get({ owner: "octo", repo: "hello-world" });
    expect(data.full_name).toBe("octo/hello");
    await octokit.rest.issues.create({
      owner: "octo",
      repo: "hello-world",
      title: "To the new name",
    });
    expect(github.applied()).toEqual({ createIssue: 1 });
  });

  it("the GitHub emulator returns GitHub's errors to Octokit", async () => {
    const missing = octokit.rest.issues.get({ ...HELLO, issue_number: 999 });
    await expect(missing).rejects.toMatchObject({ status: 404 });
    const twice = octokit.rest.issues.createLabel({ ...HELLO, name: "bug" });
    await expect(twice).rejects.toMatchObject({
      status: 422,
      response: { data: { errors: [{ code: "already_exists" }] } },
    });
    const revoked = new Octokit({ auth: TOKENS.revoked, baseUrl: github.url });
    await expect(revoked.rest.users.getAuthenticated()).rejects.toMatchObject({ status: 401 });
  });
});
