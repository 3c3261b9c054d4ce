import { describe, expect, it } from "vitest";
import { cards } from "./cards.ts";
import { cases } from "./fixtures/cases/index.ts";
import { pull } from "./fixtures/cases/world.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { each, onEach, ownWorlds } from "./fixtures/own-world.ts";

const HELLO = { owner: "octo", name: "hello" };
const FIX = { ...HELLO, prNumber: 6 };

const start = ownWorlds();

/** The mutations whose response a test loses. */
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

/** Loses the response to the next write, on any route. */
function loseAnswers({ github }: Embedded): void {
  const lose = { kind: "drop", when: "after" } as const;
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    github.faults.inject({ ...lose, match: { method, path: /^\/repos\// } });
  }
  for (const operation of MUTATIONS) github.faults.inject({ ...lose, match: { operation } });
}

describe("lost responses of writes", () => {
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

  it.each(writes)("%s is applied once when its response is lost", async (id, params, counted) => {
    const embedded = await start();
    const { github, waybill } = embedded;
    loseAnswers(embedded);
    const { error } = await waybill.execute(id, params(embedded));
    expect(github.applied()[counted]).toBe(1);
    // The outcome is found by a probe, or reported as unknown. The error never suggests a retry.
    expect(error?.retryable ?? false).toBe(false);
    expect([undefined, "unknown", "applied"]).toContain(error?.details?.["outcome"]);
  });
});

it("every GitHub route writes once to a renamed repository", async () => {
  const embedded = await start();
  const params = { owner: "octo", name: "hello-world", prNumber: 6, body: "Moved?" };
  const said = await onEach(embedded, "pr.comments.create", params, ({ ok, error, meta }) => [
    ok,
    error,
    (meta.attempts ?? []).filter(({ status }) => status === "error").length,
  ]);
  expect(said).toEqual(each([true, null, 0]));
  expect(embedded.github.applied()).toEqual({ addComment: 3 });
});

describe("dry run of a write", () => {
  const writes = cases.filter(
    ({ id, applied }) => applied !== undefined && /^(?:pr|file|branch)\./.test(id),
  );

  it.each(writes.map((one) => [`${one.id}: ${one.title ?? "default case"}`, one] as const))(
    "a dry run of a write shows its requests and sends nothing: %s",
    async (_, { id, params, routes = cards.cardById(id)!.order }) => {
      const embedded = await start();
      const input = typeof params === "function" ? params(embedded.github) : params;
      const asked = embedded.github.requests.length;
      for (const route of routes) {
        const { data, error } = await embedded
          .by(route)
          .execute(id, { ...input }, { dry_run: true });
        expect(error).toBeNull();
        expect(data).toHaveProperty("requests");
      }
      expect(embedded.github.requests.slice(asked)).toEqual([]);
    },
  );
});
