import { describe, expect, it } from "vitest";
import { fail, httpEnvelope } from "../envelope/index.ts";
import { defineOperation } from "../operation/index.ts";
import { createWaybill } from "./index.ts";
import type { CallRecord } from "./index.ts";

const token = `ghp_${"a1B2".repeat(9)}`;
const own = "correct horse battery";

const refuse = defineOperation({
  id: "issue.create",
  description: "Open an issue",
  handler: () => {
    throw fail("AUTH", `Bad credentials: ${token} and ${own}`, {
      hint: `sent Authorization: Bearer ${token}`,
      headers: { authorization: "x y", accept: "json" },
    });
  },
});
const warn = defineOperation({
  id: "issue.view",
  description: "Show an issue",
  effect: "read",
  handler: () => {
    const { data, meta } = httpEnvelope(1, { statusCode: 200, headers: {}, contentType: "" });
    return { data, meta: { ...meta, warnings: [`labels: ${token} may not read`] } };
  },
});

const records: CallRecord[] = [];
const waybill = createWaybill({
  operations: [refuse, warn],
  secrets: () => [own],
  observer: { onCall: (record) => records.push(record) },
});

describe("a secret", () => {
  it("is in no message, no detail and no hint", async () => {
    const { error } = await waybill.execute("issue.create");
    expect(error).toMatchObject({
      message: "Bad credentials: [redacted] and [redacted]",
      details: {
        hint: "sent Authorization: Bearer [redacted]",
        headers: { authorization: "[redacted]", accept: "json" },
      },
    });
  });

  it("is in no warning", async () => {
    const { meta } = await waybill.execute("issue.view");
    expect(meta.warnings).toEqual(["labels: [redacted] may not read"]);
  });

  it("is in nothing that an observer is told, the failure's own cause aside", async () => {
    records.length = 0;
    await waybill.execute("issue.create", { note: own, password: "hunter2", deep: [token] });
    const [{ error, ...record }] = records as [CallRecord];
    const told = JSON.stringify(record);
    for (const secret of [token, own, "hunter2"]) expect(told).not.toContain(secret);
    expect(record.params).toEqual({
      note: "[redacted]",
      password: "[redacted]",
      deep: ["[redacted]"],
    });
    expect(error?.details).toHaveProperty("hint");
  });

  it("is not in a dry run", async () => {
    const { data } = await waybill.execute("issue.create", { api_key: token }, { dry_run: true });
    expect(data).toMatchObject({ requests: [{ input: { api_key: "[redacted]" } }] });
  });

  it("leaves an approval readable, which is no secret to who asks for it", async () => {
    const one = createWaybill({ operations: [refuse], policy: { confirm: "writes" } });
    const { error } = await one.execute("issue.create");
    expect(error?.details?.["approve"]).toMatch(/^\w+\.[0-9a-f]{64}$/);
  });
});
