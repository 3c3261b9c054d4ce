import { memoryApprovals, memoryHandles } from "@waybill/core";
import { afterAll, describe, expect, it } from "vitest";
import { openShop } from "../fixtures/shop.ts";
import { memoryRunLog } from "../log/index.ts";
import { createCodeRunner } from "./index.ts";

const handles = memoryHandles();
const runner = createCodeRunner({ log: memoryRunLog(), handles });
afterAll(() => runner.close());

const DELETE = `const all = await order.list("octo/shop");
for (const o of all) await order.delete(\`octo/shop#\${o.number}\`);
return all.length`;

describe("approvals of a program's calls", () => {
  it("a program whose writes need an approval returns all its calls as one list and sends none of them", async () => {
    const shop = openShop();
    const { error, meta } = await runner.run(shop.waybill, DELETE);
    expect(error).toMatchObject({
      code: "POLICY",
      message: "10 × order.delete need an approval. Nothing was applied.",
      details: {
        outcome: "not_applied",
        approve: expect.any(String) as string,
        waiting: [
          {
            capability_id: "order.delete",
            count: 10,
            examples: [1, 2, 3].map((orderNumber) => ({
              owner: "octo",
              name: "shop",
              orderNumber,
            })),
          },
        ],
      },
    });
    const kept = await handles.read(String(meta.handle), 0, 10_000);
    expect(JSON.parse(kept!.text)).toHaveLength(10);
    expect(shop.applied).toEqual([]);
  });

  it("the approved calls of a program are sent once, even if the run continues without the program's text", async () => {
    const shop = openShop();
    const { error } = await runner.run(shop.waybill, DELETE);
    const approve = String(error?.details?.["approve"]);
    expect(await runner.run(shop.waybill, undefined, { approve })).toMatchObject({ ok: true });
    expect(shop.applied).toHaveLength(10);
    const again = await runner.run(shop.waybill, DELETE, { approve });
    expect(again.ok).toBe(true);
    expect(shop.applied).toHaveLength(10);
  });

  it("the calls of a program wait as one approval request, and a person can deny that request", async () => {
    const shop = openShop();
    const { error } = await runner.run(shop.waybill, DELETE);
    const pending = await shop.waybill.approvals.pending();
    expect(pending).toMatchObject([{ capability_id: "code.run" }]);
    expect(pending[0]?.params).toContain('"capability_id":"order.delete","count":10');
    await shop.waybill.approvals.answer(pending[0]!.id, false);
    const approve = String(error?.details?.["approve"]);
    const again = await runner.run(shop.waybill, DELETE, { approve });
    expect(again.error).toMatchObject({
      code: "POLICY",
      message: expect.stringContaining("A person denied this list") as string,
    });
    expect(shop.applied).toEqual([]);
  });

  it("a run repeated by its key says that a person denied the calls, and requests a new approval", async () => {
    const shop = openShop();
    const options = { idempotency_key: "denied-1" };
    const first = await runner.run(shop.waybill, DELETE, options);
    expect(first.error?.message).not.toContain("denied");
    const [waiting] = await shop.waybill.approvals.pending();
    await shop.waybill.approvals.answer(waiting!.id, false);
    const again = await runner.run(shop.waybill, DELETE, options);
    expect(again.error?.message).toBe(
      "10 × order.delete need an approval. A person denied this list before. Nothing was applied.",
    );
    const approve = String(again.error?.details?.["approve"]);
    expect((await runner.run(shop.waybill, DELETE, { approve })).ok).toBe(true);
    expect(shop.applied).toHaveLength(10);
  });

  it("a person can approve the calls of a program, and the run then continues by its key", async () => {
    const shop = openShop();
    await runner.run(shop.waybill, DELETE, { idempotency_key: "person-1" });
    const [waiting] = await shop.waybill.approvals.pending();
    await shop.waybill.approvals.answer(waiting!.id, true);
    const ended = await runner.run(shop.waybill, DELETE, { idempotency_key: "person-1" });
    expect([ended.ok, shop.applied.length]).toEqual([true, 10]);
    expect(await shop.waybill.approvals.pending()).toEqual([]);
  });

  it("an approval covers the list that the program read, even if an order was added after the approval", async () => {
    const shop = openShop({}, 3);
    const { error } = await runner.run(shop.waybill, DELETE);
    const first = String(error?.details?.["approve"]);
    shop.orders = 4;
    const program = DELETE;
    const { error: second } = await runner.run(shop.waybill, program, { approve: first });
    // The program reads the stored list after the approval, so the list is the same.
    expect(second).toBeNull();
    expect(shop.applied).toHaveLength(3);
  });

  it("a program asks for a second approval if the data that it reads has changed after the first approval", async () => {
    const shop = openShop({}, 2);
    const program = `await order.delete("octo/shop#1");
      for (const o of await order.list("octo/shop")) await order.delete(\`octo/shop#\${o.number}\`)`;
    const { error } = await runner.run(shop.waybill, program);
    expect(error?.details?.["waiting"]).toMatchObject([{ count: 3 }]);
    shop.orders = 3;
    const again = await runner.run(shop.waybill, program, {
      approve: String(error?.details?.["approve"]),
    });
    expect(again.error?.details).toMatchObject({
      waiting: [{ capability_id: "order.delete", count: 1, examples: [{ orderNumber: 3 }] }],
      writes: { applied: { "order.delete": 3 } },
    });
    expect(shop.applied).toEqual(["delete 1", "delete 1", "delete 2"]);
  });

  it("a changed list of a program's calls replaces the earlier approval request", async () => {
    const shop = openShop({}, 2);
    const program = `await order.delete("octo/shop#1");
      for (const o of await order.list("octo/shop")) await order.delete(\`octo/shop#\${o.number}\`)`;
    const options = { idempotency_key: "a-list-that-changes" };
    await runner.run(shop.waybill, program, options);
    const [first] = await shop.waybill.approvals.pending();
    shop.orders = 3;
    await runner.run(shop.waybill, program, options);
    const pending = await shop.waybill.approvals.pending();
    expect(pending).toHaveLength(1);
    expect(pending[0]!.id).not.toBe(first!.id);
  });

  it("an approval that was used for a write of a program does not cover a second write with equal input", async () => {
    const shop = openShop({}, 2);
    const program = `await order.delete("octo/shop#1");
      await order.view("octo/shop#3");
      await order.delete("octo/shop#1")`;
    const { error } = await runner.run(shop.waybill, program);
    expect(error?.details?.["waiting"]).toMatchObject([{ count: 1 }]);
    const approve = String(error?.details?.["approve"]);
    const failed = await runner.run(shop.waybill, program, { approve });
    expect(failed.error?.code).toBe("NOT_FOUND");
    shop.orders = 3;
    const again = await runner.run(shop.waybill, program, { approve });
    expect(again.error?.details).toMatchObject({ waiting: [{ count: 1 }] });
    expect(shop.applied).toEqual(["delete 1"]);
  });

  it("a program applies its writes before an approval once, and its later writes only after the approval", async () => {
    const shop = openShop();
    const program = `await order.note("octo/shop#1", { body: "before" });
      await Promise.all([order.delete("octo/shop#1"), order.note("octo/shop#1", { body: "after" })]);
      return "ok"`;
    const { error } = await runner.run(shop.waybill, program);
    expect(shop.applied).toEqual(["note 1 before"]);
    expect(error?.details).toMatchObject({
      waiting: [{ capability_id: "order.delete" }, { capability_id: "order.note" }],
      writes: { applied: { "order.note": 1 } },
    });
    const approve = String(error?.details?.["approve"]);
    expect(await runner.run(shop.waybill, program, { approve })).toMatchObject({ ok: true });
    expect(shop.applied).toEqual(["note 1 before", "delete 1", "note 1 after"]);
  });

  it.each([
    ["a read", "return stockRoom.countAll({ shelf: gone })", "delete 1"],
    ["a write", 'return order.note("octo/shop#2", { body: gone })', "delete 1"],
    [
      "a member of a write's input",
      'return order.note("octo/shop#2", { body: [gone] })',
      "delete 1",
    ],
  ])(
    "a program that needs an approval stops where it passes on the result of an unsent write: to %s",
    async (_what, rest, applied) => {
      const shop = openShop();
      const program = `const gone = await order.delete("octo/shop#1"); ${rest}`;
      const { error } = await runner.run(shop.waybill, program);
      const more = "The program reads the result of order.delete, which has not been sent yet";
      expect(error?.message).toContain(`1 × order.delete needs an approval. ${more}`);
      const approve = String(error?.details?.["approve"]);
      await runner.run(shop.waybill, program, { approve });
      expect(shop.applied).toEqual([applied]);
    },
  );
  it("a program that needs an approval stops where it reads the result of an unsent write", async () => {
    const shop = openShop();
    const program = `const gone = await order.delete("octo/shop#1");
      if (gone.deleted) await order.note("octo/shop#2", { body: "deleted" })`;
    const { error } = await runner.run(shop.waybill, program);
    expect(error?.details?.["waiting"]).toMatchObject([
      { capability_id: "order.delete", count: 1 },
    ]);
    const more = 'The program reads "deleted" of the result of order.delete';
    expect(error?.message).toContain(
      `${more}, which has not been sent yet, so more writes may follow. Nothing was applied.`,
    );
    expect((await shop.waybill.approvals.pending())[0]?.params).toContain("more writes may follow");
    const approve = String(error?.details?.["approve"]);
    expect(await runner.run(shop.waybill, program, { approve })).toMatchObject({ ok: true });
    expect(shop.applied).toEqual(["delete 1", "note 2 deleted"]);
  });

  it("an approval request of a program says that the program failed after the listed calls", async () => {
    const program = `await order.delete("octo/shop#1");
      await order.view("octo/shop#99")`;
    const { error } = await runner.run(openShop().waybill, program);
    expect(error?.message).toBe(
      "1 × order.delete needs an approval. Then the program failed: Line 2: There is no order 99. Nothing was applied.",
    );
  });

  it.each(["nothing.x", "", "made-up"])(
    "a run refuses an approval that was given for another list of calls: %j",
    async (approve) => {
      const shop = openShop();
      await runner.run(shop.waybill, DELETE);
      const { error } = await runner.run(shop.waybill, DELETE, { approve });
      expect(error?.code).toMatch(/POLICY|VALIDATION/);
      expect(shop.applied).toEqual([]);
    },
  );

  it("a program needs no approval if the policy asks for none", async () => {
    const shop = openShop({ policy: { confirm: "none" } });
    expect(await runner.run(shop.waybill, DELETE)).toMatchObject({ ok: true, data: { value: 10 } });
    expect(shop.applied).toHaveLength(10);
  });

  it('every write of a program needs an approval if the policy is confirm: "writes"', async () => {
    const shop = openShop({ policy: { confirm: "writes" } });
    const program = 'for (const n of [1, 2]) await order.note(`octo/shop#${n}`, { body: "x" })';
    const { error } = await runner.run(shop.waybill, program);
    expect(error?.details?.["waiting"]).toMatchObject([{ capability_id: "order.note", count: 2 }]);
    const approve = String(error?.details?.["approve"]);
    expect((await runner.run(shop.waybill, program, { approve })).ok).toBe(true);
    expect(shop.applied).toHaveLength(2);
  });

  it("a program cannot read the token that would approve its call", async () => {
    const program = 'const r = await order.delete.result("octo/shop#1"); return JSON.stringify(r)';
    const { error } = await runner.run(openShop().waybill, program);
    expect(error?.details?.["waiting"]).toMatchObject([{ count: 1 }]);
  });
});

