import { describe, expect, it } from "vitest";
import { fail } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { memoryJournal } from "../../router/index.ts";
import { createWaybill } from "../index.ts";

function counter(answer: (count: number) => unknown = (count) => ({ count })) {
  let count = 0;
  const create = defineOperation({
    id: "issue.create",
    description: "Open an issue",
    input: { type: "object", properties: { title: { type: "string" } } },
    handler: () => {
      const data = answer((count += 1));
      if (data instanceof Error) throw data;
      return data;
    },
  });
  const view = defineOperation({
    id: "issue.view",
    description: "Show an issue",
    effect: "read",
    handler: () => (count += 1),
  });
  return { operations: [create, view], count: () => count };
}

const idempotency_key = "k1";

async function answerWith(problem: string | undefined, id: string) {
  const journal = { ...memoryJournal(), check: async () => {}, problem };
  const one = createWaybill({ operations: counter().operations, journal });
  return one.execute(id, {});
}

describe("warning about a broken journal", () => {
  it("a write without an idempotency key returns a warning if the journal is damaged, and a read does not", async () => {
    const broken = await answerWith("The journal is damaged", "issue.create");
    expect(broken.meta.warnings).toEqual([
      expect.stringMatching(/^The journal is damaged; this call was made, because it has no key/u),
    ]);
    expect(
      (await answerWith("The journal is damaged", "issue.view")).meta.warnings,
    ).toBeUndefined();
    expect((await answerWith(undefined, "issue.create")).meta.warnings).toBeUndefined();
  });
});

