import { describe, expect, it } from "vitest";
import { mergeFunctions } from "./merge.ts";

const facts = {
  id: "PR_1",
  headRefOid: "abc",
  mergeStateStatus: "CLEAN",
  isMergeQueueEnabled: false,
  isCrossRepository: false,
  headRef: { id: "REF_1" },
};
const plan = (change: object, params: Readonly<Record<string, unknown>>) =>
  mergeFunctions["mergePlan"]!({ ...facts, ...change }, params);

describe("the plan of a merge", () => {
  it("merges what was looked at, and deletes the branch if asked", () => {
    expect(plan({}, { method: "squash", deleteBranch: true })).toEqual({
      id: "PR_1",
      head: "abc",
      method: "SQUASH",
      now: true,
      later: false,
      ref: "REF_1",
      dropsRef: true,
    });
  });

  it("leaves the branch of a fork, and one that is gone, alone", () => {
    const asked = { deleteBranch: true };
    expect(plan({ isCrossRepository: true }, asked)).toMatchObject({ dropsRef: false });
    expect(plan({ headRef: null }, asked)).toMatchObject({ dropsRef: false });
  });

  it("waits only where there is something to wait for", () => {
    const blocked = { mergeStateStatus: "BLOCKED" };
    expect(plan(blocked, { auto: true })).toMatchObject({ now: false, later: true });
    expect(plan({}, { auto: true })).toMatchObject({ now: true, later: false });
  });

  it("joins the queue where there is one, unless an administrator goes past it", () => {
    const queue = { isMergeQueueEnabled: true };
    expect(plan(queue, { deleteBranch: true })).toMatchObject({ later: true, dropsRef: false });
    expect(plan(queue, { admin: true })).toMatchObject({ now: true, later: false });
  });

  it("does not use an administrator's right unasked", () => {
    const blocked = { mergeStateStatus: "BLOCKED" };
    expect(() => plan(blocked, {})).toThrow("The rules of the base branch block this merge");
    expect(plan(blocked, { admin: true })).toMatchObject({ now: true });
  });
});