describe("dry run of a program", () => {
  it("a dry run of a program sends no write and shows the writes that would be sent", async () => {
    const shop = openShop();
    const result = await runner.run(shop.waybill, DELETE, { dry_run: true });
    expect(result).toMatchObject({
      ok: true,
      data: { value: 10, waiting: [{ capability_id: "order.delete", count: 10 }] },
    });
    expect(shop.applied).toEqual([]);
  });

  it("a dry run of a program with the key of an interrupted run lists only the writes that a repeat would send", async () => {
    const shop = openShop();
    const program = `await order.note("octo/shop#1", { body: "first" });
      await Promise.all([2, 3].map((n) =>
        order.note(\`octo/shop#\${n}\`, { body: n === 3 ? "refuse" : "second" })));
      return (await order.note("octo/shop#4", { body: "last" })).id`;
    const options = { idempotency_key: "dry after a failure" };
    expect(await runner.run(shop.waybill, program, options)).toMatchObject({ ok: false });
    const dry = await runner.run(shop.waybill, program, { ...options, dry_run: true });
    expect(dry).toMatchObject({
      ok: true,
      data: {
        writes: { applied: { "order.note": 2 }, not_applied: { "order.note": 1 } },
        waiting: [{ count: 2, examples: [{ orderNumber: 3 }, { orderNumber: 4 }] }],
      },
    });
    expect(shop.applied).toEqual(["note 1 first", "note 2 second"]);
  });

  it("a dry run of a program with the key of a finished run lists no writes and says what was applied", async () => {
    const shop = openShop();
    const program = 'return (await order.note("octo/shop#1", { body: "x" })).id';
    const options = { idempotency_key: "dry after the end" };
    await runner.run(shop.waybill, program, options);
    const dry = await runner.run(shop.waybill, program, { ...options, dry_run: true });
    expect(dry.data).toEqual({
      value: "n1",
      writes: { applied: { "order.note": 1 } },
      waiting: [],
    });
  });

  it("a dry run of a program reports a write whose input is invalid", async () => {
    const shop = openShop();
    const program = 'const x = { body: 7 * 6 > 3 }; await order.note("octo/shop#1", x)';
    const { error } = await runner.run(shop.waybill, program, { dry_run: true });
    expect(error?.code).toBe("VALIDATION");
    expect(shop.applied).toEqual([]);
  });
});

