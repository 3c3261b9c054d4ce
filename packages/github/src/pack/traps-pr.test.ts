import { describe, expect, it } from "vitest";
import { TOKENS } from "../emulator/world/index.ts";
import { startRun } from "../emulator/store/mutations/runs.ts";
import { person, pull } from "./fixtures/cases/world.ts";
import { each, onEach, ownWorlds } from "./fixtures/own-world.ts";

const HELLO = { owner: "octo", name: "hello" };
const FIX = { ...HELLO, prNumber: 6 };
/** The number of an issue, which is not a pull request. */
const ISSUE = { ...HELLO, prNumber: 1 };

const start = ownWorlds();

describe("issue number for a pull request", () => {
  const calls: readonly (readonly [string, object])[] = [
    ["pr.view", ISSUE],
    ["pr.comments.list", ISSUE],
    ["pr.comments.create", { ...ISSUE, body: "Not here" }],
    ["pr.assignees.add", { ...ISSUE, assignees: ["hubot"] }],
    ["pr.assignees.remove", { ...ISSUE, assignees: ["monalisa"] }],
    ["pr.reactions.list", ISSUE],
    ["pr.close", ISSUE],
    ["pr.reviews.submit", { ...ISSUE, event: "APPROVE" }],
  ];

  it.each(calls)(
    "%s returns NOT_FOUND for an issue number where a pull request is needed",
    async (id, params) => {
      const embedded = await start();
      const codes = await onEach(embedded, id, params, ({ error }) => error?.code);
      expect(codes).toEqual(each("NOT_FOUND"));
      expect(embedded.github.applied()).toEqual({});
    },
  );
});

describe("merges that branch rules block", () => {
  it("pr.merge does not merge against branch rules as an administrator without admin: true", async () => {
    const embedded = await start();
    const said = await onEach(embedded, "pr.merge", FIX, ({ error }) => [
      error?.code,
      error?.retryable,
      error?.details?.["outcome"],
    ]);
    expect(said).toEqual(each(["CONFLICT", false, "not_applied"]));
    expect(embedded.github.applied()).toEqual({});
  });

  it("pr.merge returns not_applied for users who may not bypass branch rules", async () => {
    const embedded = await start(TOKENS.monalisa);
    const params = { ...FIX, admin: true };
    const outcomes = await onEach(
      embedded,
      "pr.merge",
      params,
      ({ error }) => error?.details?.["outcome"],
    );
    expect(outcomes).toEqual(each("not_applied"));
    expect(embedded.github.applied()).toEqual({});
  });

  it("pr.merge with deleteBranch succeeds when GitHub deletes the branch first", async () => {
    const { waybill, github } = await start();
    pull(github, 9).repository.settings.deleteBranchOnMerge = true;
    const params = { ...HELLO, prNumber: 9, deleteBranch: true };
    const { data, error } = await waybill.execute("pr.merge", params);
    expect(error).toBeNull();
    expect(data).toMatchObject({ merged: true });
    expect(github.applied()).toEqual({ mergePull: 1, deleteRef: 1 });
  });

  it("pr.merge rejects admin together with auto", async () => {
    const { waybill } = await start();
    const { error } = await waybill.execute("pr.merge", { ...FIX, admin: true, auto: true });
    expect(error).toMatchObject({ code: "VALIDATION" });
  });
});

it("pr.threads.reply and pr.threads.resolve return NOT_FOUND for the id of another kind of object", async () => {
  const { waybill, github } = await start();
  const threadId = pull(github, 6).nodeId;
  const { error } = await waybill.execute("pr.threads.reply", { threadId, body: "x" });
  expect(error).toMatchObject({ code: "NOT_FOUND", details: { outcome: "not_applied" } });
  const none = await waybill.execute("pr.threads.resolve", { ...FIX, commentId: 99 });
  expect(none.error).toMatchObject({ code: "NOT_FOUND" });
  expect(github.applied()).toEqual({});
});

it("pr.checks.list marks checks as truncated when a commit has more workflow runs than one page", async () => {
  const embedded = await start();
  const { github } = embedded;
  const { repository, headOid } = pull(github, 6);
  const checks = async (): Promise<unknown> => {
    const { data } = await embedded.by("rest").execute("pr.checks.list", { ...FIX });
    return data;
  };
  expect(await checks()).toMatchObject({ truncated: false });
  const [run] = repository.runs.filter(({ headSha }) => headSha === headOid);
  const { workflow, headBranch: branch, headSha: sha, event } = run!;
  // Creates runs without jobs, so that no checks are added.
  for (let more = 0; more < 100; more += 1) {
    startRun(github.store, person(github, "octocat"), workflow, { branch, sha, event });
  }
  expect(await checks()).toMatchObject({ truncated: true });
});

it("pr.checks.rerun.all does not rerun a run that belongs to another pull request", async () => {
  const { waybill, github } = await start();
  const runId = pull(github, 6).repository.runs[0]!.id;
  const { error } = await waybill.execute("pr.checks.rerun.all", { ...FIX, runId });
  expect(error).toMatchObject({ code: "NOT_FOUND", details: { outcome: "not_applied" } });
  expect(github.applied()).toEqual({});
});

it("pr.reviews.request names an unknown reviewer in its error", async () => {
  const embedded = await start();
  const { github } = embedded;
  const { error } = await embedded.by("graphql").execute("pr.reviews.request", {
    ...FIX,
    reviewers: ["octocat", "nobody-at-all"],
  });
  expect(error).toMatchObject({ code: "VALIDATION" });
  expect(error?.message).toContain("nobody-at-all");
  expect(github.applied()).toEqual({});
});

describe("input forms for a pull request", () => {
  it.each([
    [{ repo: "octo/hello", number: "6" }],
    [{ repository: "https://github.com/octo/hello", pr_number: "#6" }],
    [{ prNumber: "https://github.com/octo/hello/pull/6/files" }],
    [{ url: "https://github.com/octo/hello/pull/6#discussion_r1" }],
    [{ owner: "octo", repo: "hello", pull_number: 6 }],
  ])("pr.view finds a pull request by %j", async (params) => {
    const { waybill } = await start();
    const { data } = await waybill.execute("pr.view", params);
    expect(data).toMatchObject({ number: 6 });
  });
});
