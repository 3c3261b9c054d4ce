import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import type { Effect } from "../operation/index.ts";
import { createWaybill } from "./index.ts";
import type { Policy } from "../policy/index.ts";

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
const waybill = (policy: Policy) => createWaybill({ operations, policy });

async function codes(policy: Policy): Promise<(string | undefined)[]> {
  const one = waybill(policy);
  const answers = await Promise.all(operations.map(({ spec }) => one.execute(spec.id)));
  return answers.map(({ error }) => error?.code);
}

describe("a policy", () => {
  it("takes an approval from the one who was given it only", async () => {
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
  ])("%j lets view, create, delete pass as %j", async (policy, expected) => {
    expect(await codes(policy)).toEqual(expected);
  });

  it("refuses before anything runs, approval or not", async () => {
    calls.length = 0;
    const { error } = await waybill({ read_only: true }).execute("issue.delete");
    expect(error).toMatchObject({ code: "POLICY", details: { outcome: "not_applied" } });
    expect(error?.details).not.toHaveProperty("approve");
    expect(calls).toEqual([]);
  });
});

describe("an approval", () => {
  it("is given by the refusal, and lets exactly this call pass", async () => {
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

  it("counts for the params as they are understood", async () => {
    const one = waybill({});
    const refused = await one.execute("issue.delete", { number: "7" });
    const approve = String(refused.error?.details?.["approve"]);
    expect((await one.execute("issue.delete", { number: 7 }, { approve })).ok).toBe(true);
  });

  it("of another Waybill, or made up, is none", async () => {
    const refused = await waybill({}).execute("issue.delete");
    for (const approve of [String(refused.error?.details?.["approve"]), "yes"]) {
      const { error } = await waybill({}).execute("issue.delete", {}, { approve });
      expect(error).toMatchObject({
        code: "POLICY",
        details: { approve: expect.any(String) as unknown },
      });
      expect(error?.message).toContain("was not approved by what was passed");
    }
  });

  it("is not needed to see what would be sent", async () => {
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
