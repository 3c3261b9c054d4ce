import { afterEach, describe, expect, it } from "vitest";
import type { ResultEnvelope } from "@waybill/core";
import { cards } from "../generated/cards.ts";
import { TOKENS } from "../emulator/world/index.ts";
import { cases } from "./fixtures/cases/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { pull } from "./fixtures/cases/world.ts";

type Name = "graphql" | "rest" | "cli";
const ROUTES: readonly Name[] = ["graphql", "rest", "cli"];
const SLOW = 60_000;

const HELLO = { owner: "octo", name: "hello" };
const FIX = { ...HELLO, prNumber: 6 };
/** An issue, and none that is a pull request. */
const ISSUE = { ...HELLO, prNumber: 1 };

const opened: Embedded[] = [];

async function start(token?: string): Promise<Embedded> {
  const embedded = await startEmbedded(token === undefined ? {} : { token });
  opened.push(embedded);
  return embedded;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((embedded) => embedded.close()));
});

/** What each route says of a call. */
async function onEach(
  embedded: Embedded,
  id: string,
  params: object,
  read: (result: ResultEnvelope) => unknown,
): Promise<Record<string, unknown>> {
  const said: Record<string, unknown> = {};
  for (const route of ROUTES) said[route] = read(await embedded.by(route).execute(id, params));
  return said;
}

function each(value: unknown): Record<string, unknown> {
  return Object.fromEntries(ROUTES.map((route) => [route, value]));
}

/** The root fields of our mutations. */
const MUTATIONS = [
  "createPullRequest",
  "addComment",
  "addPullRequestReview",
  "mergePullRequest",
  "closePullRequest",
  "addPullRequestReviewThreadReply",
  "createCommitOnBranch",
  "createRef",
];

