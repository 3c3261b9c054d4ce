import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";
import { TOKENS } from "../world/index.ts";

const REPO = "/repos/octo/hello";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

interface Thing {
  readonly id: number;
  readonly sha: string;
  readonly state: string;
}

let client: Client;
beforeEach(async () => {
  client = await startClient();
});
afterEach(async () => {
  await client.emulator.close();
});

/**
 * Sends requests in order. Checks the status of each, and its shape against GitHub's description.
 */
async function expectAll(
  ...lines: readonly (readonly [line: string, status: number, body?: unknown])[]
): Promise<void> {
  for (const [line, wanted, body] of lines) {
    const { status, body: answer } = await client.rest(line, body);
    expect(status, `${line} ${JSON.stringify(answer)}`).toBe(wanted);
  }
  expect(client.problems).toEqual([]);
}

async function readSha(path: string): Promise<string> {
  const line = path === "" ? `GET ${REPO}/commits/main` : `GET ${REPO}/contents/${path}`;
  return (await client.rest<Thing>(line)).body.sha;
}

describe("writes over REST", () => {
  it("the GitHub emulator sets and deletes secrets and variables over REST", async () => {
    const { body } = await client.rest(`GET ${REPO}/actions/secrets/public-key`);
    const sealed = { encrypted_value: "c2VhbGVk", key_id: body["key_id"] };
    await expectAll(
      [`PUT ${REPO}/actions/secrets/TOKEN`, 201, sealed],
      [`PUT ${REPO}/actions/secrets/TOKEN`, 204, sealed],
      [`GET ${REPO}/actions/secrets/TOKEN`, 200],
      [`DELETE ${REPO}/actions/secrets/TOKEN`, 204],
      [`POST ${REPO}/actions/variables`, 201, { name: "LEVEL", value: "1" }],
      [`PATCH ${REPO}/actions/variables/LEVEL`, 204, { value: "2" }],
      [`GET ${REPO}/actions/variables/LEVEL`, 200],
      [`DELETE ${REPO}/actions/variables/LEVEL`, 204],
    );
  });

  it("the GitHub emulator adds and removes reactions to comments, and submits a pending review, over REST", async () => {
    for (const comments of ["issues/comments/1001", "pulls/comments/1001"]) {
      const line = `POST ${REPO}/${comments}/reactions`;
      const { body } = await client.rest<Thing>(line, { content: "eyes" });
      await expectAll([`DELETE ${REPO}/${comments}/reactions/${body.id}`, 204]);
    }
    const { body } = await client.rest<Thing>(`POST ${REPO}/pulls/6/reviews`, { body: "Later" });
    const path = `${REPO}/pulls/6/reviews/${body.id}/events`;
    await expectAll([`POST ${path}`, 200, { event: "COMMENT", body: "Now" }]);
  });

  it("the GitHub emulator changes the items of a user's project over REST", async () => {
    const items = "/users/octocat/projectsV2/1/items";
    const { body: issue } = await client.rest<Thing>(`GET ${REPO}/issues/1`);
    type Field = Thing & { readonly data_type: string };
    const { body: fields } = await client.rest<Field[]>("GET /users/octocat/projectsV2/1/fields");
    const { id } = fields.find((field) => field.data_type === "single_select")!;
    const added = await client.rest<Thing>(`POST ${items}`, { type: "Issue", id: issue.id });
    expect(added.status).toBe(201);
    await expectAll(
      [`GET ${items}/${added.body.id}`, 200],
      [`GET /users/octocat/projectsV2/1/fields/${id}`, 200],
      [`PATCH ${items}/${added.body.id}`, 200, { fields: [{ id, value: null }] }],
      [`DELETE ${items}/${added.body.id}`, 204],
    );
  });

  it("the GitHub emulator creates, changes and locks issues over REST", async () => {
    await expectAll(
      [
        `POST ${REPO}/issues`,
        201,
        { title: "New", body: "b", labels: ["bug", "made now"], assignees: ["monalisa"] },
      ],
      [`PATCH ${REPO}/issues/1`, 200, { title: "Other", milestone: null, type: "Bug" }],
      [`PATCH ${REPO}/issues/1`, 200, { state: "closed", state_reason: "not_planned" }],
      [`PATCH ${REPO}/issues/1`, 200, { state: "open" }],
      [`POST ${REPO}/issues/1/labels`, 200, { labels: ["question"] }],
      [`PUT ${REPO}/issues/1/labels`, 200, ["bug", "help wanted"]],
      [`DELETE ${REPO}/issues/1/labels/bug`, 200],
      [`DELETE ${REPO}/issues/1/labels`, 204],
      [`POST ${REPO}/issues/1/assignees`, 201, { assignees: ["octocat"] }],
      [`DELETE ${REPO}/issues/1/assignees`, 200, { assignees: ["monalisa"] }],
      [`PUT ${REPO}/issues/1/lock`, 204, { lock_reason: "too heated" }],
      [`DELETE ${REPO}/issues/1/lock`, 204],
    );
    const { body } = await client.rest(`GET ${REPO}/issues/1`);
    expect(body).toMatchObject({ title: "Other", state: "open", labels: [], milestone: null });
    expect(client.emulator.applied()).toMatchObject({
      createIssue: 1,
      updateIssue: 1,
      closeIssue: 1,
      reopenIssue: 1,
      setLabels: 2,
    });
  });

  it.each(["off-topic", "too heated", "resolved", "spam"])(
    'the GitHub emulator spells the lock reason "%s" as GitHub\'s REST API does',
    async (reason) => {
      await client.rest(`PUT ${REPO}/issues/1/lock`, { lock_reason: reason });
      const { body } = await client.rest(`GET ${REPO}/issues/1`);
      expect(body["active_lock_reason"]).toBe(reason);
    },
  );

  it("the GitHub emulator creates comments and reactions over REST", async () => {
    await expectAll(
      [`POST ${REPO}/issues/2/comments`, 201, { body: "First" }],
      [`PATCH ${REPO}/issues/comments/1004`, 200, { body: "Second" }],
      [`POST ${REPO}/issues/comments/1004/reactions`, 201, { content: "heart" }],
      [`POST ${REPO}/issues/comments/1004/reactions`, 200, { content: "heart" }],
      [`POST ${REPO}/issues/2/reactions`, 201, { content: "+1" }],
      [`DELETE ${REPO}/issues/2/reactions/1009`, 204],
      [`DELETE ${REPO}/issues/comments/1004`, 204],
    );
  });

  it("the GitHub emulator adds and removes sub-issues and dependencies over REST", async () => {
    const at = async (number: number): Promise<number> =>
      (await client.rest<Thing>(`GET ${REPO}/issues/${number}`)).body.id;
    const [one, three, four] = [await at(1), await at(3), await at(4)];
    await expectAll(
      [`DELETE ${REPO}/issues/2/sub_issue`, 200, { sub_issue_id: three }],
      [`POST ${REPO}/issues/1/sub_issues`, 201, { sub_issue_id: three }],
      [`POST ${REPO}/issues/1/sub_issues`, 201, { sub_issue_id: four, replace_parent: true }],
      [`PATCH ${REPO}/issues/1/sub_issues/priority`, 200, { sub_issue_id: four, before_id: three }],
      [`DELETE ${REPO}/issues/2/dependencies/blocked_by/${one}`, 200],
      [`POST ${REPO}/issues/3/dependencies/blocked_by`, 201, { issue_id: one }],
    );
    const { body } = await client.rest<Thing[]>(`GET ${REPO}/issues/1/sub_issues`);
    expect(body.map(({ id }) => id)).toEqual([four, three]);
  });

  it("the GitHub emulator creates, changes and deletes labels and milestones over REST", async () => {
    await expectAll(
      [`POST ${REPO}/labels`, 201, { name: "new", color: "00ff00" }],
      [`PATCH ${REPO}/labels/new`, 200, { new_name: "newer", description: "d" }],
      [`DELETE ${REPO}/labels/newer`, 204],
      [`POST ${REPO}/milestones`, 201, { title: "v3", due_on: "2026-05-01T00:00:00Z" }],
      [`PATCH ${REPO}/milestones/3`, 200, { state: "closed" }],
      [`DELETE ${REPO}/milestones/3`, 204],
    );
  });

  it("the GitHub emulator opens, reviews and merges pull requests over REST", async () => {
    await expectAll(
      [
        `POST ${REPO}/pulls`,
        201,
        { title: "T", head: "fix/empty-name", base: "chore/version", draft: true },
      ],
      [`PATCH ${REPO}/pulls/13`, 200, { title: "Other", state: "closed" }],
      [`POST ${REPO}/pulls/9/requested_reviewers`, 201, { reviewers: ["hubot"] }],
      [`DELETE ${REPO}/pulls/9/requested_reviewers`, 200, { reviewers: ["hubot"] }],
      [
        `POST ${REPO}/pulls/6/reviews`,
        200,
        { event: "COMMENT", body: "b", comments: [{ path: "src/greet.ts", line: 3, body: "Hm" }] },
      ],
      [
        `POST ${REPO}/pulls/6/comments`,
        201,
        { path: "src/greet.ts", line: 4, side: "RIGHT", body: "Here", commit_id: "x" },
      ],
      [`POST ${REPO}/pulls/6/comments/1001/replies`, 201, { body: "And there" }],
      [`PATCH ${REPO}/pulls/comments/1001`, 200, { body: "Edited" }],
      [`DELETE ${REPO}/pulls/comments/1002`, 204],
      [`PUT ${REPO}/pulls/6/reviews/1003/dismissals`, 200, { message: "It is green now" }],
      [`POST ${REPO}/pulls/7/reviews`, 200, { body: "draft of a review" }],
      [`PUT ${REPO}/pulls/9/update-branch`, 202, {}],
      [`PUT ${REPO}/pulls/9/merge`, 200, { merge_method: "squash" }],
    );
    const { body } = await client.rest(`GET ${REPO}/pulls/9`);
    expect(body).toMatchObject({ merged: true, state: "closed", merged_by: { login: "octocat" } });
  });

  it("the GitHub emulator writes files and refs, and several files in one commit, over REST", async () => {
    const { body: main } = await client.rest<{ object: Thing }>(`GET ${REPO}/git/ref/heads/main`);
    const { body: readme } = await client.rest<Thing>(`GET ${REPO}/contents/README.md`);
    await expectAll(
      [`POST ${REPO}/git/refs`, 201, { ref: "refs/heads/try", sha: main.object.sha }],
      [
        `PUT ${REPO}/contents/new.txt`,
        201,
        { message: "m", content: base64("new"), branch: "try" },
      ],
      [
        `PUT ${REPO}/contents/README.md`,
        200,
        { message: "m", content: base64("# x"), sha: readme.sha, branch: "try" },
      ],
      [
        `DELETE ${REPO}/contents/LICENSE`,
        200,
        { message: "m", branch: "try", sha: await readSha("LICENSE") },
      ],
    );
    const { body: tree } = await client.rest<Thing>(`POST ${REPO}/git/trees`, {
      base_tree: main.object.sha,
      tree: [{ path: "a/b.txt", mode: "100644", type: "blob", content: "b" }],
    });
    const { body: commit } = await client.rest<Thing>(`POST ${REPO}/git/commits`, {
      message: "Two at once",
      tree: tree.sha,
      parents: [main.object.sha],
    });
    await expectAll(
      [`PATCH ${REPO}/git/refs/heads/try`, 200, { sha: commit.sha, force: true }],
      [`DELETE ${REPO}/git/refs/heads/try`, 204],
    );
  });

  it("the GitHub emulator creates repositories, forks and stars over REST", async () => {
    await expectAll(
      ["POST /user/repos", 201, { name: "fresh", private: true, auto_init: true }],
      ["POST /orgs/octo/repos", 201, { name: "second" }],
      ["PATCH /repos/octocat/fresh", 200, { description: "d", has_wiki: false }],
      ["PUT /repos/octocat/fresh/topics", 200, { names: ["a"] }],
      [`POST ${REPO}/forks`, 202, {}],
      ["DELETE /user/starred/octo/hello", 204],
      ["PUT /user/starred/octo/hello", 204],
      ["DELETE /repos/octocat/fresh", 204],
    );
  });

  it("the GitHub emulator creates a release with assets over REST", async () => {
    await expectAll(
      [`POST ${REPO}/releases`, 201, { tag_name: "v9", name: "Nine", draft: true }],
      [`PATCH ${REPO}/releases/1005`, 200, { draft: false, body: "Notes" }],
    );
    const upload = await client.send("POST", `${REPO}/releases/1005/assets?name=a.txt`, "text", {
      headers: { "content-type": "text/plain" },
    });
    expect(upload.status).toBe(201);
    const asset = await client.send("GET", `${REPO}/releases/assets/1002`, undefined, {
      headers: { accept: "application/octet-stream" },
      redirect: "follow",
    });
    expect(await asset.text()).toBe("text");
    await expectAll(
      [`DELETE ${REPO}/releases/assets/1002`, 204],
      [`DELETE ${REPO}/releases/1005`, 204],
    );
    expect((await client.rest(`GET ${REPO}/git/ref/tags/v9`)).status).toBe(200);
  });

  it("the GitHub emulator dispatches, cancels and reruns workflows over REST", async () => {
    await expectAll(
      [
        `POST ${REPO}/actions/workflows/publish.yml/dispatches`,
        204,
        { ref: "main", inputs: { version: "1" } },
      ],
      [
        `POST ${REPO}/actions/workflows/publish.yml/dispatches`,
        200,
        { ref: "main", return_run_details: true },
      ],
      [`POST ${REPO}/actions/runs/1002/rerun-failed-jobs`, 201],
      [`POST ${REPO}/actions/runs/1001/rerun`, 201],
      [`POST ${REPO}/actions/runs/1004/cancel`, 202],
      [`PUT ${REPO}/actions/workflows/1001/disable`, 204],
      [`PUT ${REPO}/actions/workflows/1001/enable`, 204],
      [`POST ${REPO}/actions/jobs/1006/rerun`, 201],
      [`DELETE ${REPO}/actions/runs/1001`, 204],
      [`POST ${REPO}/statuses/${await readSha("")}`, 201, { state: "success", context: "c" }],
    );
    const { body } = await client.rest(`GET ${REPO}/actions/runs/1002/jobs`);
    expect(body).toMatchObject({
      jobs: [
        { name: "lint", conclusion: "success" },
        { name: "test", status: "queued" },
      ],
    });
  });

  it("the GitHub emulator changes projects, gists and notifications over REST", async () => {
    const { body: issue } = await client.rest<Thing>(`GET ${REPO}/issues/3`);
    await expectAll(
      ["POST /orgs/octo/projectsV2/1/items", 201, { type: "Issue", id: issue.id }],
      [
        "PATCH /orgs/octo/projectsV2/1/items/1001",
        200,
        {
          fields: [
            { id: 1007, value: 5 },
            { id: 1008, value: null },
          ],
        },
      ],
      ["DELETE /orgs/octo/projectsV2/1/items/1002", 204],
      [
        "POST /gists",
        201,
        { files: { "a.md": { content: "# a" } }, public: true, description: "d" },
      ],
      ["PATCH /notifications/threads/1001", 205],
      ["PUT /notifications", 205, {}],
    );
  });
});

