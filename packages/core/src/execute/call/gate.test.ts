import { describe, expect, it } from "vitest";
import { defineOperation } from "../../operation/index.ts";
import type { Effect } from "../../operation/index.ts";
import { fail } from "../../envelope/index.ts";
import { memoryJournal } from "../../router/index.ts";
import { createWaybill } from "../index.ts";
import type { Waybill } from "../index.ts";
import type { Policy } from "../../policy/index.ts";

const calls: unknown[] = [];
function operation(id: string, effect: Effect) {
  return defineOperation({
    id,
    description: "An operation",
    effect,
    input: { type: "object", properties: { number: { type: "integer" } } },
    handler: (input) => calls.push([id, input]),
  });
}
const operations = [
  operation("issue.view", "read"),
  operation("issue.create", "write"),
  operation("issue.delete", "destructive"),
];
const secretive = defineOperation({
  id: "vault.wipe",
  description: "Wipe",
  effect: "destructive",
  input: { type: "object", properties: { password: {}, note: {} } },
  handler: () => null,
});
const waybill = (policy: Policy): Waybill => createWaybill({ operations, policy });

async function codes(policy: Policy): Promise<(string | undefined)[]> {
  const one = waybill(policy);
  const answers = await Promise.all(operations.map(({ spec }) => one.execute(spec.id)));
  return answers.map(({ error }) => error?.code);
}

describe("policy of a Waybill", () => {
  it("an approval code is valid only for the caller who got it", async () => {
    const one = waybill({});
    const [ada, bob] = ["ada", "bob"].map((id) => one.as({ id, scopes: [] }));
    const { error } = await ada!.execute("issue.delete");
    const approve = String(error?.details?.["approve"]);
    expect((await bob!.execute("issue.delete", {}, { approve })).error?.code).toBe("POLICY");
    expect((await one.execute("issue.delete", {}, { approve })).error?.code).toBe("POLICY");
    expect((await ada!.execute("issue.delete", {}, { approve })).ok).toBe(true);
  });

  it.each<[Policy, (string | undefined)[]]>([
    [{}, [undefined, undefined, "POLICY"]],
    [{ confirm: "none" }, [undefined, undefined, undefined]],
    [{ confirm: "writes" }, [undefined, "POLICY", "POLICY"]],
    [{ read_only: true }, [undefined, "POLICY", "POLICY"]],
    [{ allow: ["*.view", "*.create"] }, [undefined, undefined, "POLICY"]],
    [{ deny: ["issue.c*"], confirm: "none" }, [undefined, "POLICY", undefined]],
  ])(
    "under the policy %j, the calls of view, create and delete have the errors %j",
    async (policy, expected) => {
      expect(await codes(policy)).toEqual(expected);
    },
  );

  it("a call that the policy forbids is refused without an approval code, and its handler does not run", async () => {
    calls.length = 0;
    const { error } = await waybill({ read_only: true }).execute("issue.delete");
    expect(error).toMatchObject({ code: "POLICY", details: { outcome: "not_applied" } });
    expect(error?.details).not.toHaveProperty("approve");
    expect(calls).toEqual([]);
  });
});

const failing = (error: () => Error): Waybill => {
  const remove = defineOperation({
    id: "issue.delete",
    description: "Delete",
    effect: "destructive",
    handler: () => {
      calls.push("tried");
      throw error();
    },
  });
  return createWaybill({ operations: [remove], journal: memoryJournal() });
};

