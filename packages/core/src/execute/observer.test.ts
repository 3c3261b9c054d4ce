import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import { localSource } from "../source/index.ts";
import { createWaybill } from "./index.ts";
import type { CallRecord, Observer } from "./index.ts";

const view = defineOperation({
  id: "issue.view",
  description: "",
  effect: "read",
  handler: () => ({ title: "Hello" }),
});
const burn = defineOperation({
  id: "issue.burn",
  description: "",
  handler: () => Promise.reject(new Error("the password is swordfish")),
});
const operations = [view, burn];

describe("an observer", () => {
  it("sees each call end, with who called and what was answered", async () => {
    const records: CallRecord[] = [];
    const observer: Observer = { onCall: (record) => records.push(record) };
    const identity = { id: "ada", scopes: [] };
    const waybill = createWaybill({ operations, observer }).as(identity);
    const envelope = await waybill.execute("issue.view", { a: 1 });
    expect(records).toHaveLength(1);
    const [record] = records;
    expect(record).toMatchObject({ capability_id: "issue.view", params: { a: 1 }, identity });
    expect(record!.envelope).toBe(envelope);
    expect(record!.error).toBeUndefined();
    expect(record!.duration_ms).toBeGreaterThanOrEqual(0);
    expect(record!.started_at).toBeLessThanOrEqual(Date.now());
  });

  it("sees the cause that is kept from the caller, under the same request id", async () => {
    const records: CallRecord[] = [];
    const waybill = createWaybill({ operations, observer: { onCall: (r) => records.push(r) } });
    const { error, meta } = await waybill.execute("issue.burn");
    expect(JSON.stringify(error)).not.toContain("swordfish");
    expect(error?.message).toContain(records[0]!.request_id);
    expect(meta.request_id).toBe(records[0]!.request_id);
    expect(records[0]!.error).toHaveProperty("cause.message", "the password is swordfish");
  });

  it("sees calls that never reached an operation", async () => {
    const records: CallRecord[] = [];
    const waybill = createWaybill({ operations, observer: { onCall: (r) => records.push(r) } });
    await waybill.execute("no.such");
    await waybill.execute("issue.view", {}, { trace: 1 as unknown as boolean });
    expect(records.map(({ error }) => error?.code)).toEqual([
      "OPERATION_NOT_FOUND",
      "VALIDATION_ERROR",
    ]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("log is full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("log is full"))],
  ])("that %s changes no answer and brings nothing down", async (_how, report) => {
    const sources = [localSource("twice", [view])];
    const observer = { onCall: report, onProblem: report } as Observer;
    const waybill = createWaybill({ operations, sources, observer });
    expect((await waybill.execute("issue.view")).ok).toBe(true);
    expect((await waybill.execute("no.such")).error?.code).toBe("NOT_FOUND");
    await sleep(5);
  });

  it("may watch for problems only", async () => {
    const waybill = createWaybill({ operations, observer: { onProblem: () => {} } });
    expect((await waybill.execute("issue.view")).ok).toBe(true);
  });
});
