import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";
import { TOKENS } from "../world/index.ts";

const REPO = "/repos/octo/hello";

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(async () => {
  await client.emulator.close();
});

async function status(
  line: string,
  body?: unknown,
  token: string = TOKENS.octocat,
): Promise<number> {
  return (await client.rest(line, body, { token })).status;
}

describe("git over REST", () => {
  it("the GitHub emulator accepts git trees with blobs, text and deletions over REST", async () => {
    const { body: blob } = await client.rest<{ sha: string }>(`POST ${REPO}/git/blobs`, {
      content: "YQ==",
      encoding: "base64",
    });
    const { body: main } = await client.rest<{ commit: { sha: string } }>(
      `GET ${REPO}/branches/main`,
    );
    const { body: tree } = await client.rest<{ sha: string; tree: { path: string }[] }>(
      `POST ${REPO}/git/trees`,
      {
        base_tree: main.commit.sha,
        tree: [
          { path: "a", mode: "100644", type: "blob", sha: blob.sha },
          { path: "LICENSE", mode: "100644", type: "blob", sha: null },
        ],
      },
    );
    const paths = tree.tree.map(({ path }) => path);
    expect([paths.includes("a"), paths.includes("LICENSE")]).toEqual([true, false]);
    expect((await client.rest(`GET ${REPO}/git/blobs/${blob.sha}`)).body).toMatchObject({
      content: "YQ==",
      size: 1,
    });
    expect((await client.rest(`GET ${REPO}/git/trees/${tree.sha}`)).status).toBe(200);
    expect(
      await status(`POST ${REPO}/git/trees`, { tree: [{ path: "x", sha: "0".repeat(40) }] }),
    ).toBe(422);
    expect(await status(`POST ${REPO}/git/trees`, { tree: [{}] })).toBe(422);
    expect(await status(`POST ${REPO}/git/commits`, { message: "m", tree: "x" })).toBe(422);
    expect(client.problems).toEqual([]);
  });

  it("the GitHub emulator rejects invalid refs and files over REST", async () => {
    const { body: main } = await client.rest<{ commit: { sha: string } }>(
      `GET ${REPO}/branches/main`,
    );
    const { sha } = main.commit;
    const { body: old } = await client.rest<{ object: { sha: string } }>(
      `GET ${REPO}/git/ref/tags/v1.0.0`,
    );
    expect(await status(`POST ${REPO}/git/refs`, { ref: "refs/heads/a..b", sha })).toBe(422);
    expect(
      await status(`POST ${REPO}/git/refs`, { ref: "refs/heads/x", sha: "0".repeat(40) }),
    ).toBe(422);
    expect(await status(`POST ${REPO}/git/refs`, { ref: "refs/heads/x" })).toBe(422);
    expect(await status(`PATCH ${REPO}/git/refs/heads/main`, { sha: old.object.sha })).toBe(422);
    expect(await status(`PATCH ${REPO}/git/refs/heads/nope`, { sha })).toBe(422);
    expect(await status(`DELETE ${REPO}/git/refs/heads/main`)).toBe(422);
    expect(await status(`DELETE ${REPO}/git/refs/heads/nope`)).toBe(422);
    expect(await status(`PUT ${REPO}/contents/README.md`, { message: "m", content: "" })).toBe(422);
    expect(await status(`PUT ${REPO}/contents/README.md`, { message: "m", content: "", sha })).toBe(
      409,
    );
    expect(
      await status(`PUT ${REPO}/contents/x`, { message: "m", content: "", branch: "nope" }),
    ).toBe(404);
    expect(await status(`DELETE ${REPO}/contents/nope`, { message: "m" })).toBe(422);
    expect(await status(`DELETE ${REPO}/contents/nope`, { message: "m", sha })).toBe(404);
    expect(await status(`GET ${REPO}/contents/nope`)).toBe(404);
    expect(await status(`GET ${REPO}/commits/nope`)).toBe(422);
    expect(await status(`GET ${REPO}/git/commits/nope`)).toBe(404);
    expect(await status(`GET ${REPO}/branches/nope`)).toBe(404);
    expect(client.emulator.applied()).toEqual({});
  });

  it("the GitHub emulator closes the pull requests of a branch when the branch is deleted", async () => {
    expect(await status(`DELETE ${REPO}/git/refs/heads/feature/locale`)).toBe(204);
    expect((await client.rest(`GET ${REPO}/pulls/7`)).body).toMatchObject({
      state: "closed",
      merged: false,
    });
    expect(await status(`PATCH ${REPO}/pulls/7`, { state: "open" })).toBe(422);
  });
});

