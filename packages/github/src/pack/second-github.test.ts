import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpTransport } from "@waybill/adapters/http";
import { createWaybill } from "@waybill/core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SECOND, startSecondGithub } from "./fixtures/second-github.ts";
import type { SecondGithub } from "./fixtures/second-github.ts";
import { githubKit } from "./kit.ts";
import { packSource } from "./source.ts";

const REPO = "/repos/octo/hello";
const ISSUE = { ...SECOND, issueNumber: 1 };
const PULL = { ...SECOND, prNumber: 3 };

/** Reads whose requests `emulate` serves, and the data that the answer must contain. */
const READS: readonly (readonly [id: string, params: object, expected: object])[] = [
  ["branch.list", SECOND, { items: [{ name: "fix" }, { name: "main" }] }],
  ["commit.compare", { ...SECOND, base: "main", head: "fix" }, { status: "AHEAD", aheadBy: 1 }],
  ["commit.list", SECOND, { items: [{ message: "Initial commit" }] }],
  ["commit.view", { ...SECOND, ref: "main" }, { message: "Initial commit" }],
  ["file.list", { ...SECOND, path: "" }, { items: [{ path: "README.md", type: "FILE" }] }],
  ["file.view", { ...SECOND, path: "README.md" }, { path: "README.md", isBinary: false }],
  ["issue.comments.list", ISSUE, { items: [{ body: "hello", authorLogin: "octocat" }] }],
  ["issue.list", SECOND, { items: [{ number: 2 }, { number: 1, labels: ["bug"] }] }],
  ["issue.view", ISSUE, { title: "First", state: "OPEN", labels: ["bug"] }],
  ["milestone.list", SECOND, { items: [{ number: 1, title: "v1", state: "OPEN" }] }],
  ["pr.comments.list", PULL, { items: [] }],
  ["pr.commits.list", PULL, { items: [{ message: "Initial commit" }, { message: "add a" }] }],
  ["pr.diff.files", PULL, { items: [] }],
  ["pr.files.diff", PULL, { items: [] }],
  ["pr.list", SECOND, { items: [{ number: 3, title: "PR", state: "OPEN" }] }],
  ["pr.reviews.list", PULL, { items: [{ body: "ok", state: "COMMENTED" }] }],
  ["pr.view", PULL, { number: 3, title: "PR", headRefName: "fix", baseRefName: "main" }],
  ["release.assets.list", { ...SECOND, tagName: "v1.0.0" }, { items: [] }],
  ["release.list", SECOND, { items: [{ tagName: "v1.0.0", isDraft: false }] }],
  ["release.view", { ...SECOND, tagName: "v1.0.0" }, { name: "One" }],
  ["repo.labels.list", SECOND, { items: [{ name: "bug", color: "d73a4a" }] }],
  ["repo.view", SECOND, { nameWithOwner: "octo/hello", isPrivate: false }],
  ["search.code", { query: "hello repo:octo/hello" }, { totalCount: 1, incomplete: false }],
  ["search.issues", { query: "First repo:octo/hello" }, { items: [{ number: 1 }] }],
  ["search.prs", { query: "PR repo:octo/hello" }, { items: [{ number: 3 }] }],
  ["search.repos", { query: "hello" }, { items: [{ nameWithOwner: "octo/hello" }] }],
  ["tag.list", SECOND, { items: [] }],
  ["user.me", {}, { login: "octocat" }],
  ["user.view", { login: "octocat" }, { login: "octocat", name: "The Octocat" }],
  ["workflow.list", SECOND, { items: [] }],
  ["workflow.runs.list", SECOND, { items: [] }],
];

const FILE = { ...SECOND, branch: "main", message: "m" };

