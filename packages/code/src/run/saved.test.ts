import { createWaybill, memoryApprovals, memoryHandles, memoryJournal } from "@waybill/core";
import { cardOperation, prepareCard } from "@waybill/core/cards";
import type { Card, CallRecord, Operation, Waybill, WaybillOptions } from "@waybill/core";
import { afterAll, describe, expect, it } from "vitest";
import { openShop } from "../fixtures/shop.ts";
import { memoryRunLog } from "../log/index.ts";
import { createCodeRunner, readProgramCalls } from "./index.ts";

const runner = createCodeRunner({ log: memoryRunLog(), handles: memoryHandles() });
afterAll(() => runner.close());

const ANY = { type: "object" } as const;
const COUNTED: Partial<Card> = {
  input_schema: {
    type: "object",
    properties: { repo: { type: "string" }, most: { type: "integer" } },
    required: ["repo"],
  },
};

interface Saved {
  readonly waybill: Waybill;
  readonly applied: string[];
  readonly records: CallRecord[];
}

/** A shop with saved programs. Maps each id to its code and the other members of its card. */
async function shopWith(
  programs: Readonly<Record<string, string | (Partial<Card> & { code: string })>>,
  options: WaybillOptions = {},
  operations?: readonly Operation[],
): Promise<Saved> {
  const records: CallRecord[] = [];
  const shop = openShop({}, 12);
  const saved = Object.entries(programs).map(async ([id, given]) => {
    const more = typeof given === "string" ? { code: given } : given;
    const calls = (await readProgramCalls(more.code)).calls ?? [];
    const base = { version: "1.0.0", description: "Saved", effect: "destructive" } as const;
    const card: Card = {
      capability_id: id,
      ...base,
      input_schema: ANY,
      output_schema: true,
      calls,
      ...more,
    };
    return cardOperation(await prepareCard(card), { routes: [], programs: runner.programs });
  });
  const waybill = createWaybill({
    operations: [...(operations ?? shop.operations), ...(await Promise.all(saved))],
    journal: memoryJournal(),
    approvals: memoryApprovals(),
    observer: { onCall: (record) => void records.push(record) },
    ...options,
  });
  return { waybill, applied: shop.applied, records };
}

const COUNT = `const all = await order.list(input.repo);
return { count: Math.min(all.length, input.most ?? 100) }`;
const DELETE = `const all = await order.list("octo/shop");
await order.note("octo/shop#1", { body: "before" });
for (const o of all) await order.delete(\`octo/shop#\${o.number}\`);
return all.length`;

