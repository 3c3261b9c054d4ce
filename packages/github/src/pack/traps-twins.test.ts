import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { fail } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import type { CardRoute } from "@waybill/core/cards";
import { startEmbedded } from "./fixtures/embedded.ts";

const HELLO = { owner: "octo", name: "hello" };
const FIX = { ...HELLO, prNumber: 6 };
const PUBLISH = { ...HELLO, workflowId: "publish.yml", ref: "main" };
const REVIEW = { ...FIX, event: "COMMENT", body: "See inline" };
const COMMIT = { ...HELLO, branch: "docs/usage", message: "Update" };
const PULL = { ...HELLO, title: "Twin", base: "docs/usage" };

/**
 * GitHub's times have whole seconds. With a shorter wait, it would be unclear which write came
 * first.
 */
const CLEARLY_LATER = 2_500;

/**
 * A write that is lost before it reaches GitHub, and another user's write that looks the same in
 * lists.
 */
type Twins = readonly [id: string, mine: object, other: object, looksAt: string];

const TWINS: readonly Twins[] = [
  [
    "issue.create",
    { ...HELLO, title: "Twin", body: "Mine" },
    { ...HELLO, title: "Twin" },
    "issue.list",
  ],
  ["pr.create", { ...PULL, head: "feature/locale" }, { ...PULL, head: "main" }, "pr.list"],
  ["pr.merge", { ...HELLO, prNumber: 9, method: "squash" }, { ...HELLO, prNumber: 9 }, "pr.view"],
  [
    "pr.reviews.submit",
    { ...REVIEW, comments: [{ path: "src/greet.ts", line: 2, body: "Mine" }] },
    REVIEW,
    "pr.reviews.list",
  ],
  [
    "file.commit",
    { ...COMMIT, files: [{ path: "a", content: "mine" }] },
    { ...COMMIT, files: [{ path: "b", content: "other" }] },
    "commit.list",
  ],
  [
    "branch.create",
    { ...HELLO, branch: "twin", from: "feature/locale" },
    { ...HELLO, branch: "twin" },
    "branch.list",
  ],
  [
    "workflow.dispatch",
    { ...PUBLISH, inputs: { version: "1" } },
    { ...PUBLISH, inputs: { version: "2" } },
    "workflow.runs.list",
  ],
  ["gist.create", { files: { a: "mine" } }, { files: { a: "other" } }, "gist.list"],
  [
    "release.create",
    { ...HELLO, tagName: "v9", notes: "Mine" },
    { ...HELLO, tagName: "v9" },
    "release.list",
  ],
  ["repo.create", { name: "twin", readme: true }, { name: "twin" }, "repo.list"],
  [
    "label.create",
    { ...HELLO, label: "twin", color: "111111" },
    { ...HELLO, label: "twin", color: "222222" },
    "repo.labels.list",
  ],
  [
    "milestone.create",
    { ...HELLO, title: "Twin", description: "Mine" },
    { ...HELLO, title: "Twin" },
    "milestone.list",
  ],
];

/** Loses the first write that is sent, and applies another user's write in the meantime. */
function losingFirst(route: CardRoute, meanwhile: Meanwhile): CardRoute {
  return {
    route: route.route,
    needs: route.needs,
    describe: (request) => route.describe(request),
    send: async (request, attempt) => {
      const { other } = meanwhile;
      if (attempt.effect === "read" || other === undefined) return route.send(request, attempt);
      meanwhile.other = undefined;
      await other();
      throw fail("NETWORK", "reset", { outcome: "unknown" });
    },
  };
}

interface Meanwhile {
  other?: (() => Promise<void>) | undefined;
}

/** The answer of a lost write during which another user's write was applied. */
async function saidAfter(id: string, mine: object, other: object): Promise<ResultEnvelope> {
  const meanwhile: Meanwhile = {};
  const embedded = await startEmbedded({
    clock: () => new Date(),
    wrap: (route) => losingFirst(route, meanwhile),
  });
  const { waybill } = embedded;
  let twin: ResultEnvelope | undefined;
  meanwhile.other = async () => {
    await setTimeout(CLEARLY_LATER);
    twin = await waybill.execute(id, { ...other });
  };
  try {
    const said = await waybill.execute(id, { ...mine });
    expect(twin?.error).toBeNull();
    return said;
  } finally {
    await embedded.close();
  }
}

describe("lost writes beside identical writes of other callers", () => {
  it.concurrent.each(TWINS)(
    "%s whose response is lost does not return an identical write of another caller as its own",
    async (id, mine, other, looksAt) => {
      const { error } = await saidAfter(id, mine, other);
      expect(error).toMatchObject({
        retryable: false,
        details: { outcome: "unknown", verify: { capability_id: looksAt } },
      });
    },
  );
});

describe("lost write that a read found", () => {
  it("a write whose response was lost and that a read found returns all its output fields", async () => {
    const { data, error } = await saidAfter("pr.close", FIX, FIX);
    expect(error).toBeNull();
    const kept = { deleteBranch: false, commentUrl: null };
    expect(data).toMatchObject({ prNumber: 6, state: "CLOSED", closed: true, ...kept });
  });
});
