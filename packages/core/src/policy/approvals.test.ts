import { describe, expect, it } from "vitest";
import type { CallError } from "../envelope/index.ts";
import { defineOperation } from "../operation/index.ts";
import { claimApproval } from "./claim-approval.ts";
import { Approvals, memoryApprovals } from "./index.ts";

const subject = {
  capability_id: "issue.delete",
  params: { owner: "octo", name: "hello", issueNumber: 7 },
  caller: undefined,
};
const request = (approvals: Approvals, caller?: string) =>
  approvals.request({ ...subject, caller }, "{…}");

describe("Approvals", () => {
  it("an approval allows exactly the call that it was given for", async () => {
    const approvals = new Approvals(memoryApprovals());
    const { approve } = await request(approvals);
    const others = [
      { ...subject, params: { ...subject.params, issueNumber: 8 } },
      { ...subject, capability_id: "pr.merge" },
      { ...subject, caller: "ada" },
      { ...subject, caller: "null" },
      { ...subject, caller: "" },
    ];
    for (const other of others) expect(await approvals.claim(other, { approve })).toBeUndefined();
    const reordered = { issueNumber: 7, name: "hello", owner: "octo" };
    expect(await approvals.claim({ ...subject, params: reordered }, { approve })).toBeDefined();
  });

  it("repeated requests to approve one call share one pending approval with one id and code", async () => {
    const approvals = new Approvals(memoryApprovals());
    expect(await request(approvals)).toEqual(await request(approvals));
    expect(await approvals.pending()).toHaveLength(1);
  });

  it("an approval is used up once its write was applied or may have been applied", async () => {
    for (const outcome of ["applied", "unknown"] as const) {
      const approvals = new Approvals(memoryApprovals());
      const { approve } = await request(approvals);
      const claim = await approvals.claim(subject, { approve });
      expect(await approvals.claim(subject, { approve })).toBeUndefined();
      await claim!.settle(outcome);
      expect(await approvals.claim(subject, { approve })).toBeUndefined();
      expect(await approvals.pending()).toEqual([]);
    }
  });

  it("an approval that a call has claimed can no longer be answered by a person", async () => {
    const approvals = new Approvals(memoryApprovals());
    const { id, approve } = await request(approvals);
    const claim = await approvals.claim(subject, { approve });
    expect(await approvals.answer(id, true)).toBe(false);
    await claim!.settle("applied");
    expect(await approvals.claim(subject, { approve })).toBeUndefined();
  });

  it("an approval of a call for one account does not allow the call for another account", async () => {
    const { spec } = defineOperation({
      id: "issue.delete",
      description: "Delete",
      effect: "destructive",
      handler: () => null,
    });
    const desk = { policy: {}, approvals: new Approvals(memoryApprovals()), show: () => "{…}" };
    const ask = (account: string | undefined, approve?: string) =>
      claimApproval(desk, { ...subject, spec, account, approve });
    const refusal = await ask("work").catch((error: unknown) => error);
    const approve = (refusal as CallError).details["approve"] as string;
    await expect(ask("home", approve)).rejects.toThrow("invalid approval");
    await expect(ask(undefined, approve)).rejects.toThrow("invalid approval");
    expect(await ask("work", approve)).toBeDefined();
  });

  it("an approval stays valid after a call that applied nothing", async () => {
    const approvals = new Approvals(memoryApprovals());
    const { approve } = await request(approvals);
    await (await approvals.claim(subject, { approve }))!.settle("not_applied");
    expect(await approvals.claim(subject, {})).toBeDefined();
  });

  it("an approval can be claimed a second time only by the keyed write that claimed it first", async () => {
    const approvals = new Approvals(memoryApprovals());
    const { approve } = await request(approvals);
    await approvals.claim(subject, { approve, key: "k1" });
    expect(await approvals.claim(subject, { approve, key: "k2" })).toBeUndefined();
    expect(await approvals.claim(subject, { approve })).toBeUndefined();
    expect(await approvals.claim(subject, { key: "k1" })).toBeDefined();
  });

  it("a call that a person approved needs no approval code", async () => {
    const approvals = new Approvals(memoryApprovals());
    const { id } = await request(approvals, "ada");
    const ada = { ...subject, caller: "ada" };
    expect(await approvals.claim(ada, {})).toBeUndefined();
    expect(await approvals.pending()).toMatchObject([
      { id, capability_id: "issue.delete", params: "{…}", caller: "ada", state: "waiting" },
    ]);
    expect(await approvals.answer(id, true)).toBe(true);
    expect(await approvals.claim({ ...subject, caller: "bob" }, {})).toBeUndefined();
    expect(await approvals.claim(ada, {})).toBeDefined();
  });

  it("an approval ends when a person denies it, or after one day", async () => {
    let time = 1_000_000;
    const approvals = new Approvals(memoryApprovals(), () => time);
    const { id, approve } = await request(approvals);
    expect(await approvals.answer(id, false)).toBe(true);
    expect(await approvals.answer(id, true)).toBe(false);
    expect(await approvals.claim(subject, { approve })).toBeUndefined();
    const later = await request(approvals);
    expect(later.approve).not.toBe(approve);
    time += 86_400_000;
    expect(await approvals.pending()).toEqual([]);
    expect(await approvals.claim(subject, { approve: later.approve })).toBeUndefined();
  });

  it("a new request for a denied call reports the denial, until a person allows the call or a day passes", async () => {
    let time = 1_000_000;
    const approvals = new Approvals(memoryApprovals(), () => time);
    const { id, isDenied } = await request(approvals);
    expect([isDenied, await approvals.isDenied(subject)]).toEqual([false, false]);
    await approvals.answer(id, false);
    expect(await approvals.pending()).toEqual([]);
    expect(await approvals.isDenied(subject)).toBe(true);
    expect(await request(approvals)).toMatchObject({ id, isDenied: true });
    expect(await request(approvals)).toMatchObject({ id, isDenied: true });
    await approvals.answer(id, true);
    expect(await request(approvals)).toMatchObject({ id, isDenied: false });
    await approvals.answer(id, false);
    time += 86_400_000;
    expect(await request(approvals)).toMatchObject({ id, isDenied: false });
  });

  it("a withdrawn approval request is not pending and does not count as denied", async () => {
    const approvals = new Approvals(memoryApprovals());
    const { id, approve } = await request(approvals);
    await approvals.withdraw(id);
    expect(await approvals.pending()).toEqual([]);
    expect(await approvals.claim(subject, { approve })).toBeUndefined();
    expect(await request(approvals)).toMatchObject({ isDenied: false });
  });

  it("the error of a denied call says that a person denied it", async () => {
    const { spec } = defineOperation({
      id: "issue.delete",
      description: "Delete",
      effect: "destructive",
      handler: () => null,
    });
    const approvals = new Approvals(memoryApprovals());
    const desk = { policy: {}, approvals, show: () => "{…}" };
    const ask = (approve?: string) => claimApproval(desk, { ...subject, spec, approve });
    const first = (await ask().catch((error: unknown) => error)) as CallError;
    expect(first.message).toBe("issue.delete needs an approval");
    await approvals.answer(String(first.details["approval"]), false);
    for (const approve of [String(first.details["approve"]), undefined]) {
      await expect(ask(approve)).rejects.toMatchObject({
        message: expect.stringMatching(/approval\. A person denied this call$/u) as string,
        details: { hint: expect.stringMatching(/^Do not repeat it unless/u) as string },
      });
    }
  });

  it("the list of pending approvals does not show the approval codes", async () => {
    const approvals = new Approvals(memoryApprovals());
    const { approve } = await request(approvals);
    expect(JSON.stringify(await approvals.pending())).not.toContain(approve.split(".")[1]);
  });

  it("the oldest of more than 1,000 pending approvals are dropped", async () => {
    const store = memoryApprovals();
    let time = 0;
    const approvals = new Approvals(store, () => ++time);
    for (let number = 0; number < 1_010; number += 1) {
      await approvals.request({ ...subject, params: { number } }, "");
    }
    expect((await store.list()).length).toBe(1_000);
  });
});
