import { describe, expect, it } from "vitest";
import { createApprover } from "./approval.ts";

const params = { owner: "octo", name: "hello", issueNumber: 7 };

describe("approval", () => {
  it("approves exactly the call it was given for", async () => {
    const approver = createApprover();
    const approval = await approver.issue("issue.delete", params);
    const reordered = { issueNumber: 7, name: "hello", owner: "octo" };
    expect(await approver.check(approval, "issue.delete", reordered)).toBe(true);
    expect(await approver.check(approval, "issue.delete", { ...params, issueNumber: 8 })).toBe(
      false,
    );
    expect(await approver.check(approval, "pr.merge", params)).toBe(false);
  });

  it("is of no use to another caller", async () => {
    const approver = createApprover();
    const check = async (issuedTo?: string, usedBy?: string): Promise<boolean> =>
      approver.check(
        await approver.issue("issue.delete", params, issuedTo),
        "issue.delete",
        params,
        usedBy,
      );
    expect(await check("ada", "ada")).toBe(true);
    expect(await check("ada", "bob")).toBe(false);
    expect(await check("ada")).toBe(false);
    expect(await check(undefined, "null")).toBe(false);
    expect(await check(undefined, "")).toBe(false);
  });

  it("runs out", async () => {
    let time = 1_000_000;
    const approver = createApprover({ lifeMs: 1_000, now: () => time });
    const approval = await approver.issue("issue.delete", params);
    time += 999;
    expect(await approver.check(approval, "issue.delete", params)).toBe(true);
    time += 2;
    expect(await approver.check(approval, "issue.delete", params)).toBe(false);
  });

  it("holds for whoever has the same key, and for nobody else", async () => {
    const key = new Uint8Array(32).fill(7);
    const approval = await createApprover({ key }).issue("issue.delete", params);
    expect(await createApprover({ key }).check(approval, "issue.delete", params)).toBe(true);
    expect(await createApprover().check(approval, "issue.delete", params)).toBe(false);
  });

  it.each(["", "x", "zzz.00", `zzzzzzzz.${"0".repeat(64)}`, `1.${"a".repeat(64)}`])(
    "refuses the made-up approval %j",
    async (approval) => {
      expect(await createApprover().check(approval, "issue.delete", params)).toBe(false);
    },
  );

  it("cannot be given a longer life", async () => {
    const approver = createApprover({ lifeMs: 1_000 });
    const [, signature] = (await approver.issue("issue.delete", params)).split(".");
    const forged = `${(Date.now() + 1e9).toString(36)}.${signature}`;
    expect(await approver.check(forged, "issue.delete", params)).toBe(false);
  });
});
