import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { stateApprover } from "./approver.ts";

it("approves one call, for a while, with a key that many processes share", async () => {
  const folder = await mkdtemp(join(tmpdir(), "waybill-approver-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  let now = 1_000_000;
  const [one, other] = [stateApprover(folder, () => now), stateApprover(folder, () => now)];
  const params = { b: [1, { d: 2, c: 3 }], a: 1 };
  const [approval, second] = await Promise.all([
    one.issue("x.y", params),
    other.issue("x.y", params),
  ]);
  expect(second).toBe(approval);
  expect(await other.check(approval, "x.y", { a: 1, b: [1, { c: 3, d: 2 }] })).toBe(true);
  expect(await other.check(approval, "x.z", params)).toBe(false);
  expect(await other.check(approval, "x.y", { ...params, a: 2 })).toBe(false);
  expect(await other.check(`${approval.slice(0, -1)}x`, "x.y", params)).toBe(false);
  expect(await other.check("", "x.y", params)).toBe(false);
  now += 300_001;
  expect(await other.check(approval, "x.y", params)).toBe(false);
});
