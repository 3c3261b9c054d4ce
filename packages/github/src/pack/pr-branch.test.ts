import { memoryJournal } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

const DRAFT = { repo: "octo/hello", prNumber: 7 };
const CLEAN = { repo: "octo/hello", prNumber: 9 };
const FORK = { repo: "octo/hello", prNumber: 10 };

async function open(): Promise<Embedded> {
  const embedded = await startEmbedded({ waybill: { journal: memoryJournal() } });
  onTestFinished(() => embedded.close());
  return embedded;
}

describe("merging or closing a pull request and deleting its branch", () => {
  it("pr.merge deletes the branch after the merge", async () => {
    const { waybill, github } = await open();
    const params = { ...CLEAN, method: "rebase", deleteBranch: true };
    const { data, error } = await waybill.execute("pr.merge", params);
    expect(error).toBeNull();
    expect(data).toMatchObject({ merged: true, method: "rebase", deleteBranch: true });
    expect(github.applied()).toEqual({ mergePull: 1, deleteRef: 1 });
  });

  it("pr.merge keeps the branch of a pull request that GitHub does not merge", async () => {
    const { waybill, github } = await open();
    const { error } = await waybill.execute("pr.merge", { ...DRAFT, deleteBranch: true });
    expect(error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
    expect(error?.message).toContain("still a draft");
    expect(github.applied()).toEqual({});
  });

  it("pr.merge that waits for requirements keeps the branch", async () => {
    const { waybill, github } = await open();
    const params = { repo: "octo/hello", prNumber: 6, auto: true, deleteBranch: true };
    const { data } = await waybill.execute("pr.merge", params);
    expect(data).toMatchObject({ queued: true, merged: false, deleteBranch: false });
    expect(github.applied()).toEqual({ enableAutoMerge: 1 });
  });

  it("pr.merge finds a merge whose response was lost, then deletes the branch", async () => {
    const { waybill, github } = await open();
    const match = { operation: "mergePullRequest" };
    github.faults.inject({ kind: "drop", when: "after", match });
    const params = { ...CLEAN, deleteBranch: true };
    const { data } = await waybill.execute("pr.merge", params, { idempotency_key: "k" });
    expect(data).toMatchObject({ merged: true, deleteBranch: true });
    expect(github.applied()).toEqual({ mergePull: 1, deleteRef: 1 });
  });

  it("pr.close comments and deletes the branch after it has closed the pull request", async () => {
    const { waybill, github } = await open();
    const params = { ...DRAFT, comment: "Not now.", deleteBranch: true };
    const { data } = await waybill.execute("pr.close", params);
    expect(data).toMatchObject({ closed: true, deleteBranch: true });
    expect((data as { commentUrl: string }).commentUrl).toContain("#issuecomment-");
    expect(github.applied()).toEqual({ addComment: 1, closePull: 1, deleteRef: 1 });
  });

  it("pr.close keeps the branch of a fork", async () => {
    const { waybill, github } = await open();
    const { data } = await waybill.execute("pr.close", { ...FORK, deleteBranch: true });
    expect(data).toMatchObject({ closed: true, deleteBranch: false, commentUrl: null });
    expect(github.applied()).toEqual({ closePull: 1 });
  });

  it("pr.branch.delete refuses to delete the branch of an open pull request", async () => {
    const { waybill, github } = await open();
    const { error } = await waybill.execute("pr.branch.delete", CLEAN);
    expect(error).toMatchObject({ code: "CONFLICT", details: { outcome: "not_applied" } });
    expect(github.applied()).toEqual({});
  });

  it("pr.update sends nothing more if GitHub refuses the new base", async () => {
    const { waybill, github } = await open();
    const params = { ...DRAFT, base: "no-such-branch", draft: false };
    const { error } = await waybill.execute("pr.update", params);
    expect(error?.details).toMatchObject({ outcome: "not_applied", step: "edited" });
    expect(github.applied()).toEqual({});
  });
});
