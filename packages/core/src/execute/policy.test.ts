import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import type { Effect } from "../operation/index.ts";
import { needsApproval, policyRefusal } from "./policy.ts";

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

  it("asks for approval of destructive calls unless told otherwise", () => {
    expect(needsApproval({}, spec("a.b", "destructive"))).toBe(true);
    expect(needsApproval({}, spec("a.b", "write"))).toBe(false);
    expect(needsApproval({ confirm: "writes" }, spec("a.b", "write"))).toBe(true);
    expect(needsApproval({ confirm: "writes" }, spec("a.b", "read"))).toBe(false);
    expect(needsApproval({ confirm: "none" }, spec("a.b", "destructive"))).toBe(false);
  });
});