describe("idempotency_key", () => {
  it("a repeat of a write with its idempotency key returns the recorded answer, and the write runs once", async () => {
    const { operations, count } = counter();
    const one = createWaybill({ operations, journal: memoryJournal() });
    const first = await one.execute("issue.create", { title: "a" }, { idempotency_key });
    const second = await one.execute("issue.create", { title: "a" }, { idempotency_key });
    expect(first.meta.replayed).toBeUndefined();
    expect(second).toEqual({ ...first, meta: { ...first.meta, replayed: true } });
    expect(count()).toBe(1);
  });

  it("a failed repeat of a keyed write is not reported as not_applied if an earlier call with the key was applied", async () => {
    const { operations, count } = counter();
    const journal = memoryJournal();
    const input = { title: "a" };
    const one = createWaybill({ operations, journal });
    await one.execute("issue.create", input, { idempotency_key });
    const strict = createWaybill({ operations, journal, policy: { deny: ["issue.create"] } });
    const denied = await strict.execute("issue.create", input, { idempotency_key });
    expect(denied.error).toMatchObject({ code: "POLICY", details: { outcome: "applied" } });
    const signal = AbortSignal.abort();
    const aborted = await one.execute("issue.create", input, { idempotency_key, signal });
    expect(aborted.error).toMatchObject({ code: "CANCELLED", details: { outcome: "unknown" } });
    const unused = await strict.execute("issue.create", input, { idempotency_key: "k2" });
    expect(unused.error).toMatchObject({ details: { outcome: "not_applied" } });
    expect(count()).toBe(1);
  });

  it("a chain step that is not run is reported as unknown if an earlier chain used its idempotency key", async () => {
    const { operations, count } = counter();
    const one = createWaybill({ operations, journal: memoryJournal() });
    const steps = [
      { id: "one", task: "issue.create", input: { title: "a" } },
      { id: "two", task: "issue.create", input: { title: { $text: "{{one.data.count}}" } } },
    ];
    await one.chain(steps, { idempotency_key });
    const wrong = [{ ...steps[0]!, input: { title: 1 } }, steps[1]!];
    const { results } = await one.chain(wrong, { idempotency_key });
    expect(results.map(({ error }) => error?.details?.["outcome"])).toEqual(["unknown", "unknown"]);
    const fresh = await one.chain(wrong, { idempotency_key: "k2" });
    const outcomes = fresh.results.map(({ error }) => error?.details?.["outcome"]);
    expect([outcomes, count()]).toEqual([["not_applied", "not_applied"], 2]);
  });

  it("a dry run with a used idempotency key lists no request and says that the result is recorded", async () => {
    const { operations, count } = counter();
    const one = createWaybill({ operations, journal: memoryJournal() });
    const asked = { idempotency_key, dry_run: true };
    const before = await one.execute("issue.create", { title: "a" }, asked);
    expect(before.data).toMatchObject({ requests: [{ operation: "issue.create" }] });
    expect(before.meta.warnings).toBeUndefined();
    await one.execute("issue.create", { title: "a" }, { idempotency_key });
    const after = await one.execute("issue.create", { title: "a" }, asked);
    expect(after.data).toEqual({ requests: [] });
    expect(after.meta.warnings).toEqual([expect.stringContaining("returns the recorded result")]);
    const other = await one.execute("issue.create", { title: "b" }, asked);
    expect(other.error).toMatchObject({ code: "CONFLICT" });
    expect(count()).toBe(1);
  });

  it("a dry run with the idempotency key of a lost write says that a call will first check whether the write was applied", async () => {
    const lost = fail("NETWORK", "lost", { outcome: "unknown" });
    const one = createWaybill({
      operations: counter(() => lost).operations,
      journal: memoryJournal(),
    });
    await one.execute("issue.create", {}, { idempotency_key });
    const { data, meta } = await one.execute(
      "issue.create",
      {},
      { idempotency_key, dry_run: true },
    );
    expect(data).toMatchObject({ requests: [{ operation: "issue.create" }] });
    expect(meta.warnings).toEqual([expect.stringContaining("first checks whether the write was")]);
  });

  it("a dry run of a chain warns in each step that was run before with its idempotency key", async () => {
    const { operations } = counter();
    const one = createWaybill({ operations, journal: memoryJournal() });
    const steps = [
      { id: "one", task: "issue.create", input: { title: "a" } },
      { task: "issue.create", input: { title: { $text: "{{one.data.count}}" } } },
    ];
    await one.chain(steps, { idempotency_key });
    const { results } = await one.chain(steps, { idempotency_key, dry_run: true });
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    for (const { meta } of results) {
      expect(meta.warnings).toContainEqual(expect.stringContaining("This key was used before"));
    }
  });

  it("two callers can use one idempotency key, but one caller can reuse a key only for equal input", async () => {
    const { operations, count } = counter();
    const one = createWaybill({ operations, journal: memoryJournal() });
    const other = one.as({ id: "ada", scopes: [] });
    await one.execute("issue.create", { title: "a" }, { idempotency_key });
    expect((await other.execute("issue.create", { title: "b" }, { idempotency_key })).ok).toBe(
      true,
    );
    const { error } = await one.execute("issue.create", { title: "b" }, { idempotency_key });
    expect(error).toMatchObject({ code: "CONFLICT", details: { outcome: "not_applied" } });
    expect(count()).toBe(2);
  });

  it("concurrent calls with one idempotency key share one write", async () => {
    const { operations, count } = counter();
    const one = createWaybill({ operations, journal: memoryJournal() });
    const calls = [1, 2, 3].map(() => one.execute("issue.create", {}, { idempotency_key }));
    const answers = await Promise.all(calls);
    expect(answers.map(({ data }) => data)).toEqual([{ count: 1 }, { count: 1 }, { count: 1 }]);
    expect(count()).toBe(1);
  });

  it("a call that waits for another call with its idempotency key ends at its deadline or signal", async () => {
    const { operations } = counter(() => new Promise(() => {}));
    const one = createWaybill({ operations, journal: memoryJournal() });
    void one.execute("issue.create", {}, { idempotency_key });
    const late = await one.execute("issue.create", {}, { idempotency_key, deadline_ms: 20 });
    expect(late.error).toMatchObject({ code: "TIMEOUT" });
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = one.execute("issue.create", {}, { idempotency_key, signal });
    controller.abort();
    expect((await waiting).error).toMatchObject({ code: "CANCELLED" });
  });

  it("an idempotency key is free again after a failure that applied nothing", async () => {
    const { operations, count } = counter((n) =>
      n === 1 ? fail("CONFLICT", "locked", { outcome: "not_applied" }) : { n },
    );
    const one = createWaybill({ operations, journal: memoryJournal() });
    expect((await one.execute("issue.create", {}, { idempotency_key })).error?.code).toBe(
      "CONFLICT",
    );
    expect((await one.execute("issue.create", {}, { idempotency_key })).data).toEqual({ n: 2 });
    expect(count()).toBe(2);
  });

  it("an idempotency key is refused without a journal, or if the journal cannot be written", async () => {
    const { operations, count } = counter();
    const closed = memoryJournal();
    await closed.close();
    const expected = [
      [{ operations }, { code: "ADAPTER_UNSUPPORTED", details: { outcome: "not_applied" } }],
      // An earlier call with this key may have been applied, and the journal cannot tell.
      [
        { operations, journal: closed },
        { code: "NOT_READY", details: { outcome: "unknown" } },
      ],
    ] as const;
    for (const [options, failure] of expected) {
      const one = createWaybill(options);
      const { error } = await one.execute("issue.create", {}, { idempotency_key });
      expect(error).toMatchObject(failure);
      expect((await one.execute("issue.view", {}, { idempotency_key })).ok).toBe(true);
    }
    expect(count()).toBe(2);
  });

  it("an idempotency key has no effect on reads", async () => {
    const { operations, count } = counter();
    const one = createWaybill({ operations, journal: memoryJournal() });
    await one.execute("issue.view", {}, { idempotency_key });
    await one.execute("issue.view", {}, { idempotency_key });
    expect(count()).toBe(2);
  });

  it("an idempotency key records the whole answer, whatever the first call selected", async () => {
    const { operations } = counter(() => ({ title: "a", body: "b" }));
    const one = createWaybill({ operations, journal: memoryJournal() });
    const options = { idempotency_key, select: ["title"] };
    expect((await one.execute("issue.create", {}, options)).data).toEqual({ title: "a" });
    const again = await one.execute("issue.create", {}, { idempotency_key });
    expect(again.data).toEqual({ title: "a", body: "b" });
  });
});