describe("approvals by a person", () => {
  it("calls of a program that wait for a person are one list, and the run continues by its key after approval", async () => {
    const store = memoryApprovals();
    const shop = openShop({ policy: { approvals: "person" }, approvals: store });
    const program = `for (const n of [1, 2]) await order.delete(\`octo/shop#\${n}\`);
      await order.note("octo/shop#3", { body: "deleted" })`;
    const { error } = await runner.run(shop.waybill, program);
    expect(error?.details).toMatchObject({
      waiting: [{ capability_id: "order.delete", count: 2 }, { capability_id: "order.note" }],
      key: expect.any(String) as string,
    });
    expect(error?.details).not.toHaveProperty("approve");
    expect(shop.applied).toEqual([]);
    expect(await shop.waybill.approvals.pending()).toMatchObject([
      { capability_id: "code.run", state: "waiting" },
    ]);
    const denied = String(error?.details?.["key"]);
    const still = await runner.run(shop.waybill, program, { idempotency_key: denied });
    expect(still.error?.code).toBe("POLICY");
    expect(await store.list()).toHaveLength(1);
    const [waiting] = await store.list();
    expect(await shop.waybill.approvals.answer(waiting!.id, true)).toBe(true);
    const idempotency_key = String(error?.details?.["key"]);
    const again = await runner.run(shop.waybill, program, { idempotency_key });
    expect(again.error).toBeNull();
    expect(shop.applied).toEqual(["delete 1", "delete 2", "note 3 deleted"]);
  });
});
