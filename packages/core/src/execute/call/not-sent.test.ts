import { describe, expect, it } from "vitest";
import type { Operation } from "../../operation/index.ts";
import { localSource } from "../../source/index.ts";
import { createWaybill } from "../index.ts";

const silent = { ...localSource("slow", []), list: () => new Promise<never>(() => {}) };

function writing(spec: Partial<Operation["spec"]>): Operation {
  const described = { id: "note.add", description: "Adds", effect: "write", kind: "call" };
  const schemas = { inputSchema: { type: "object" }, outputSchema: {} };
  const whole = { ...described, idempotent: false, ...schemas, ...spec } as Operation["spec"];
  return {
    spec: whole,
    run: {
      kind: "local",
      handler: () => {
        throw new Error("sent");
      },
    },
  };
}

function odd(): never {
  throw new TypeError("odd");
}

const notApplied = { outcome: "not_applied" };

describe("writes that fail before they are sent", () => {
  it("a write whose source does not load in time is not applied", async () => {
    const waybill = createWaybill({ sources: [silent] });
    const { error } = await waybill.execute("slow.write", {}, { deadline_ms: 10 });
    expect(error).toMatchObject({ code: "TIMEOUT", retryable: true, details: notApplied });
  });

  it("a write whose input cannot be read is not applied", async () => {
    const waybill = createWaybill({ operations: [writing({ normaliseInput: odd })] });
    expect((await waybill.execute("note.add", {})).error?.details).toEqual(notApplied);
    // Calls it again, now that its schemas are compiled.
    expect((await waybill.execute("note.add", {})).error?.details).toEqual(notApplied);
  });

  it("a write of a chain is not applied if the chain is cancelled or its deadline passes before the write is sent", async () => {
    const waybill = createWaybill({ sources: [silent] });
    const late = await waybill.chain([{ task: "slow.write" }], { deadline_ms: 10 });
    expect(late.error).toMatchObject({ code: "TIMEOUT", details: notApplied });
    const stopped = await waybill.chain([{ task: "slow.write" }], { signal: AbortSignal.abort() });
    expect(stopped.error).toMatchObject({ code: "CANCELLED", details: notApplied });
  });

  it("a write that was sent before its call ended is not reported as not_applied", async () => {
    const waybill = createWaybill({ operations: [writing({})] });
    const { error } = await waybill.execute("note.add");
    expect(error?.details?.["outcome"]).not.toBe("not_applied");
  });
});
