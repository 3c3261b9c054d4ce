import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";

const REPO = "/repos/octo/hello";

/** One path for each read that the emulator serves, with ids of the small world. */
const READS = [
  "/",
  "/user",
  "/user/orgs",
  "/user/repos",
  "/user/starred",
  "/user/starred/octo/hello",
  "/users/monalisa",
  "/users/octo/repos",
  "/users/octocat/orgs",
  "/users/monalisa/gists",
  "/users/octocat/projectsV2",
  "/users/octocat/projectsV2/1",
  "/users/octocat/projectsV2/1/fields",
  "/users/octocat/projectsV2/1/items",
  "/orgs/octo",
  "/orgs/octo/repos",
  "/orgs/octo/members",
  "/orgs/octo/issue-types",
  "/orgs/octo/projectsV2",
  "/orgs/octo/projectsV2/1",
  "/orgs/octo/projectsV2/1/fields",
  "/orgs/octo/projectsV2/1/fields/1003",
  "/orgs/octo/projectsV2/1/items",
  "/orgs/octo/projectsV2/1/items/1001",
  "/issues",
  "/gists",
  "/gists/public",
  "/notifications",
  "/notifications/threads/1001",
  "/search/issues?q=greet+repo:octo/hello",
  "/search/repositories?q=hello",
  "/search/code?q=greet+repo:octo/hello",
  "/search/commits?q=greet",
  "/search/users?q=octo",
  REPO,
  `${REPO}/topics`,
  `${REPO}/forks`,
  `${REPO}/stargazers`,
  `${REPO}/contributors`,
  `${REPO}/collaborators`,
  `${REPO}/collaborators/monalisa/permission`,
  `${REPO}/assignees`,
  `${REPO}/notifications`,
  `${REPO}/issue-types`,
  `${REPO}/labels`,
  `${REPO}/labels/bug`,
  `${REPO}/milestones?state=all`,
  `${REPO}/milestones/1`,
  `${REPO}/issues?state=all`,
  `${REPO}/issues/1`,
  `${REPO}/issues/6`,
  `${REPO}/issues/1/comments`,
  `${REPO}/issues/1/labels`,
  `${REPO}/issues/1/reactions`,
  `${REPO}/issues/1/events`,
  `${REPO}/issues/3/parent`,
  `${REPO}/issues/2/sub_issues`,
  `${REPO}/issues/2/dependencies/blocked_by`,
  `${REPO}/issues/1/dependencies/blocking`,
  `${REPO}/issues/comments`,
  `${REPO}/issues/comments/1001`,
  `${REPO}/issues/comments/1001/reactions`,
  `${REPO}/pulls?state=all`,
  `${REPO}/pulls/6`,
  `${REPO}/pulls/8`,
  `${REPO}/pulls/8/merge`,
  `${REPO}/pulls/6/files`,
  `${REPO}/pulls/6/commits`,
  `${REPO}/pulls/6/reviews`,
  `${REPO}/pulls/6/reviews/1001`,
  `${REPO}/pulls/6/reviews/1001/comments`,
  `${REPO}/pulls/6/comments`,
  `${REPO}/pulls/6/requested_reviewers`,
  `${REPO}/pulls/comments`,
  `${REPO}/pulls/comments/1001`,
  `${REPO}/pulls/comments/1001/reactions`,
  `${REPO}/commits`,
  `${REPO}/commits/main`,
  `${REPO}/commits/fix/empty-name/check-runs`,
  `${REPO}/commits/fix/empty-name/check-suites`,
  `${REPO}/commits/fix/empty-name/status`,
  `${REPO}/commits/fix/empty-name/statuses`,
  `${REPO}/check-runs/1004`,
  `${REPO}/check-runs/1004/annotations`,
  `${REPO}/check-suites/1002`,
  `${REPO}/check-suites/1002/check-runs`,
  `${REPO}/compare/v1.0.0...main`,
  `${REPO}/branches`,
  `${REPO}/branches/main`,
  `${REPO}/branches/fix/empty-name`,
  `${REPO}/tags`,
  `${REPO}/git/ref/heads/main`,
  `${REPO}/git/matching-refs/tags/`,
  `${REPO}/git/trees/main?recursive=1`,
  `${REPO}/contents/README.md`,
  `${REPO}/contents/src`,
  `${REPO}/contents/src/greet.ts?ref=v1.0.0`,
  `${REPO}/readme`,
  `${REPO}/releases`,
  `${REPO}/releases/latest`,
  `${REPO}/releases/tags/v1.0.0`,
  `${REPO}/releases/1001`,
  `${REPO}/releases/1001/assets`,
  `${REPO}/releases/assets/1001`,
  `${REPO}/actions/workflows`,
  `${REPO}/actions/workflows/ci.yml`,
  `${REPO}/actions/workflows/1001/runs`,
  `${REPO}/actions/runs?status=failure`,
  `${REPO}/actions/runs/1002`,
  `${REPO}/actions/runs/1002/attempts/1`,
  `${REPO}/actions/runs/1002/attempts/1/jobs`,
  `${REPO}/actions/runs/1002/jobs`,
  `${REPO}/actions/runs/1001/artifacts`,
  `${REPO}/actions/jobs/1004`,
  `${REPO}/actions/artifacts`,
  `${REPO}/actions/artifacts/1001`,
  `${REPO}/actions/secrets`,
  `${REPO}/actions/secrets/public-key`,
  `${REPO}/actions/variables`,
  `${REPO}/languages`,
  "/",
  "/versions",
  "/user/followers",
];

const STORED: readonly string[] = [
  `${REPO}/actions/runs/1002/attempts/1/logs`,
  `${REPO}/actions/artifacts/1001/zip`,
  `${REPO}/zipball/main`,
  `${REPO}/tarball/main`,
];

describe("REST of the emulator", () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient();
  });
  afterAll(() => client.emulator.close());

  it.each(READS)(
    "the GitHub emulator answers GET %s as GitHub's REST description requires",
    async (path) => {
      client.problems.length = 0;
      const { status } = await client.rest(`GET ${path}`);
      expect(client.problems).toEqual([]);
      expect([200, 204]).toContain(status);
    },
  );

  it.each(STORED)("the GitHub emulator redirects GET %s to the stored file", async (path) => {
    const { status, headers } = await client.rest(`GET ${path}`);
    expect([status, client.problems]).toEqual([302, []]);
    expect(headers.get("location")).toMatch(/^https?:/);
  });
});
