import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import type { Effect } from "../operation/index.ts";
import { isListed, needsApproval, policyRefusal } from "./policy.ts";

function spec(id: string, effect: Effect = "read") {
  return defineOperation({ id, description: "An operation.", effect, handler: () => null }).spec;
}

describe("policyRefusal and needsApproval", () => {
  it("an empty policy allows every call", () => {
    expect(policyRefusal({}, spec("issue.delete", "destructive"))).toBeUndefined();
  });

  it.each(["write", "destructive"] as const)(
    "a read_only policy refuses an operation with the effect %s",
    (effect) => {
      const refusal = policyRefusal({ read_only: true }, spec("issue.close", effect));
      expect(refusal?.details).toMatchObject({ code: "POLICY", outcome: "not_applied" });
      expect(policyRefusal({ read_only: true }, spec("issue.view"))).toBeUndefined();
    },
  );

  it.each([
    ["issue.*", "issue.view", true],
    ["issue.*", "issues.view", false],
    ["*.delete", "issue.comments.delete", true],
    ["pr.*.list", "pr.reviews.list", true],
    ["pr.*.list", "pr.list", false],
    ["issue.view", "issue.view", true],
    ["issue.view", "issue.viewer", false],
    ["*", "anything.at.all", true],
    ["a.*a", "a.a", true],
    ["ab*ba.x", "aba.x", false],
  ])("policyRefusal finds that the id pattern %s matches %s: %s", (pattern, id, isMatch) => {
    expect(policyRefusal({ deny: [pattern] }, spec(id)) !== undefined).toBe(isMatch);
    expect(policyRefusal({ allow: [pattern] }, spec(id)) === undefined).toBe(isMatch);
  });

  it("deny of a policy overrides allow", () => {
    const policy = { allow: ["issue.*"], deny: ["issue.delete"] };
    expect(policyRefusal(policy, spec("issue.delete"))?.message).toContain("denied");
  });

  it("a policy without the rule confirm requires an approval only for destructive calls", () => {
    expect(needsApproval({}, spec("a.b", "destructive"))).toBe(true);
    expect(needsApproval({}, spec("a.b", "write"))).toBe(false);
    expect(needsApproval({ confirm: "writes" }, spec("a.b", "write"))).toBe(true);
    expect(needsApproval({ confirm: "writes" }, spec("a.b", "read"))).toBe(false);
    expect(needsApproval({ confirm: "none" }, spec("a.b", "destructive"))).toBe(false);
  });
});

describe("policy for raw operations", () => {
  const raw = { ...spec("github.issues.get"), raw: true };

  it.each([
    [{}, true],
    [{ confirm: "writes" as const }, true],
    [{ deny: [] }, true],
    [{ deny: ["label.*"] }, false],
    [{ allow: ["*"] }, false],
    [{ allow: ["github.*"] }, false],
    [{ read_only: true }, false],
    [{ allow: ["issue.*"], raw: ["github.issues.*"] }, true],
    [{ allow: ["issue.*"], raw: ["github.repos.*"] }, false],
    [{ deny: ["github.issues.*"], raw: ["*"] }, false],
  ])("the policy %j allows a raw operation: %s", (policy, isAllowed) => {
    expect(policyRefusal(policy, raw) === undefined).toBe(isAllowed);
  });

  it("a read_only policy refuses a raw write even if policy.raw allows the operation", () => {
    const write = { ...raw, effect: "write" as const };
    const refusal = policyRefusal({ read_only: true, raw: ["*"] }, write);
    expect(refusal?.message).toContain("read-only");
  });

  it("the refusal of a raw operation names the setting policy.raw", () => {
    expect(policyRefusal({ deny: ["label.*"] }, raw)?.message).toContain("policy.raw");
  });
});

describe("policy for renamed operations", () => {
  const renamed = { ...spec("cards.issue.create"), declaredId: "issue.create" };

  it("a renamed operation is denied by its old id and by its new id, and allowed only by its new id", () => {
    expect(policyRefusal({ deny: ["issue.*"] }, renamed)).toBeDefined();
    expect(policyRefusal({ deny: ["cards.*"] }, renamed)).toBeDefined();
    expect(policyRefusal({ allow: ["issue.*"] }, renamed)).toBeDefined();
    expect(policyRefusal({ allow: ["cards.*"] }, renamed)).toBeUndefined();
  });
});

describe("policy for reads marked safe", () => {
  it.each([
    ["pack", true],
    ["user", true],
    ["project", false],
  ] as const)(
    "a read_only policy allows a read that the author of a %s source marks as safe: %s",
    (origin, isAllowed) => {
      const safe = { ...spec("shop.search"), safe: true, origin };
      expect(policyRefusal({ read_only: true }, safe) === undefined).toBe(isAllowed);
      expect(policyRefusal({}, safe)).toBeUndefined();
    },
  );
});

describe("policy for untrusted operations", () => {
  it("an operation that is not trusted is refused under every policy, and is still listed", () => {
    const waiting = { ...spec("shop.list"), needsTrust: "Run: waybill trust" };
    expect(policyRefusal({ allow: ["*"] }, waiting)?.message).toBe("Run: waybill trust");
    expect(isListed({}, waiting)).toBe(true);
    expect(isListed({ deny: ["*"] }, spec("a.b"))).toBe(false);
  });
});
