import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fail } from "@waybill/core";
import type { CardRoute } from "@waybill/core/cards";
import { cards } from "./cards.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

const HELLO = { owner: "octo", name: "hello" };
const FIX = { ...HELLO, prNumber: 6 };
const LONG = "A text of more than a line. ".repeat(10).trim();

/** Every write loses its response, so only a probe can tell whether it was applied. */
function losing(route: CardRoute): CardRoute {
  return {
    ...route,
    describe: (request) => route.describe(request),
    send: (request, attempt) => {
      if (attempt.effect === "read") return route.send(request, attempt);
      return Promise.reject(fail("NETWORK", "reset", { outcome: "unknown" }));
    },
  };
}

let embedded: Embedded;
let runId: number;

beforeAll(async () => {
  embedded = await startEmbedded({ clock: () => new Date(), wrap: losing });
  const listed = await embedded.waybill.execute("workflow.runs.list", { ...HELLO });
  runId = (listed.data as { items: { id: number }[] }).items[0]!.id;
});

afterAll(() => embedded.close());

/** A write for each capability, with strings of usual length. */
const WRITES: Readonly<Record<string, () => object>> = {
  "branch.create": () => ({ ...HELLO, branch: "fresh", from: "main" }),
  "discussion.create": () => ({ ...HELLO, category: "q-a", title: "Fresh", body: LONG }),
  "file.commit": () => ({
    ...HELLO,
    branch: "docs/usage",
    message: LONG,
    files: [{ path: "a", content: LONG }],
  }),
  "gist.create": () => ({ files: { a: LONG }, description: LONG }),
  "issue.comments.create": () => ({ ...HELLO, issueNumber: 1, body: LONG }),
  "issue.create": () => ({ ...HELLO, title: "Fresh", body: LONG }),
  "label.create": () => ({
    ...HELLO,
    label: "fresh",
    color: "111111",
    description: LONG.slice(0, 99),
  }),
  "milestone.create": () => ({ ...HELLO, title: "Fresh", description: LONG }),
  "pr.close": () => FIX,
  "pr.comments.create": () => ({ ...FIX, body: LONG }),
  "pr.create": () => ({
    ...HELLO,
    title: "Fresh",
    base: "docs/usage",
    head: "feature/locale",
    body: LONG,
  }),
  "pr.merge": () => ({ ...HELLO, prNumber: 9 }),
  "pr.reviews.submit": () => ({ ...FIX, event: "COMMENT", body: LONG }),
  "project_v2.status.create": () => ({ owner: "octo", projectNumber: 1, body: LONG }),
  "release.create": () => ({ ...HELLO, tagName: "v9", notes: LONG }),
  "repo.create": () => ({ name: "fresh", description: LONG }),
  "workflow.dispatch": () => ({ ...HELLO, workflowId: "publish.yml", ref: "main" }),
  "workflow.run.rerun.all": () => ({ ...HELLO, runId }),
  "workflow.run.rerun.failed": () => ({ ...HELLO, runId }),
};

/** The fields that a card compares to tell new objects from old ones. */
function comparedFields(id: string): string[] {
  const { same, created, before } = cards.cardById(id)!.verify!;
  const compared = "is" in same && same.is === "object" ? same.fields.map(([name]) => name) : [];
  expect(compared).not.toEqual([]);
  return [...compared, created, before].filter((name) => name !== undefined);
}

/** Fields that identify the object, so that the caller can continue with it. */
const NAMES = /(?:^|\.)(?:number|id|oid)$/u;

describe("writes with an unknown outcome", () => {
  it("the table of verified writes covers every GitHub card that can verify its write", () => {
    const knowing = cards.summaries.filter(({ id }) => cards.cardById(id)?.verify?.capability);
    expect(Object.keys(WRITES)).toEqual(knowing.map(({ id }) => id).toSorted());
  });

  it.each(Object.entries(WRITES))(
    "the error of %s with an unknown outcome names a read that selects the fields that identify the write, or selects nothing",
    async (id, params) => {
      const { error } = await embedded.waybill.execute(id, { ...params() });
      expect(error?.details).toMatchObject({ outcome: "unknown", verify: {} });
      const { select } = error!.details!["verify"] as { select?: string[] };
      if (select === undefined) return;
      const shown = select.map((path) => path.replace(/^items\./u, ""));
      expect(shown).toEqual(expect.arrayContaining(comparedFields(id)));
      expect(shown.some((path) => NAMES.test(path))).toBe(true);
    },
  );

  it("the read for a write with an unknown outcome selects the written fields if it can return all of them", async () => {
    const params = { ...HELLO, issueNumber: 1, body: LONG };
    const { error } = await embedded.waybill.execute("issue.comments.create", params);
    const select = ["id", "createdAt", "body", "authorLogin"].map((name) => `items.${name}`);
    expect(error?.details).toMatchObject({ verify: { select } });
  });
});