/** The next answer to a write is lost on its way, whichever route it takes. */
function loseAnswers({ github }: Embedded): void {
  const lose = { kind: "drop", when: "after" } as const;
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    github.faults.inject({ ...lose, match: { method, path: /^\/repos\// } });
  }
  for (const operation of MUTATIONS) github.faults.inject({ ...lose, match: { operation } });
}

describe("a write whose answer is lost", () => {
  const create = { ...HELLO, title: "Twice?", head: "feature/locale", base: "docs/usage" };
  const writes: readonly (readonly [string, (embedded: Embedded) => object, string])[] = [
    ["pr.create", () => create, "createPull"],
    ["pr.comments.create", () => ({ ...FIX, body: "Twice?" }), "addComment"],
    ["pr.reviews.submit", () => ({ ...FIX, event: "COMMENT", body: "Twice?" }), "addReview"],
    ["pr.merge", () => ({ ...HELLO, prNumber: 9 }), "mergePull"],
    ["pr.close", () => ({ ...FIX, comment: "Twice?" }), "addComment"],
    [
      "pr.threads.reply",
      ({ github }) => ({ threadId: pull(github, 6).threads[0]!.nodeId, body: "Twice?" }),
      "replyToThread",
    ],
    [
      "pr.checks.rerun.all",
      ({ github }) => ({ ...HELLO, runId: pull(github, 6).repository.runs[0]!.id }),
      "rerun",
    ],
    [
      "file.commit",
      () => ({
        ...HELLO,
        branch: "docs/usage",
        message: "Twice?",
        files: [{ path: "a", content: "a" }],
      }),
      "commitOnBranch",
    ],
    ["branch.create", () => ({ ...HELLO, branch: "twice" }), "createRef"],
  ];

  it.each(writes)(
    "%s happens once",
    async (id, params, counted) => {
      const embedded = await start();
      const { github, waybill } = embedded;
      loseAnswers(embedded);
      const { error } = await waybill.execute(id, params(embedded));
      expect(github.applied()[counted]).toBe(1);
      // Found by looking, or said to be open; never a call for another try.
      expect(error?.retryable ?? false).toBe(false);
      expect([undefined, "unknown", "applied"]).toContain(error?.details?.["outcome"]);
    },
    SLOW,
  );
});

describe("the number of an issue is not that of a pull request", () => {
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
    "%s",
    async (id, params) => {
      const embedded = await start();
      const codes = await onEach(embedded, id, params, ({ error }) => error?.code);
      expect(codes).toEqual(each("NOT_FOUND"));
      expect(embedded.github.applied()).toEqual({});
    },
    SLOW,
  );
});

describe("what the rules of a branch block", () => {
  it(
    "is not merged by an administrator who does not say so",
    async () => {
      const embedded = await start();
      const said = await onEach(embedded, "pr.merge", FIX, ({ error }) => [
        error?.code,
        error?.retryable,
        error?.details?.["outcome"],
      ]);
      expect(said).toEqual(each(["CONFLICT", false, "not_applied"]));
      expect(embedded.github.applied()).toEqual({});
    },
    SLOW,
  );

  it(
    "is refused by GitHub to all others, whatever they say",
    async () => {
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
    },
    SLOW,
  );

  it("counts as merged though the branch went by itself", async () => {
    const { waybill, github } = await start();
    pull(github, 9).repository.settings.deleteBranchOnMerge = true;
    const params = { ...HELLO, prNumber: 9, deleteBranch: true };
    const { data, error, meta } = await waybill.execute("pr.merge", params);
    expect(error).toBeNull();
    expect(data).toMatchObject({ merged: true });
    expect(meta.warnings).toHaveLength(1);
    expect(github.applied()).toEqual({ mergePull: 1, deleteRef: 1 });
  });

  it("cannot be merged at once and later", async () => {
    const { waybill } = await start();
    const { error } = await waybill.execute("pr.merge", { ...FIX, admin: true, auto: true });
    expect(error).toMatchObject({ code: "VALIDATION" });
  });
});

describe("what cannot be done is said alike on every route", () => {
  const refused: readonly (readonly [string, object, string])[] = [
    ["file.view", { ...HELLO, path: "src" }, "VALIDATION"],
    ["file.view", { ...HELLO, path: "no/such.ts" }, "NOT_FOUND"],
    ["file.view", { ...HELLO, path: "../secrets" }, "VALIDATION"],
    ["file.list", { ...HELLO, path: "README.md" }, "VALIDATION"],
    ["file.list", { ...HELLO, path: "nowhere" }, "NOT_FOUND"],
    ["commit.list", { ...HELLO, ref: "no-such-branch" }, "NOT_FOUND"],
    ["branch.create", { ...HELLO, branch: "a..b" }, "VALIDATION"],
    ["branch.create", { ...HELLO, branch: "main" }, "VALIDATION"],
    ["branch.create", { ...HELLO, branch: "new", from: "no-such-branch" }, "NOT_FOUND"],
    ["pr.create", { ...HELLO, title: "x", head: "no-such", base: "main" }, "VALIDATION"],
    ["pr.create", { ...HELLO, title: "x".repeat(257), head: "a", base: "b" }, "VALIDATION"],
    ["pr.comments.create", { ...FIX, body: "x".repeat(65_537) }, "VALIDATION"],
    ["pr.assignees.add", { ...FIX, assignees: [] }, "VALIDATION"],
    ["pr.update", FIX, "VALIDATION"],
    [
      "pr.reviews.submit",
      {
        ...FIX,
        event: "COMMENT",
        body: "x",
        comments: [{ path: "README.md", body: "x", line: 1 }],
      },
      "VALIDATION",
    ],
    [
      "pr.reviews.submit",
      { ...FIX, event: "COMMENT", comments: [{ path: "a", body: "x", line: 1, colour: "red" }] },
      "VALIDATION",
    ],
  ];

  it.each(refused)(
    "%s, case %$",
    async (id, params, code) => {
      const embedded = await start();
      const codes = await onEach(embedded, id, params, ({ error }) => error?.code);
      expect(codes).toEqual(each(code));
      expect(embedded.github.applied()).toEqual({});
    },
    SLOW,
  );
});

it("finds a thread by no id that is another thing's", async () => {
  const { waybill, github } = await start();
  const threadId = pull(github, 6).nodeId;
  const { error } = await waybill.execute("pr.threads.reply", { threadId, body: "x" });
  expect(error).toMatchObject({ code: "NOT_FOUND", details: { outcome: "not_applied" } });
  const none = await waybill.execute("pr.threads.resolve", { ...FIX, commentId: 99 });
  expect(none.error).toMatchObject({ code: "NOT_FOUND" });
  expect(github.applied()).toEqual({});
});

it("reruns nothing for a pull request that the run does not belong to", async () => {
  const { waybill, github } = await start();
  const runId = pull(github, 6).repository.runs[0]!.id;
  const { error } = await waybill.execute("pr.checks.rerun.all", { ...FIX, runId });
  expect(error).toMatchObject({ code: "NOT_FOUND", details: { outcome: "not_applied" } });
  expect(github.applied()).toEqual({});
});

it("does not commit on top of what the caller has not seen", async () => {
  const { waybill, github } = await start();
  const { error } = await waybill.execute("file.commit", {
    ...HELLO,
    branch: "docs/usage",
    message: "x",
    files: [{ path: "a", content: "a" }],
    expectedHead: "0".repeat(40),
  });
  expect(error).toMatchObject({ retryable: false, details: { outcome: "not_applied" } });
  expect(github.applied()).toEqual({});
});

it("names the logins that nobody has", async () => {
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

it(
  "gives every read in one chain what it gives alone, in a few requests",
  async () => {
    const embedded = await start();
    const reads = cases.filter(
      ({ id, prepare, include, params }) =>
        /^(?:pr|file|commit|branch|tag)\./.test(id) &&
        cards.cardById(id)?.effect === "read" &&
        cards.cardById(id)?.order[0] === "graphql" &&
        typeof params === "object" &&
        prepare === undefined &&
        include === undefined,
    );
    const steps = reads.map(({ id, params }) => ({ task: id, input: { ...params } }));
    const alone: unknown[] = [];
    for (const { task, input } of steps) {
      alone.push((await embedded.waybill.execute(task, input)).data);
    }
    const { results, meta } = await embedded.waybill.chain(steps);
    expect(results.map(({ data }) => data)).toEqual(alone);
    expect(steps.length).toBeGreaterThan(20);
    // All that GraphQL can do travels together; the rest is a request of its own.
    expect(meta.upstream_requests).toBeLessThan(5);
  },
  SLOW,
);