/** Writes in order, each with a direct request that shows its effect. */
const WRITES: readonly (readonly [id: string, params: object, read: string, shown: unknown])[] = [
  ["issue.create", { ...SECOND, title: "Third", labels: ["bug"] }, "issues/4", { title: "Third" }],
  ["issue.update", { ...SECOND, issueNumber: 4, title: "New" }, "issues/4", { title: "New" }],
  [
    "issue.comments.create",
    { ...SECOND, issueNumber: 4, body: "Hi" },
    "issues/4/comments",
    [{ body: "Hi" }],
  ],
  [
    "issue.labels.add",
    { ...SECOND, issueNumber: 2, labels: ["bug"] },
    "issues/2",
    { labels: [{ name: "bug" }] },
  ],
  [
    "issue.labels.remove",
    { ...SECOND, issueNumber: 2, labels: ["bug"] },
    "issues/2",
    { labels: [] },
  ],
  [
    "issue.labels.set",
    { ...SECOND, issueNumber: 2, labels: ["bug"] },
    "issues/2",
    { labels: [{ name: "bug" }] },
  ],
  [
    "issue.assignees.add",
    { ...SECOND, issueNumber: 2, assignees: ["octocat"] },
    "issues/2",
    { assignees: [{ login: "octocat" }] },
  ],
  [
    "issue.milestone.set",
    { ...SECOND, issueNumber: 2, milestoneNumber: 1 },
    "issues/2",
    { milestone: { number: 1 } },
  ],
  ["issue.milestone.clear", { ...SECOND, issueNumber: 2 }, "issues/2", { milestone: null }],
  ["issue.close", { ...SECOND, issueNumber: 4 }, "issues/4", { state: "closed" }],
  ["issue.reopen", { ...SECOND, issueNumber: 4 }, "issues/4", { state: "open" }],
  ["issue.lock", { ...SECOND, issueNumber: 4 }, "issues/4", { locked: true }],
  [
    "label.create",
    { ...SECOND, label: "idea", color: "0075ca" },
    "labels/idea",
    { color: "0075ca" },
  ],
  ["label.update", { ...SECOND, label: "idea", newName: "wish" }, "labels/wish", { name: "wish" }],
  ["milestone.create", { ...SECOND, title: "v2" }, "milestones/2", { title: "v2" }],
  ["branch.create", { ...SECOND, branch: "next" }, "branches/next", { name: "next" }],
  [
    "file.commit",
    { ...FILE, files: [{ path: "n.txt", content: "hi" }] },
    "contents/n.txt",
    { size: 2 },
  ],
  [
    "file.commit",
    { ...FILE, files: [{ path: "n.txt", content: "hello" }] },
    "contents/n.txt",
    { size: 5 },
  ],
  ["pr.update", { ...PULL, title: "Better" }, "pulls/3", { title: "Better" }],
  [
    "pr.reviews.submit",
    { ...PULL, event: "COMMENT", body: "Fine" },
    "pulls/3/reviews",
    [{}, { body: "Fine" }],
  ],
  ["pr.close", PULL, "pulls/3", { state: "closed" }],
  ["pr.reopen", PULL, "pulls/3", { state: "open" }],
  ["pr.merge", { ...PULL, method: "merge" }, "pulls/3", { merged: true }],
  ["release.create", { ...SECOND, tagName: "v2.0.0" }, "releases/2", { draft: true }],
  ["release.publish", { ...SECOND, releaseId: 2 }, "releases/2", { draft: false }],
];

async function seed(second: SecondGithub): Promise<void> {
  const main = (await second.rest(`GET ${REPO}/git/ref/heads/main`)) as { object: { sha: string } };
  const steps: readonly (readonly [line: string, body: unknown])[] = [
    [`POST ${REPO}/git/refs`, { ref: "refs/heads/fix", sha: main.object.sha }],
    [`PUT ${REPO}/contents/a.txt`, { message: "add a", content: "aGk=", branch: "fix" }],
    [`POST ${REPO}/labels`, { name: "bug", color: "d73a4a" }],
    [`POST ${REPO}/milestones`, { title: "v1" }],
    [`POST ${REPO}/issues`, { title: "First", body: "b", labels: ["bug"] }],
    [`POST ${REPO}/issues`, { title: "Second" }],
    [`POST ${REPO}/issues/1/comments`, { body: "hello" }],
    [`POST ${REPO}/pulls`, { title: "PR", head: "fix", base: "main" }],
    [`POST ${REPO}/pulls/3/reviews`, { body: "ok", event: "COMMENT" }],
    [`POST ${REPO}/releases`, { tag_name: "v1.0.0", name: "One" }],
  ];
  for (const [line, body] of steps) await second.rest(line, body);
}

describe("a GitHub emulator of another project, without GraphQL", () => {
  let second: SecondGithub;
  beforeAll(async () => {
    second = await startSecondGithub();
    await seed(second);
  });
  afterAll(() => second.close());

  it.each(READS)(
    "%s returns data over REST on a host without GraphQL",
    async (id, params, expected) => {
      const { error, data, meta } = await second.waybill.execute(id, params);
      expect(error).toBeNull();
      expect(data).toMatchObject(expected);
      expect(meta.route_used).toBe("rest");
    },
  );

  it.each(WRITES)(
    "%s %j is applied once on a host without GraphQL",
    async (id, params, read, shown) => {
      const { error } = await second.waybill.execute(id, params);
      expect(error).toBeNull();
      expect(await second.rest(`GET ${REPO}/${read}`)).toMatchObject(shown as object);
    },
  );
});

describe("host without a GraphQL endpoint", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function startHost(graphql: RequestListener) {
    const server = createServer((request, response) => {
      if (request.url === "/graphql") graphql(request, response);
      else
        response
          .setHeader("content-type", "application/json")
          .end('{"login":"octocat","node_id":"U_1"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = createHttpTransport();
    const place = {
      host: "github.com",
      restUrl: url,
      graphqlUrl: `${url}/graphql`,
      token: "t",
      ghToken: "t",
      ghConfigDir: null,
    };
    const kit = githubKit(place, { env: {}, transport, userAgent: "waybill-test" });
    const waybill = createWaybill({ sources: [packSource(kit)] });
    closers.push(async () => {
      await waybill.close();
      transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return waybill;
  }

  it.each([
    ["404 with JSON", 404, "application/json", '{"message":"Not Found"}'],
    ["404 with a page", 404, "text/html", "<html>Not here</html>"],
    ["405", 405, "text/plain", "Method Not Allowed"],
    ["200 with HTML", 200, "text/html", "<html>Welcome</html>"],
  ])("Waybill uses REST if the GraphQL endpoint answers %s", async (_what, status, type, body) => {
    const waybill = await startHost((_request, response) => {
      response.writeHead(status, { "content-type": type }).end(body);
    });
    const { error, data, meta } = await waybill.execute("user.me");
    expect(error).toBeNull();
    expect(data).toMatchObject({ login: "octocat" });
    expect(meta.route_used).toBe("rest");
  });
});
