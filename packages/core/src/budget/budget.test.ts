import * as fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { OperationRegistry } from "../execute/index.ts";
import { describe, expect, it } from "vitest";
import { failureResult, isResultEnvelope, successResult } from "../envelope/index.ts";
import type { ResultEnvelope, ResultMeta } from "../envelope/index.ts";
import { applyBudget, memoryHandles, resultReadOperation } from "./index.ts";
import type { HandleStore, ResultPage } from "./index.ts";

const META: ResultMeta = {
  capability_id: "issue.list",
  route_used: "graphql",
  reason: "CARD_PREFERRED",
};
const items = Array.from({ length: 300 }, (_, id) => ({ id, title: `Issue number ${id}` }));

function getTokens(result: ResultEnvelope): number {
  return encode(JSON.stringify(result), { disallowedSpecial: new Set() }).length;
}

async function follow(store: HandleStore, result: ResultEnvelope): Promise<ResultPage> {
  const [next] = result.meta.next!;
  const registry = new OperationRegistry();
  registry.register(resultReadOperation(store));
  const { data } = await registry.execute("result.read", next!.params);
  return data as ResultPage;
}

describe("applyBudget on a success", () => {
  it("an answer that fits its token budget is unchanged and reports its token cost", async () => {
    const result = await applyBudget(successResult({ id: 1 }, META), 500);
    expect(result.data).toEqual({ id: 1 });
    expect(result.meta).toEqual({ ...META, cost: { tokens_out: expect.any(Number) as number } });
    expect(result.meta.cost!.tokens_out).toBeGreaterThanOrEqual(getTokens(result));
  });

  it.each([200, 500, 2_000])(
    "an answer that is cut to %i tokens fills at least 70% of them and says how to read on",
    async (budget) => {
      const store = memoryHandles();
      const result = await applyBudget(successResult({ items }, META), budget, { store });
      const shown = (result.data as { items: unknown[] }).items;
      expect(getTokens(result)).toBeLessThanOrEqual(budget);
      expect(getTokens(result)).toBeGreaterThanOrEqual(budget * 0.7);
      expect(result.meta).toMatchObject({
        truncated: true,
        cost: { tokens_out: expect.any(Number) as number },
      });
      expect(result.meta.next![0]!.reason).toBe(`items: ${shown.length} of 300 shown`);
      const page = await follow(store, result);
      expect(page).toMatchObject({ path: "items", from: shown.length, total: 300 });
      expect([...shown, ...(page.value as unknown[])]).toEqual(items.slice(0, page.to));
    },
  );

  it("the page that follows a cut answer fits the budget of the answer", async () => {
    const store = memoryHandles();
    const cut = await applyBudget(successResult({ items }, META), 200, { store });
    const page = await follow(store, cut);
    const meta: ResultMeta = { ...META, capability_id: "result.read" };
    const answer = await applyBudget(successResult(page, meta), 200, { store });
    expect(answer.meta.truncated).toBeUndefined();
  });

  it("a log that is cut to a token budget keeps its end, and the next page contains the lines before that end", async () => {
    const store = memoryHandles();
    const log = items.map(({ title }) => title).join("\n");
    const result = await applyBudget(successResult({ log }, META), 300, { store });
    const tail = (result.data as { log: string }).log;
    expect(log.endsWith(tail)).toBe(true);
    const page = await follow(store, result);
    expect(log.endsWith(`${String(page.value)}${tail}`)).toBe(true);
  });

  it("an answer is cut without a handle if there is no store, and with a warning if the store fails", async () => {
    const lost = await applyBudget(successResult(items, META), 300);
    expect(lost.meta).toMatchObject({ truncated: true });
    expect(lost.meta.handle ?? lost.meta.next).toBeUndefined();
    const store = memoryHandles({ maxBytes: 10 });
    const { meta } = await applyBudget(successResult(items, META), 300, { store });
    expect(meta.warnings).toEqual([
      "the rest of the answer could not be stored; request less data at a time",
    ]);
  });

  it("a token budget below the minimum is raised to the minimum", async () => {
    const result = await applyBudget(successResult(items, META), 1);
    expect((result.data as unknown[]).length).toBeGreaterThan(3);
  });

  it("long warnings and attempts leave room for the data of an answer that is cut to its token budget", async () => {
    const warnings = items.map(({ title }) => title.repeat(9));
    const attempts = items.map((_, n) => ({
      route: "rest" as const,
      status: "error" as const,
      duration_ms: n,
    }));
    const result = await applyBudget(successResult(items, { ...META, warnings, attempts }), 400);
    expect(getTokens(result)).toBeLessThanOrEqual(400);
    expect((result.data as unknown[]).length).toBeGreaterThan(3);
  });
});

describe("applyBudget on a failure", () => {
  const error = { code: "VALIDATION", message: "Wrong input", retryable: false } as const;

  it("a failure that fits its token budget is kept whole", async () => {
    const details = { outcome: "not_applied", issues: [{ path: "/a", message: "is missing" }] };
    const result = await applyBudget(failureResult({ ...error, details }, META), 300);
    expect(result.error).toEqual({ ...error, details });
  });

  it("a failure over its token budget loses its long details first and keeps outcome and hint", async () => {
    const store = memoryHandles();
    const issues = items.map(({ title }) => ({ path: "/a", message: title }));
    const details = { outcome: "not_applied", hint: "Look again", issues };
    const given = failureResult({ ...error, details }, META);
    const result = await applyBudget(given, 300, { store });
    expect(getTokens(result)).toBeLessThanOrEqual(300);
    expect(result.error).toMatchObject({
      ...error,
      details: { outcome: "not_applied", hint: "Look again" },
    });
    expect(result.meta.next![0]!.reason).toMatch(/^details\.issues: \d+ of 300 shown$/);
    expect(isResultEnvelope(result)).toBe(true);
  });

  it("a failure over its token budget gets a shorter message", async () => {
    const given = failureResult({ ...error, message: "no ".repeat(5_000) }, META);
    const result = await applyBudget(given, 200);
    expect(getTokens(result)).toBeLessThanOrEqual(200);
    expect(result.error!.message).toMatch(/^no no no/);
  });
});

describe("applyBudget for any data", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 3_000, size: "max" }),
    fc.string({ maxLength: 1_000, size: "max", unit: "binary" }),
    fc.lorem({ maxCount: 200 }),
  );
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 12 }),
      fc.dictionary(fc.string({ maxLength: 40 }), tie("value"), { maxKeys: 12 }),
    ),
  })).value;

  it("applyBudget keeps any data within any token budget and returns a valid envelope", async () => {
    const store = memoryHandles();
    const anything = fc.asyncProperty(
      fc.oneof(json, fc.array(json, { minLength: 20, maxLength: 60 })),
      fc.integer({ min: 200, max: 3_000 }),
      fc.boolean(),
      async (data, budget, isKept) => {
        const given = successResult(data, META);
        const result = await applyBudget(given, budget, isKept ? { store } : {});
        expect(getTokens(result)).toBeLessThanOrEqual(budget);
        expect(isResultEnvelope(JSON.parse(JSON.stringify(result)))).toBe(true);
        expect(result.meta.cost!.tokens_out).toBeGreaterThanOrEqual(getTokens(result));
      },
    );
    await fc.assert(anything, { numRuns: 100, seed: 1 });
  });
});
