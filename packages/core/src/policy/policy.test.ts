import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import type { Effect } from "../operation/index.ts";
import { isListed, needsApproval, policyRefusal } from "./policy.ts";

function spec(id: string, effect: Effect = "read") {
  return defineOperation({ id, description: "An operation.", effect, handler: () => null }).spec;
}

describe("policy", () => {
  it("lets everything pass when it says nothing", () => {
    expect(policyRefusal({}, spec("issue.delete", "destructive"))).toBeUndefined();
  });

  it.each(["write", "destructive"] as const)(
    "refuses a %s where only reading is allowed",
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
  ])("pattern %s on %s: %s", (pattern, id, isMatch) => {
    expect(policyRefusal({ deny: [pattern] }, spec(id)) !== undefined).toBe(isMatch);
    expect(policyRefusal({ allow: [pattern] }, spec(id)) === undefined).toBe(isMatch);
  });

  it("refuses what is both allowed and denied", () => {
    const policy = { allow: ["issue.*"], deny: ["issue.delete"] };
    expect(policyRefusal(policy, spec("issue.delete"))?.message).toContain("denied");
  });

  it("asks for approval of destructive calls by default", () => {
    expect(needsApproval({}, spec("a.b", "destructive"))).toBe(true);
    expect(needsApproval({}, spec("a.b", "write"))).toBe(false);
    expect(needsApproval({ confirm: "writes" }, spec("a.b", "write"))).toBe(true);
    expect(needsApproval({ confirm: "writes" }, spec("a.b", "read"))).toBe(false);
    expect(needsApproval({ confirm: "none" }, spec("a.b", "destructive"))).toBe(false);
  });
});

describe("a raw operation", () => {
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
  ])("a raw operation under %j may be called: %s", (policy, isAllowed) => {
    expect(policyRefusal(policy, raw) === undefined).toBe(isAllowed);
  });

  it("refuses a raw write if only reading is allowed", () => {
    const write = { ...raw, effect: "write" as const };
    const refusal = policyRefusal({ read_only: true, raw: ["*"] }, write);
    expect(refusal?.message).toContain("read-only");
  });

  it("a raw operation is refused with the setting that turns it on", () => {
    expect(policyRefusal({ deny: ["label.*"] }, raw)?.message).toContain("policy.raw");
  });
});

describe("an operation under a longer id", () => {
  const renamed = { ...spec("cards.issue.create"), declaredId: "issue.create" };

  it("an operation under a longer id is denied by either id, and allowed by its own only", () => {
    expect(policyRefusal({ deny: ["issue.*"] }, renamed)).toBeDefined();
    expect(policyRefusal({ deny: ["cards.*"] }, renamed)).toBeDefined();
    expect(policyRefusal({ allow: ["issue.*"] }, renamed)).toBeDefined();
    expect(policyRefusal({ allow: ["cards.*"] }, renamed)).toBeUndefined();
  });
});

describe("a read that looks like a write", () => {
  it.each([
    ["pack", true],
    ["user", true],
    ["project", false],
  ] as const)("allows a read by a %s if only reading is allowed: %s", (origin, isAllowed) => {
    const safe = { ...spec("shop.search"), safe: true, origin };
    expect(policyRefusal({ read_only: true }, safe) === undefined).toBe(isAllowed);
    expect(policyRefusal({}, safe)).toBeUndefined();
  });
});

describe("an operation that needs trust", () => {
  it("an operation that needs trust is refused whatever the policy says, and still listed", () => {
    const waiting = { ...spec("shop.list"), needsTrust: "Run: waybill trust" };
    expect(policyRefusal({ allow: ["*"] }, waiting)?.message).toBe("Run: waybill trust");
    expect(isListed({}, waiting)).toBe(true);
    expect(isListed({ deny: ["*"] }, spec("a.b"))).toBe(false);
  });
});
