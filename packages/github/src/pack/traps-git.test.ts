import { describe, expect, it } from "vitest";
import { cards } from "./cards.ts";
import { cases } from "./fixtures/cases/index.ts";
import type { ParityCase } from "./fixtures/cases/index.ts";
import { each, onEach, ownWorlds } from "./fixtures/own-world.ts";

const HELLO = { owner: "octo", name: "hello" };
const FIX = { ...HELLO, prNumber: 6 };

const start = ownWorlds();

describe("refused requests", () => {
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

  it.each(refused.map((row) => [JSON.stringify(row[1]).slice(0, 200), ...row] as const))(
    "every GitHub route returns an equal error for the refused input %s of %s",
    async (_, id, params, code) => {
      const embedded = await start();
      const codes = await onEach(embedded, id, params, ({ error }) => error?.code);
      expect(codes).toEqual(each(code));
      expect(embedded.github.applied()).toEqual({});
    },
  );
});

it("file.commit does not commit on top of a head commit that the caller has not seen", async () => {
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

/** Whether a case reads through GraphQL first, in the default world, with plain params. */
function isPlainRead({ id, prepare, include, params }: ParityCase): boolean {
  const { effect, order } = cards.cardById(id)!;
  const isOurs = /^(?:pr|file|commit|branch|tag)\./.test(id);
  const isPlain = prepare === undefined && include === undefined && typeof params === "object";
  return isOurs && isPlain && effect === "read" && order[0] === "graphql";
}

function getStep({ id, params }: ParityCase): { task: string; input: Record<string, unknown> } {
  return { task: id, input: typeof params === "object" ? { ...params } : {} };
}

it("reads in a chain return the data of single reads, in a few requests", async () => {
  const embedded = await start();
  const steps = cases.filter(isPlainRead).map(getStep);
  const alone: unknown[] = [];
  for (const { task, input } of steps) {
    alone.push((await embedded.waybill.execute(task, input)).data);
  }
  const { results, meta } = await embedded.waybill.chain(steps);
  expect(results.map(({ data }) => data)).toEqual(alone);
  expect(steps.length).toBeGreaterThan(20);
  // All GraphQL steps are sent in one request. Each other step is a request of its own.
  expect(meta.upstream_requests).toBeLessThan(5);
});

it("every GitHub route keeps every byte of a committed file", async () => {
  for (const route of ["graphql", "rest", "cli"] as const) {
    const embedded = await start();
    const waybill = embedded.by(route);
    const content = "Grüße 👋\r\nno end of line";
    const message = "Ünïcode 👋\n\nA body.";
    const at = { ...HELLO, branch: "docs/usage" };
    const path = "docs/ä b#c?%20.md";
    await waybill.execute("file.commit", { ...at, message, files: [{ path, content }] });
    const file = { ...HELLO, ref: "docs/usage", path };
    const { data } = await waybill.execute("file.view", file);
    expect(data).toMatchObject({ text: content, path });
    const log = await waybill.execute("commit.list", { ...HELLO, ref: "docs/usage", first: 1 });
    expect(log.data).toMatchObject({ items: [{ message, author: "octocat" }] });
  }
});

/** Ninety lines, three of which contain the mark, far from each other. */
function lines(mark: string): string {
  const all = Array.from({ length: 90 }, (_, at) => (at % 30 === 15 ? `${mark} ${at}` : `${at}`));
  return all.join("\n");
}

it("every GitHub route returns each hunk of a long diff page by page", async () => {
  const { waybill } = await start();
  const commit = (branch: string, mark: string) =>
    waybill.execute("file.commit", {
      ...HELLO,
      branch,
      message: mark,
      files: [{ path: "long.txt", content: lines(mark) }],
    });
  await commit("docs/usage", "old");
  await waybill.execute("branch.create", { ...HELLO, branch: "long", from: "docs/usage" });
  await commit("long", "new");
  const opened = { ...HELLO, title: "Long", head: "long", base: "docs/usage" };
  const { data: made } = await waybill.execute("pr.create", opened);
  const { number: prNumber } = made as { number: number };
  const asked = { ...HELLO, prNumber, path: "long.txt", maxLines: 10 };
  const pages: string[] = [];
  for (let fromHunk: number | null = 1; fromHunk !== null && pages.length < 9;) {
    const { data } = await waybill.execute("pr.files.diff", { ...asked, fromHunk });
    const [file] = (data as { items: { patch: string; nextHunk: number | null }[] }).items;
    pages.push(file!.patch);
    fromHunk = file!.nextHunk;
  }
  expect(pages).toHaveLength(3);
  const { data: whole } = await waybill.execute("pr.diff.view", { ...HELLO, prNumber });
  expect((whole as { diff: string }).diff).toContain(pages.join("\n"));
});

it("every GitHub route returns a diff of two megabytes whole", async () => {
  const embedded = await start();
  const content = `${"0123456789".repeat(10)}\n`.repeat(20_000);
  const branch = "feature/locale";
  const files = [{ path: "big.txt", content }];
  await embedded.waybill.execute("file.commit", { ...HELLO, branch, message: "Big", files });
  const asked = { ...HELLO, prNumber: 7 };
  const rest = await embedded.by("rest").execute("pr.diff.view", asked);
  const cli = await embedded.by("cli").execute("pr.diff.view", asked);
  expect((rest.data as { diff: string }).diff.length).toBeGreaterThan(content.length);
  expect(cli.data).toEqual(rest.data);
  expect(cli.meta.warnings).toBeUndefined();
  const view = { ...HELLO, ref: branch, path: "big.txt" };
  const { data } = await embedded.by("graphql").execute("file.view", view);
  expect((data as { text: string }).text).toBe(content);
});