describe("saved programs", () => {
  it("a saved program is called like any capability, and its input is checked", async () => {
    const { waybill } = await shopWith({ "shop.count": { code: COUNT, ...COUNTED } });
    expect(await waybill.execute("shop.count", { repo: "octo/shop", most: 5 })).toMatchObject({
      ok: true,
      data: { count: 5 },
      meta: { capability_id: "shop.count", route_used: "local" },
    });
    const { error } = await waybill.execute("shop.count", { repository: "octo/shop" });
    expect(error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
  });

  it("a saved program may write an id with hyphens in camelCase", async () => {
    const code = 'return (await stockRoom.countAll({ shelf: "a" })).count';
    const { waybill } = await shopWith({ "shop.stock": { code, effect: "read" } });
    expect((await waybill.execute("shop.stock", {})).data).toBe(3);
  });

  it("a saved program that calls an alias id is refused if the effect of that operation is greater than its own", async () => {
    const shop = openShop({}, 3);
    const [view, , note] = shop.operations;
    const renamed = [view!, { ...note!, spec: { ...note!.spec, alsoCalled: ["order.remark"] } }];
    const code = 'await order.remark("octo/shop#1", { body: "hi" }); return 1';
    for (const effect of ["read", "write"] as const) {
      const { waybill } = await shopWith({ "shop.greet": { code, effect } }, {}, renamed);
      const { ok, error } = await waybill.execute("shop.greet", {});
      expect([ok, error?.code]).toEqual(effect === "read" ? [false, "POLICY"] : [true, undefined]);
    }
    expect(shop.applied).toEqual(["note 1 hi"]);
  });

  it("list_capabilities and explain show a saved program with the ids that it calls", async () => {
    const { waybill } = await shopWith({ "shop.count": { code: COUNT, effect: "read" } });
    const listed = await waybill.list_capabilities({ domain: "shop" });
    expect(listed.map(({ capability_id }) => capability_id)).toEqual(["shop.count"]);
    expect(await waybill.explain("shop.count")).toMatchObject({
      effect: "read",
      notes: ["a saved program that calls order.list"],
    });
  });

  it("chains, programs and other saved programs can call a saved program", async () => {
    const { waybill } = await shopWith({
      "shop.count": { code: COUNT, ...COUNTED, effect: "read" },
      "shop.twice": {
        code: 'const r = await shop.count({ repo: "octo/shop" }); return r.count * 2',
        effect: "read",
      },
    });
    const chain = await waybill.chain([
      { id: "a", task: "shop.twice" },
      { task: "order.view", input: { owner: "o", name: "n", orderNumber: { $from: "a.data" } } },
    ]);
    expect(chain.results[0]).toMatchObject({ ok: true, data: 20 });
    const result = await runner.run(waybill, "return Promise.all([shop.twice(), shop.twice()])");
    expect(result.data).toEqual({ value: [20, 20] });
  });

  it("a call of a saved program returns a warning if the value does not match the output schema", async () => {
    const code = 'return { count: "many" }';
    const schema = { type: "object", properties: { count: { type: "integer" } } } as const;
    const { waybill } = await shopWith({ "shop.bad": { code, output_schema: schema } });
    const { ok, meta } = await waybill.execute("shop.bad", {});
    expect([ok, meta.warnings?.join()]).toEqual([true, expect.stringContaining("/count")]);
  });

  it("the error for a mistake in a saved program names the line", async () => {
    const { waybill } = await shopWith({
      "shop.bad": 'const o = await order.view("octo/shop#1");\nreturn o.titel',
    });
    const { error } = await waybill.execute("shop.bad", {});
    expect(error?.message).toContain('shop.bad: Line 2: "titel" is not a member');
  });
});

describe("ids that a saved program calls", () => {
  it("a call of a saved program sends nothing if the policy denies one of the ids that the program calls", async () => {
    const { waybill, applied } = await shopWith(
      { "shop.clean": DELETE },
      { policy: { deny: ["order.delete"] } },
    );
    const { error } = await waybill.execute("shop.clean", {});
    expect(error).toMatchObject({ code: "POLICY", details: { outcome: "not_applied" } });
    expect(applied).toEqual([]);
  });

  it("a saved program is refused if it calls an id with a greater effect than its card declares", async () => {
    const { waybill, applied } = await shopWith({
      "shop.clean": { code: DELETE, effect: "write" },
    });
    const { error } = await waybill.execute("shop.clean", {});
    expect(error).toMatchObject({
      code: "POLICY",
      message:
        "shop.clean is declared as a write, but its program calls order.delete, whose effect is destructive",
      details: { hint: "Declare shop.clean with the effect destructive" },
    });
    expect(applied).toEqual([]);
  });

  it("the error for a saved program that calls an id that does not exist names that id", async () => {
    const { waybill } = await shopWith({ "shop.bad": "return order.lst('octo/shop')" });
    const { error } = await waybill.execute("shop.bad", {});
    expect(error).toMatchObject({
      code: "NOT_FOUND",
      message: "shop.bad has a program that calls order.lst, which does not exist here",
      details: { did_you_mean: expect.arrayContaining(["order.list"]) as string[] },
    });
  });

  it("a saved program cannot call an id that its card does not list, not even by a computed name", async () => {
    const code = `const all = order; const name = "delete";
      await all[name]("octo/shop#1")`;
    const { waybill, applied } = await shopWith({ "shop.sly": { code, calls: ["order.view"] } });
    const { error } = await waybill.execute("shop.sly", {});
    expect(error?.message).toContain("order.delete is not among the ids");
    expect(applied).toEqual([]);
  });

  it("saved programs that call each other in a cycle are refused", async () => {
    const { waybill } = await shopWith({
      "shop.a": "return shop.b()",
      "shop.b": "return shop.a()",
      "shop.own": "return shop.own()",
    });
    for (const [id, way] of [
      ["shop.a", "shop.a → shop.b → shop.a"],
      ["shop.own", "shop.own → shop.own"],
    ] as const) {
      const { error } = await waybill.execute(id, {});
      expect(error?.message).toContain(`${way} is a cycle`);
    }
  });

  it("a saved program with a computed id is refused, because its ids must be literal", async () => {
    const program = "const x = 'list'; return order[x]('octo/shop')";
    expect((await readProgramCalls(program)).problem).toContain("order[…] is computed");
    const called = await readProgramCalls("const id = 'a.b'; return waybill.call(id)");
    expect(called.problem).toContain("Line 1: the id of waybill.call is computed");
    const good = 'await waybill.call("a.b"); return issue.list.page("x/y")';
    expect((await readProgramCalls(good)).calls).toEqual(["a.b", "issue.list"]);
  });
});

describe("writes of a saved program", () => {
  it("the writes of a saved program wait as one list, and one approval covers that list", async () => {
    const { waybill, applied } = await shopWith({ "shop.clean": DELETE });
    const { error } = await waybill.execute("shop.clean", {});
    expect(error).toMatchObject({
      code: "POLICY",
      details: { waiting: [{ capability_id: "order.delete", count: 10 }], outcome: "applied" },
    });
    const pending = await waybill.approvals.pending();
    expect(pending).toMatchObject([{ capability_id: "shop.clean", state: "waiting" }]);
    expect(pending[0]?.params).toContain('"count":10');
    expect(applied).toEqual(["note 1 before"]);
    const approve = String(error?.details?.["approve"]);
    expect(await waybill.execute("shop.clean", {}, { approve })).toMatchObject({ data: 10 });
    expect(applied).toHaveLength(11);
    expect(await waybill.approvals.pending()).toEqual([]);
  });

  it("a saved program with an idempotency key writes once, and other input with that key is a conflict", async () => {
    const code = 'await order.note("octo/shop#1", { body: input.body }); return input.body';
    const input_schema = { type: "object", properties: { body: { type: "string" } } } as const;
    const { waybill, applied } = await shopWith({ "shop.note": { code, input_schema } });
    const once = { idempotency_key: "saved-once" };
    const [first, again] = [
      await waybill.execute("shop.note", { body: "a" }, once),
      await waybill.execute("shop.note", { body: "a" }, once),
    ];
    expect([first.data, again.data, applied.length]).toEqual(["a", "a", 1]);
    const other = await waybill.execute("shop.note", { body: "b" }, once);
    expect(other.error).toMatchObject({ code: "CONFLICT", details: { outcome: "not_applied" } });
  });

  it("a dry run of a saved program shows its writes and sends none", async () => {
    const { waybill, applied } = await shopWith({ "shop.clean": DELETE });
    expect(await waybill.execute("shop.clean", {}, { dry_run: true })).toMatchObject({
      ok: true,
      data: {
        requests: [
          { capability_id: "order.note", count: 1 },
          { capability_id: "order.delete", count: 10 },
        ],
      },
    });
    expect(applied).toEqual([]);
  });

  it("a program's approval list contains the writes of the saved programs that it calls", async () => {
    const { waybill, applied } = await shopWith({ "shop.clean": DELETE });
    const program = 'await order.delete("octo/shop#12"); await shop.clean(); return "done"';
    const { error } = await runner.run(waybill, program);
    expect(error?.details?.["waiting"]).toMatchObject([
      { capability_id: "order.delete", count: 11 },
      { capability_id: "order.note", count: 1 },
    ]);
    expect(await waybill.approvals.pending()).toHaveLength(1);
    expect(applied).toEqual([]);
    const approve = String(error?.details?.["approve"]);
    expect(await runner.run(waybill, undefined, { approve })).toMatchObject({
      data: { value: "done" },
    });
    expect(applied).toHaveLength(12);
  });

  it("one approval of a program covers the writes of the saved programs that it calls", async () => {
    const code = `for (const o of await order.list("octo/shop")) {
      if (o.number <= 2 + (globalThis.extra ?? 0)) await order.delete(\`octo/shop#\${o.number}\`);
    }`;
    const { waybill, applied } = await shopWith({ "shop.clean": code });
    const { error } = await runner.run(waybill, "await shop.clean(); return 1");
    expect(error?.details?.["waiting"]).toMatchObject([{ count: 2 }]);
    const approve = String(error?.details?.["approve"]);
    expect((await runner.run(waybill, undefined, { approve })).ok).toBe(true);
    expect(applied).toEqual(["delete 1", "delete 2"]);
  });

  it("the writes of a saved program wait for a person if the policy says so", async () => {
    const policy = { approvals: "person" } as const;
    const { waybill, applied } = await shopWith({ "shop.clean": DELETE }, { policy });
    const { error } = await waybill.execute("shop.clean", {});
    expect(error?.details).not.toHaveProperty("approve");
    const { approval, key } = error?.details ?? {};
    expect(await waybill.approvals.answer(String(approval), true)).toBe(true);
    const options = { idempotency_key: String(key) };
    expect(await waybill.execute("shop.clean", {}, options)).toMatchObject({ data: 10 });
    expect(applied).toHaveLength(11);
  });
});

it("the observer gets a record of each run with its calls, including replayed and waiting calls", async () => {
  const { waybill, records } = await shopWith({});
  const program =
    'await order.view("octo/shop#1"); await order.note("octo/shop#1", { body: "x" }); return order.delete("octo/shop#2")';
  const { error } = await runner.run(waybill, program);
  await runner.run(waybill, undefined, { approve: String(error?.details?.["approve"]) });
  const shown = records.map(({ kind, capability_id }) => `${kind} ${capability_id}`);
  expect(shown).toEqual([
    "call order.view",
    "call order.note",
    "waiting order.delete",
    "code code.run",
    "replayed order.view",
    "replayed order.note",
    "call order.delete",
    "code code.run",
  ]);
  const [first, second] = records.filter(({ kind }) => kind === "code");
  expect(records.slice(0, 3).every(({ parent_id }) => parent_id === first?.request_id)).toBe(true);
  expect(records.slice(4, 7).every(({ parent_id }) => parent_id === second?.request_id)).toBe(true);
  expect(second?.params).toEqual({ code: program });
  expect(records[4]?.params).toEqual(records[0]?.params);
});

it("more saved programs than there are worker threads can run at the same time", async () => {
  const { waybill } = await shopWith({
    "shop.one": { code: 'return (await order.view("octo/shop#1")).number', effect: "read" },
  });
  const program = "return (await Promise.all([1, 2, 3, 4].map(() => shop.one()))).length";
  const runs = Array.from({ length: 12 }, () => runner.run(waybill, program));
  expect((await Promise.all(runs)).map(({ data }) => data)).toEqual(
    Array.from({ length: 12 }, () => ({ value: 4 })),
  );
});
