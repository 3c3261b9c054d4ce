import { describe, expect, it } from "vitest";
import { mergeFunctions } from "./merge.ts";

const facts = {
  id: "PR_1",
  headRefOid: "abc",
  mergeStateStatus: "CLEAN",
  isMergeQueueEnabled: false,
};
const plan = (change: object, params: Readonly<Record<string, unknown>>) =>
  mergeFunctions["mergePlan"]!({ ...facts, ...change }, params);

describe("merge plan", () => {
  it("pr.merge merges the head commit that Waybill read before the merge", () => {
    expect(plan({}, { method: "squash" })).toEqual({
      id: "PR_1",
      head: "abc",
      method: "SQUASH",
      now: true,
      later: false,
    });
  });

  it("pr.merge with auto enables auto-merge only when the merge is blocked", () => {
    const blocked = { mergeStateStatus: "BLOCKED" };
    expect(plan(blocked, { auto: true })).toMatchObject({ now: false, later: true });
    expect(plan({}, { auto: true })).toMatchObject({ now: true, later: false });
  });

  it("pr.merge adds a pull request to the merge queue, unless an administrator bypasses the queue", () => {
    const queue = { isMergeQueueEnabled: true };
    expect(plan(queue, {})).toMatchObject({ now: false, later: true });
    expect(plan(queue, { admin: true })).toMatchObject({ now: true, later: false });
  });

  it("pr.merge bypasses branch rules as an administrator only with admin: true", () => {
    const blocked = { mergeStateStatus: "BLOCKED" };
    expect(() => plan(blocked, {})).toThrow("The rules of the base branch block this merge");
    expect(plan(blocked, { admin: true })).toMatchObject({ now: true });
  });
});