describe("pull requests over REST", () => {
  it("the GitHub emulator opens a pull request from a fork and changes its base branch", async () => {
    const { body } = await client.rest<{ number: number }>(`POST ${REPO}/pulls`, {
      title: "T",
      head: "hubot:loud",
      base: "chore/version",
    });
    expect(await status(`PATCH ${REPO}/pulls/${body.number}`, { base: "fix/empty-name" })).toBe(
      200,
    );
    expect(await status(`PATCH ${REPO}/pulls/${body.number}`, { base: "nope" })).toBe(422);
    expect(await status(`POST ${REPO}/pulls`, { title: "T", head: "nobody:x", base: "main" })).toBe(
      422,
    );
    expect(await status(`POST ${REPO}/pulls`, { title: "T", head: "loud" })).toBe(422);
    expect(
      await status(`POST ${REPO}/pulls`, { title: "T", head: "hubot:loud", base: "main" }),
    ).toBe(422);
    expect(
      await status(`POST ${REPO}/pulls/9/requested_reviewers`, { reviewers: ["nobody"] }),
    ).toBe(422);
    expect(
      await status(`POST ${REPO}/pulls/9/requested_reviewers`, { reviewers: ["octocat"] }),
    ).toBe(422);
  });

  it("the GitHub emulator refuses merges that the branch rules forbid", async () => {
    expect(await status(`PUT ${REPO}/pulls/6/merge`, {}, TOKENS.monalisa)).toBe(405);
    expect(await status(`PUT ${REPO}/pulls/10/merge`, {})).toBe(405);
    expect(await status(`PUT ${REPO}/pulls/8/merge`, {})).toBe(405);
    expect(await status(`PUT ${REPO}/pulls/9/merge`, { merge_method: "sideways" })).toBe(422);
    await client.rest(`PATCH ${REPO}`, { allow_squash_merge: false });
    expect(await status(`PUT ${REPO}/pulls/9/merge`, { merge_method: "squash" })).toBe(405);
    expect(await status(`GET ${REPO}/pulls/9/merge`)).toBe(404);
    expect(await status(`PUT ${REPO}/pulls/10/update-branch`, {})).toBe(422);
    await client.rest(`PATCH ${REPO}`, { delete_branch_on_merge: true });
    expect(await status(`PUT ${REPO}/pulls/9/merge`, { merge_method: "rebase" })).toBe(200);
    expect(await status(`GET ${REPO}/branches/chore/version`)).toBe(404);
  });

  it("the GitHub emulator submits a pending review over REST", async () => {
    const { body } = await client.rest<{ id: number }>(
      `POST ${REPO}/pulls/7/reviews`,
      { body: "draft" },
      { token: TOKENS.monalisa },
    );
    const at = `${REPO}/pulls/7/reviews/${body.id}`;
    expect((await client.rest<unknown[]>(`GET ${REPO}/pulls/7/reviews`)).body).toEqual([]);
    expect(await status(`POST ${at}/events`, {}, TOKENS.monalisa)).toBe(422);
    expect(await status(`POST ${at}/events`, { event: "SHRUG" }, TOKENS.monalisa)).toBe(422);
    expect(await status(`POST ${at}/events`, { event: "APPROVE" }, TOKENS.monalisa)).toBe(200);
    expect(await status(`DELETE ${at}`, undefined, TOKENS.monalisa)).toBe(422);
    const second = await client.rest<{ id: number }>(
      `POST ${REPO}/pulls/7/reviews`,
      {},
      { token: TOKENS.monalisa },
    );
    expect(
      await status(`DELETE ${REPO}/pulls/7/reviews/${second.body.id}`, undefined, TOKENS.monalisa),
    ).toBe(200);
  });
});

async function readIssueId(number: number): Promise<number> {
  return (await client.rest<{ id: number }>(`GET ${REPO}/issues/${number}`)).body.id;
}

