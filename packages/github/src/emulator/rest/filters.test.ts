import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startClient } from "../fixtures/client.ts";
import type { Client } from "../fixtures/client.ts";

const REPO = "/repos/octo/hello";

describe("lists over REST", () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient();
  });
  afterAll(() => client.emulator.close());

  async function list(path: string, field: string): Promise<unknown[]> {
    const { body } = await client.rest<Record<string, unknown>[]>(`GET ${path}`);
    return body.map((one) => one[field]);
  }

  async function read(path: string, accept: string): Promise<string> {
    return (await client.send("GET", `${REPO}/${path}`, undefined, { headers: { accept } })).text();
  }

  it.each([
    ["issues", [10, 9, 7, 6, 3, 2, 1]],
    ["issues?state=closed", [8, 5, 4]],
    ["issues?labels=bug,priority:%20high", [1]],
    ["issues?creator=monalisa&state=all", [8, 6, 1]],
    ["issues?assignee=monalisa", [1]],
    ["issues?assignee=none&creator=octocat", [9, 7, 3, 2]],
    ["issues?assignee=*", [1]],
    ["issues?milestone=1", [1]],
    ["issues?milestone=none&creator=hubot", [10]],
    ["issues?milestone=*", [1]],
    ["issues?since=2026-01-05T13:00:00Z", [10]],
    ["issues?sort=comments&per_page=2", [1, 6]],
    ["issues?sort=updated&direction=asc&per_page=1", [3]],
    ["milestones?state=all&sort=due_on", [1, 2]],
    ["milestones?state=all&direction=desc", [2, 1]],
    ["pulls?head=octo:fix/empty-name", [6]],
    ["pulls?base=nope", []],
    ["pulls?state=closed", [8]],
    ["pulls?sort=created&direction=asc", [6, 7, 9, 10]],
  ])(
    "the emulator's GET /repos/octo/hello/%s lists the objects with the numbers %j",
    async (query, wanted) => {
      expect(await list(`${REPO}/${query}`, "number")).toEqual(wanted);
    },
  );

  it("the GitHub emulator returns 422 for a list of issues in an unknown state", async () => {
    expect((await client.rest(`GET ${REPO}/issues?state=opened`)).status).toBe(422);
  });

  it.each([
    ["commits?path=src/greet.ts", 3],
    ["commits?author=monalisa", 3],
    ["commits?since=2026-01-05T09:20:00Z&until=2026-01-05T09:30:00Z", 2],
    ["commits?sha=v1.0.0", 2],
  ])("the emulator's GET /repos/octo/hello/%s lists %i commits", async (query, count) => {
    expect(await list(`${REPO}/${query}`, "sha")).toHaveLength(count);
  });

  it.each([
    ["/orgs/octo/repos?sort=created", ["atlas", "hello"]],
    ["/orgs/octo/repos?type=private", ["atlas"]],
    ["/orgs/octo/repos?type=forks", []],
    ["/orgs/octo/repos?type=sources&sort=pushed&direction=asc", ["hello", "atlas"]],
    ["/user/repos?sort=updated", ["atlas", "hello"]],
  ])("the emulator's GET %s lists the repositories %j", async (path, wanted) => {
    expect(await list(path, "name")).toEqual(wanted);
  });

  it.each([
    ["runs?branch=main", [1001]],
    ["runs?event=push", [1001]],
    ["runs?status=in_progress", [1004]],
    ["runs?actor=monalisa", [1002]],
    ["runs?created=>2026-01-05T14:00", [1004]],
    ["workflows/publish.yml/runs", []],
  ])(
    "the emulator's GET /repos/octo/hello/actions/%s lists the runs with the ids %j",
    async (query, wanted) => {
      const { body } = await client.rest<{ workflow_runs: { id: number }[] }>(
        `GET ${REPO}/actions/${query}`,
      );
      expect(body.workflow_runs.map(({ id }) => id)).toEqual(wanted);
    },
  );

  it("the GitHub emulator shows where a code search matches when the client accepts text matches", async () => {
    const accept = "application/vnd.github.text-match+json";
    const path = "/search/code?q=greetAll+path:src/greet.ts";
    const found = await client.send("GET", path, undefined, { headers: { accept } });
    expect(await found.json()).toMatchObject({
      items: [
        {
          text_matches: [
            {
              property: "content",
              fragment: expect.stringContaining("function greetAll(") as string,
              matches: [{ text: "greetAll" }],
            },
          ],
        },
      ],
    });
    const { body } = await client.rest<{ items: object[] }>(`GET ${path}`);
    expect(body.items[0]).not.toHaveProperty("text_matches");
  });

  it("the GitHub emulator returns a patch, a diff, a commit id or a raw file if the Accept header asks for one", async () => {
    expect(await read("pulls/6", "application/vnd.github.patch")).toContain(
      "Subject: [PATCH] Trim the name",
    );
    expect(await read("commits/v1.1.0", "application/vnd.github.diff")).toContain(
      "+export function greetAll",
    );
    expect(await read("commits/main", "application/vnd.github.sha")).toMatch(/^[0-9a-f]{40}$/);
    expect(await read("compare/v1.0.0...v1.1.0", "application/vnd.github.diff")).toContain(
      "diff --git",
    );
    expect(await read("contents/README.md", "application/vnd.github.raw")).toMatch(/^# hello/);
  });

  it("the GitHub emulator compares a branch with a fork, and reports diverged and identical branches", async () => {
    const { body } = await client.rest(`GET ${REPO}/compare/main...hubot:loud`);
    expect(body).toMatchObject({ status: "diverged", ahead_by: 1, behind_by: 1 });
    expect((await client.rest(`GET ${REPO}/compare/main...main`)).body).toMatchObject({
      status: "identical",
    });
    expect((await client.rest(`GET ${REPO}/compare/main...nobody:loud`)).status).toBe(404);
    expect((await client.rest(`GET ${REPO}/compare/main`)).status).toBe(404);
  });

  it("the GitHub emulator lists all events of an issue in its REST timeline", async () => {
    client.problems.length = 0;
    const { body } = await client.rest<{ event: string }[]>(
      `GET ${REPO}/issues/6/timeline?per_page=100`,
    );
    const events = new Set(body.map(({ event }) => event));
    for (const event of ["commented", "committed", "reviewed", "review_requested", "connected"]) {
      expect(events).toContain(event);
    }
    const other = await client.rest<{ event: string }[]>(`GET ${REPO}/issues/1/timeline`);
    expect(other.body.map(({ event }) => event)).toContain("cross-referenced");
    expect(client.problems).toEqual([]);
  });
});