describe("approval of a call", () => {
  const key = { idempotency_key: "k1" };
  it("an approval allows one call, and a repeat of that call with its idempotency key needs no approval", async () => {
    calls.length = 0;
    const one = createWaybill({ operations, journal: memoryJournal() });
    const refused = await one.execute("issue.delete", {}, key);
    const approve = String(refused.error?.details?.["approve"]);
    expect((await one.execute("issue.delete", {}, { ...key, approve })).ok).toBe(true);
    const again = await one.execute("issue.delete", {}, key);
    expect(again).toMatchObject({ ok: true, meta: { replayed: true } });
    const more = await one.execute("issue.delete", {}, { approve });
    expect(more.error?.code).toBe("POLICY");
    expect(calls).toHaveLength(1);
  });

  it("an approval stays valid after a call that applied nothing, but not after an unknown outcome", async () => {
    for (const [outcome, tries] of [
      ["not_applied", 2],
      ["unknown", 1],
    ] as const) {
      calls.length = 0;
      const one = failing(() => fail("NETWORK", "no answer", { outcome }));
      const { error } = await one.execute("issue.delete");
      const approve = String(error?.details?.["approve"]);
      await one.execute("issue.delete", {}, { approve });
      await one.execute("issue.delete");
      expect(calls).toHaveLength(tries);
    }
  });

  it("a keyed write that needs an approval is refused as not applied and can run once it is approved", async () => {
    calls.length = 0;
    const one = createWaybill({ operations, journal: memoryJournal() });
    for (let turn = 0; turn < 2; turn += 1) {
      const { error } = await one.execute("issue.delete", { number: 7 }, key);
      expect(error).toMatchObject({ code: "POLICY", details: { outcome: "not_applied" } });
    }
    const [waiting, ...others] = await one.approvals.pending();
    expect(others).toEqual([]);
    await one.approvals.answer(waiting!.id, true);
    expect((await one.execute("issue.delete", { number: 7 }, key)).ok).toBe(true);
    expect(calls).toHaveLength(1);
  });

  it("the list of pending approvals shows the params of a call without secrets", async () => {
    const one = createWaybill({ operations: [secretive], secrets: () => ["hunter2-hunter2"] });
    await one.execute("vault.wipe", { password: "swordfish-9", note: "hunter2-hunter2 \u202Ex" });
    const [waiting] = await one.approvals.pending();
    expect(waiting?.params).toBe('{"password":"[redacted]","note":"[redacted] x"}');
  });

  it("an approval code that only a person may use is hidden from the caller", async () => {
    const one = waybill({ approvals: "person" });
    const { error } = await one.execute("issue.delete", { number: 7 });
    expect(error?.details).not.toHaveProperty("approve");
    expect(error?.details?.["hint"]).toContain("A person must approve it");
    await one.approvals.answer(String(error?.details?.["approval"]), true);
    expect((await one.execute("issue.delete", { number: 7 })).ok).toBe(true);
  });

  it("the refusal of a call contains an approval code that allows exactly this call", async () => {
    calls.length = 0;
    const one = waybill({});
    const refused = await one.execute("issue.delete", { number: 7 });
    const approve = String(refused.error?.details?.["approve"]);
    expect(refused.error?.details).toMatchObject({
      hint: expect.stringContaining("approve") as unknown,
    });
    expect((await one.execute("issue.delete", { number: 8 }, { approve })).ok).toBe(false);
    expect(calls).toEqual([]);
    expect((await one.execute("issue.delete", { number: 7 }, { approve })).ok).toBe(true);
    expect(calls).toEqual([["issue.delete", { number: 7 }]]);
  });

  it('an approval covers the params after their conversion, so that "7" and 7 are one call', async () => {
    const one = waybill({});
    const refused = await one.execute("issue.delete", { number: "7" });
    const approve = String(refused.error?.details?.["approve"]);
    expect((await one.execute("issue.delete", { number: 7 }, { approve })).ok).toBe(true);
  });

  it("a call refuses an invented approval code and an approval code of another Waybill", async () => {
    const refused = await waybill({}).execute("issue.delete");
    for (const approve of [String(refused.error?.details?.["approve"]), "yes"]) {
      const { error } = await waybill({}).execute("issue.delete", {}, { approve });
      expect(error).toMatchObject({
        code: "POLICY",
        details: { approve: expect.any(String) as unknown },
      });
      expect(error?.message).toContain("was called with an invalid approval");
    }
  });

  it("a dry run needs no approval", async () => {
    calls.length = 0;
    const { ok, data } = await waybill({}).execute(
      "issue.delete",
      { number: 7 },
      { dry_run: true },
    );
    expect([ok, data]).toEqual([
      true,
      { requests: [{ route: "local", operation: "issue.delete", input: { number: 7 } }] },
    ]);
    expect(calls).toEqual([]);
    const forbidden = await waybill({ deny: ["*"] }).execute("issue.view", {}, { dry_run: true });
    expect(forbidden.error?.code).toBe("POLICY");
  });
});
