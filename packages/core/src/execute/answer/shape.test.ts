import { describe, expect, it } from "vitest";
import { estimateTokens, memoryHandles } from "../../budget/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { createWaybill } from "../index.ts";

const items = Array.from({ length: 300 }, (_, number) => ({
  number,
  title: `Issue ${number} about something that went wrong`,
  author: { login: `user${number % 3}` },
}));
const list = defineOperation({
  id: "issue.list",
  description: "List issues",
  effect: "read",
  handler: () => ({ items, total: items.length }),
});
let writes = 0;
const create = defineOperation({
  id: "issue.create",
  description: "Open an issue",
  handler: () => ({ number: (writes += 1), title: "new" }),
});
const waybill = createWaybill({ operations: [list, create], handles: memoryHandles() });

describe("option query", () => {
  it("the option query returns the value of its expression over the data", async () => {
    const query = "items[?author.login=='user1'].number | [:3]";
    expect((await waybill.execute("issue.list", {}, { query })).data).toEqual([1, 4, 7]);
  });

  it("the option query is applied before the option select", async () => {
    const options = { query: "items[:2]", select: ["*.title"] };
    const { data } = await waybill.execute("issue.list", {}, options);
    expect(data).toEqual(items.slice(0, 2).map(({ title }) => ({ title })));
  });

  it("the option query with an invalid expression is refused before anything is sent", async () => {
    const before = writes;
    for (const id of ["issue.list", "issue.create"]) {
      const { error } = await waybill.execute(id, {}, { query: "items[" });
      expect(error).toMatchObject({ code: "VALIDATION" });
    }
    expect(writes).toBe(before);
  });

  it("a call whose query fails on the data returns the whole data with a warning", async () => {
    const { ok, data, meta } = await waybill.execute("issue.create", {}, { query: "abs(title)" });
    expect([ok, data]).toEqual([true, { number: writes, title: "new" }]);
    expect(meta.warnings).toEqual([
      expect.stringContaining("the query was not applied") as unknown,
    ]);
  });
});

describe("option dry_run", () => {
  it("a dry run ignores query and select, but refuses an invalid query", async () => {
    const options = { dry_run: true, query: "items", select: ["items.*.title"] };
    const { data, meta } = await waybill.execute("issue.list", {}, options);
    expect(data).toEqual({ requests: [{ route: "local", operation: "issue.list", input: {} }] });
    expect(meta.warnings).toBeUndefined();
    const broken = await waybill.execute("issue.list", {}, { dry_run: true, query: "items[" });
    expect(broken.error?.code).toBe("VALIDATION");
  });
});

describe("meta.cost.tokens_out", () => {
  it.each([{ select: ["total"] }, { query: "total" }, { query: "abs(items)" }])(
    "meta.cost.tokens_out counts the answer as it is sent, with the options %j",
    async (options) => {
      const answer = await waybill.execute("issue.list", {}, { trace: true, ...options });
      const counted = answer.meta.cost!.tokens_out;
      expect(Math.abs(counted - estimateTokens(JSON.stringify(answer)))).toBeLessThan(5);
    },
  );
});

describe("option max_tokens", () => {
  it("an answer over max_tokens is cut and stored under a handle, and says how to read on", async () => {
    const answer = await waybill.execute("issue.list", {}, { max_tokens: 1_000 });
    expect(estimateTokens(JSON.stringify(answer))).toBeLessThanOrEqual(1_000);
    const { meta } = answer;
    expect(meta).toMatchObject({ truncated: true, handle: expect.any(String) as unknown });
    expect(meta.next?.[0]).toMatchObject({ capability_id: "result.read" });
  });

  it("a cut answer can be read to its end with result.read, without gaps or repeats", async () => {
    const { data, meta } = await waybill.execute("issue.list", {}, { max_tokens: 2_000 });
    const seen = [...(data as { items: object[] }).items];
    let next = meta.next?.[0];
    while (next !== undefined) {
      const page = await waybill.execute(next.capability_id, next.params);
      const { value, cursor } = page.data as { value: object[]; cursor: string | null };
      seen.push(...value);
      const { handle } = next.params as { handle: string };
      next = cursor === null ? undefined : { ...next, params: { handle, cursor } };
    }
    expect(seen).toEqual(items);
  });

  it("the option max_tokens is applied after query and select", async () => {
    const options = { query: "items", select: ["*.number"], max_tokens: 300 };
    const { data, meta } = await waybill.execute("issue.list", {}, options);
    expect(meta.truncated).toBe(true);
    expect((data as object[])[0]).toEqual({ number: 0 });
  });

  it("an answer over max_tokens is cut without a handle if there is no store", async () => {
    const bare = createWaybill({ operations: [list] });
    const { meta } = await bare.execute("issue.list", {}, { max_tokens: 1_000 });
    expect(meta.truncated).toBe(true);
    expect(meta).not.toHaveProperty("handle");
    expect((await bare.execute("result.read", { handle: "x" })).error?.code).toBe("NOT_FOUND");
  });
});

describe("access to stored results", () => {
  const long = defineOperation({
    id: "list.long",
    description: "A long list",
    effect: "read",
    handler: () => Array.from({ length: 500 }, (_, index) => `line ${index} of many`),
  });

  it("a stored result can be read by its caller and by the program without an identity, but not by other callers", async () => {
    const one = createWaybill({ operations: [long], handles: memoryHandles() });
    const [ada, bob] = ["ada", "bob"].map((id) => one.as({ id, scopes: [] }));
    const single = await ada!.execute("list.long", {}, { max_tokens: 300 });
    const chained = await ada!.chain([{ task: "list.long" }], { max_tokens: 300 });
    for (const { meta } of [single, ...chained.results]) {
      const params = { handle: meta.handle! };
      expect((await ada!.execute("result.read", params)).ok).toBe(true);
      expect((await one.execute("result.read", params)).ok).toBe(true);
      expect((await bob!.execute("result.read", params)).error?.code).toBe("NOT_FOUND");
    }
  });
});