describe("errors over REST", () => {
  it("the GitHub emulator returns the status and message that GitHub returns for each REST error", async () => {
    const cases = [
      [`GET ${REPO}/issues/999`, 404, undefined, "Not Found"],
      ["GET /repos/octo/nope", 404, undefined, "Not Found"],
      [`POST ${REPO}/issues`, 422, { title: "" }, "Validation Failed"],
      [`POST ${REPO}/labels`, 422, { name: "bug", color: "000000" }, "Validation Failed"],
      [`POST ${REPO}/pulls`, 422, { title: "T", head: "nope", base: "main" }, "Validation Failed"],
      [`PUT ${REPO}/pulls/7/merge`, 405, {}, "Pull Request is still a draft"],
      [
        `PUT ${REPO}/pulls/9/merge`,
        409,
        { sha: "0".repeat(40) },
        "Head branch was modified. Review and try the merge again.",
      ],
      [
        `POST ${REPO}/git/refs`,
        422,
        { ref: "refs/heads/main", sha: "x" },
        "Reference already exists",
      ],
      [
        `POST ${REPO}/actions/runs/1001/cancel`,
        409,
        {},
        "Cannot cancel a workflow run that is completed.",
      ],
      ["GET /users/nobody", 404, undefined, "Not Found"],
    ] as const;
    for (const [line, wanted, sent, message] of cases) {
      const { status, body } = await client.rest(line, sent);
      expect([line, status, body]).toEqual([
        line,
        wanted,
        expect.objectContaining({ message, status: String(wanted) }),
      ]);
    }
  });

  it("the GitHub emulator lists the invalid fields in a 422 response", async () => {
    const { body } = await client.rest(`POST ${REPO}/issues`, { title: "x".repeat(257) });
    expect(body).toMatchObject({ errors: [{ resource: "Issue", field: "title", code: "custom" }] });
  });

  it("the GitHub emulator rejects a REST write with a string for a boolean, and applies nothing", async () => {
    const { status, body } = await client.rest(`POST ${REPO}/releases`, {
      tag_name: "v8",
      draft: "true",
    });
    expect([status, body["message"]]).toEqual([
      422,
      `Invalid request.\n\nFor 'properties/draft', "true" is not a boolean.`,
    ]);
    expect((await client.rest(`POST ${REPO}/issues`, { title: "T", labels: "bug" })).status).toBe(
      422,
    );
    expect(client.emulator.applied()).toEqual({});
  });

  it("the GitHub emulator accepts an issue body of 65,536 characters and rejects a longer body", async () => {
    const send = (length: number) =>
      client.rest(`POST ${REPO}/issues`, { title: "Long", body: "é".repeat(length) });
    expect((await send(65_536)).status).toBe(201);
    expect((await send(65_537)).status).toBe(422);
    expect(client.emulator.applied()).toEqual({ createIssue: 1 });
  });

  it("the GitHub emulator refuses REST writes of users and tokens without permission", async () => {
    const merge = await client.rest(`PUT ${REPO}/pulls/9/merge`, {}, { token: TOKENS.hubot });
    expect(merge.status).toBe(403);
    expect(
      (await client.rest("GET /repos/octo/atlas", undefined, { token: TOKENS.hubot })).status,
    ).toBe(404);
    expect(
      (await client.rest("GET /repos/octo/atlas", undefined, { token: TOKENS.readOnly })).status,
    ).toBe(404);
    expect(client.emulator.applied()).toEqual({});
  });
});