describe("issue relations over REST", () => {
  it("the GitHub emulator rejects circular and duplicate issue relations", async () => {
    const [one, two, three] = [await readIssueId(1), await readIssueId(2), await readIssueId(3)];
    const cases = [
      [
        `POST ${REPO}/issues/1/sub_issues`,
        { sub_issue_id: three },
        "Sub issue may only have one parent",
      ],
      [
        `POST ${REPO}/issues/2/sub_issues`,
        { sub_issue_id: three },
        "Issue may not contain duplicate sub-issues",
      ],
      [
        `POST ${REPO}/issues/3/sub_issues`,
        { sub_issue_id: two },
        "An issue cannot be a sub-issue of itself",
      ],
      [
        `DELETE ${REPO}/issues/1/sub_issue`,
        { sub_issue_id: three },
        "The provided sub-issue is not a sub-issue of this issue",
      ],
      [
        `PATCH ${REPO}/issues/2/sub_issues/priority`,
        { sub_issue_id: three },
        "after_id or before_id is required",
      ],
      [
        `PATCH ${REPO}/issues/2/sub_issues/priority`,
        { sub_issue_id: one, after_id: three },
        "The provided sub-issue is not a sub-issue of this issue",
      ],
      [
        `POST ${REPO}/issues/2/dependencies/blocked_by`,
        { issue_id: one },
        "Target issue has already been taken",
      ],
      [
        `DELETE ${REPO}/issues/1/dependencies/blocked_by/${two}`,
        undefined,
        "The provided issue does not block this issue",
      ],
    ] as const;
    for (const [line, body, message] of cases) {
      expect((await client.rest(line, body)).body).toMatchObject({ message, status: "422" });
    }
    expect(client.emulator.applied()).toEqual({});
  });

  it("the GitHub emulator removes the sub-issue and dependency relations of a deleted issue", async () => {
    const { data } = await client.graphql(
      `{ repository(owner: "octo", name: "hello") { two: issue(number: 2) { id } } }`,
    );
    const { two } = data!["repository"] as { two: { id: string } };
    await client.data(
      `mutation { deleteIssue(input: {issueId: "${two.id}"}) { clientMutationId } }`,
    );
    expect(await status(`GET ${REPO}/issues/3/parent`)).toBe(404);
    expect(
      (await client.rest<unknown[]>(`GET ${REPO}/issues/1/dependencies/blocking`)).body,
    ).toEqual([]);
    expect((await client.rest<unknown[]>("GET /orgs/octo/projectsV2/1/items")).body).toHaveLength(
      3,
    );
  });

  it("the GitHub emulator pins at most three issues", async () => {
    const { data } = await client.graphql(
      `{ repository(owner: "octo", name: "hello") { a: issue(number: 1) { id } b: issue(number: 3) { id } c: issue(number: 4) { id } } }`,
    );
    const found = data!["repository"] as Record<string, { id: string }>;
    const pin = (name: string): Promise<unknown> =>
      client.data(
        `mutation { pinIssue(input: {issueId: "${found[name]!.id}"}) { clientMutationId } }`,
      );
    await pin("a");
    await pin("b");
    await expect(pin("c")).rejects.toThrow("Maximum 3 pinned issues per repository");
  });
});

describe("other errors over REST", () => {
  it("the GitHub emulator returns 404 or 422 for missing or invalid values in REST requests", async () => {
    const cases = [
      [`PATCH ${REPO}/issues/1`, 422, { state: "half open" }],
      [`PATCH ${REPO}/issues/1`, 422, { milestone: 99 }],
      [`PATCH ${REPO}/issues/1`, 422, { type: "Nonsense" }],
      [`PATCH ${REPO}/issues/1`, 422, { assignees: ["nobody"] }],
      [`PUT ${REPO}/issues/1/lock`, 422, { lock_reason: "because" }],
      [`DELETE ${REPO}/issues/1/labels/nope`, 404, undefined],
      [`POST ${REPO}/issues/1/comments`, 422, {}],
      [`POST ${REPO}/issues/1/reactions`, 422, { content: "meh" }],
      [`GET ${REPO}/issues/1/parent`, 404, undefined],
      [`POST ${REPO}/issues/1/sub_issues`, 422, {}],
      [`POST ${REPO}/issues/1/sub_issues`, 404, { sub_issue_id: 1 }],
      [`POST ${REPO}/labels`, 422, {}],
      [`POST ${REPO}/labels`, 422, { name: "x", color: "blue" }],
      [`GET ${REPO}/labels/nope`, 404, undefined],
      [`POST ${REPO}/milestones`, 422, {}],
      [`POST ${REPO}/milestones`, 422, { title: "v1.2" }],
      [`POST ${REPO}/releases`, 422, {}],
      [`POST ${REPO}/releases`, 422, { tag_name: "v1.0.0" }],
      [`POST ${REPO}/releases`, 422, { tag_name: "v9", target_commitish: "nope" }],
      [`GET ${REPO}/releases/tags/v2.0.0`, 404, undefined],
      [`POST ${REPO}/actions/workflows/ci.yml/dispatches`, 422, { ref: "main" }],
      [`POST ${REPO}/actions/workflows/publish.yml/dispatches`, 422, { ref: "nope" }],
      [
        `POST ${REPO}/actions/workflows/publish.yml/dispatches`,
        422,
        { ref: "main", inputs: { colour: "red" } },
      ],
      [`POST ${REPO}/actions/workflows/publish.yml/dispatches`, 422, {}],
      [`POST ${REPO}/actions/runs/1004/rerun`, 403, {}],
      [`POST ${REPO}/actions/runs/1001/rerun-failed-jobs`, 403, {}],
      [`GET ${REPO}/actions/runs/1002/attempts/2`, 404, undefined],
      ["POST /user/repos", 422, {}],
      ["POST /user/repos", 422, { name: ".." }],
      ["POST /orgs/octo/repos", 422, { name: "hello" }],
      ["POST /orgs/nope/repos", 404, { name: "x" }],
      [`PATCH ${REPO}`, 422, { default_branch: "nope" }],
      ["POST /gists", 422, { files: {} }],
      ["GET /gists/nope", 404, undefined],
      ["GET /orgs/octocat", 404, undefined],
      ["GET /orgs/octo/projectsV2/9", 404, undefined],
      ["PATCH /orgs/octo/projectsV2/1/items/1001", 422, { fields: [{ id: 1, value: "x" }] }],
      [
        "PATCH /orgs/octo/projectsV2/1/items/1001",
        422,
        { fields: [{ id: 1003, value: "no option" }] },
      ],
      ["PATCH /orgs/octo/projectsV2/1/items/1001", 422, { fields: [{ id: 1001, value: "x" }] }],
      ["GET /search/code?q=repo:octo/hello", 422, undefined],
    ] as const;
    const wrong: unknown[] = [];
    for (const [line, wanted, body] of cases) {
      const got = await status(line, body);
      if (got !== wanted) wrong.push([line, body, got]);
    }
    expect(wrong).toEqual([]);
    expect(client.emulator.applied()).toEqual({});
  });

  it("the GitHub emulator refuses a user's project and the change of a gist to callers who do not own them", async () => {
    expect(await status("GET /users/octocat/projectsV2/1", undefined, TOKENS.monalisa)).toBe(404);
    expect(await status("GET /users/octocat/projectsV2/1", undefined, TOKENS.readOnly)).toBe(403);
    const { body } = await client.rest<{ id: string }[]>("GET /gists");
    const at = `/gists/${body[0]!.id}`;
    expect(await status(`PATCH ${at}`, { description: "mine" }, TOKENS.monalisa)).toBe(404);
    const changed = await client.rest(`PATCH ${at}`, {
      description: "Newer",
      files: { "notes.md": null, "b.txt": { content: "b" } },
    });
    expect(changed.body).toMatchObject({
      description: "Newer",
      files: { "b.txt": { content: "b" } },
    });
    expect(await status(`DELETE ${at}`)).toBe(204);
  });

  it("the GitHub emulator allows only reads in an archived repository", async () => {
    await client.rest(`PATCH ${REPO}`, { archived: true });
    expect(await status(`POST ${REPO}/issues`, { title: "T" })).toBe(403);
    expect(await status(`POST ${REPO}/issues/1/labels`, { labels: ["bug"] })).toBe(403);
    expect(await status(`GET ${REPO}/issues`)).toBe(200);
  });

  it("the GitHub emulator returns 410 for issues of a repository without issues, and lets only writers comment on a locked issue", async () => {
    await client.rest(`PUT ${REPO}/issues/1/lock`);
    expect(await status(`POST ${REPO}/issues/1/comments`, { body: "x" }, TOKENS.hubot)).toBe(403);
    expect(await status(`POST ${REPO}/issues/1/comments`, { body: "x" }, TOKENS.monalisa)).toBe(
      201,
    );
    await client.rest(`PATCH ${REPO}`, { has_issues: false });
    expect(await status(`POST ${REPO}/issues`, { title: "T" })).toBe(410);
  });
});

describe("downloads", () => {
  it("the GitHub emulator serves downloads of artifacts and logs from its storage host", async () => {
    const read = async (path: string): Promise<Buffer> => {
      const response = await client.send("GET", `${REPO}/actions/${path}`, undefined, {
        redirect: "follow",
      });
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    expect((await read("artifacts/1001/zip")).subarray(0, 4).toString("latin1")).toBe(
      "PK\u0003\u0004",
    );
    expect((await read("runs/1002/attempts/1/logs")).includes("test/4_Run npm test.txt")).toBe(
      true,
    );
    const { headers } = await client.rest(`GET ${REPO}/actions/runs/1002/logs`);
    const missing = await fetch(headers.get("location")!.replace("1002", "9"));
    expect(missing.status).toBe(404);
  });
});
