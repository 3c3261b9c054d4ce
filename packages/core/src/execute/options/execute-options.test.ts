import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../../test/support/stop-clock.ts";
import { defineOperation } from "../../operation/index.ts";
import { createWaybill } from "../index.ts";
import type { ExecuteOptions, Waybill } from "../index.ts";

const issues = Array.from({ length: 200 }, (_, number) => ({
  number,
  title: `Issue number ${number} about something that went wrong`,
  author: { login: `user${number}`, id: number },
}));
const list = defineOperation({
  id: "issue.list",
  description: "",
  effect: "read",
  handler: () => ({ items: issues, total: issues.length }),
});
let hangs = 0;
const hang = defineOperation({
  id: "issue.hang",
  description: "",
  handler: () => ((hangs += 1), new Promise(() => {})),
});
const waybill: Waybill = createWaybill({ operations: [list, hang] });

describe("options of execute", () => {
  it.each([
    [{ trace: "yes" }, "/trace must be true or false"],
    [{ max_tokens: 199 }, "/max_tokens must be a whole number of at least 200"],
    [{ max_tokens: 200.5 }, "/max_tokens must be a whole number"],
    [{ select: "title" }, "/select must be a list"],
    [{ select: [""] }, "/select must be a list"],
    [
      { select: Array.from({ length: 201 }, () => "a") },
      "/select must be a list of at most 200 strings",
    ],
    [{ query: 7 }, "/query must be a string"],
    [{ page: "2" }, "/page must be {cursor?: string, limit?: number}"],
    [{ page: { limit: 0 } }, "/page must be"],
    [{ page: { cursor: "a", size: 2 } }, "/page must be"],
    [{ include: [7] }, "/include must be a list"],
    [{ idempotency_key: "" }, "/idempotency_key must be a string"],
    [{ route: "soap" }, "/route must be one of"],
    [{ account: "" }, "/account must be a string"],
    [{ dry_run: 1 }, "/dry_run must be true or false"],
    [{ approve: true }, "/approve must be a string"],
    [{ deadline_ms: 0 }, "/deadline_ms must be a number above 0"],
    [{ deadline_ms: Number.NaN }, "/deadline_ms must be a number above 0"],
    [{ signal: {} }, "/signal must be an AbortSignal"],
    [{ max_token: 500 }, "/max_token is not an option"],
    [{ "a/b": 1 }, "/a~1b is not an option"],
    [7, "options must be an object"],
    [[], "options must be an object"],
  ])("execute refuses the options %j", async (options, message) => {
    const { error } = await waybill.execute("issue.list", {}, options as ExecuteOptions);
    expect(error?.code).toBe("VALIDATION");
    expect(error?.message).toContain(message);
  });

  it("execute's error for an unknown option suggests the nearest name, or lists all options", async () => {
    const options = { max_token: 500, zzz: 1 } as ExecuteOptions;
    const { error } = await waybill.execute("issue.list", {}, options);
    expect(error?.details?.["issues"]).toEqual([
      { path: "/max_token", message: "is not an option", did_you_mean: "max_tokens" },
      {
        path: "/zzz",
        message: "is not an option",
        allowed: [
          "trace",
          "max_tokens",
          "select",
          "brief",
          "query",
          "page",
          "include",
          "deadline_ms",
          "signal",
          "idempotency_key",
          "route",
          "account",
          "dry_run",
          "approve",
        ],
      },
    ]);
  });

  it("the options of execute can be absent, null, empty, or have undefined members", async () => {
    const nothing = null as unknown as ExecuteOptions;
    const undefinedTrace = { trace: undefined } as unknown as ExecuteOptions;
    for (const options of [undefined, nothing, {}, undefinedTrace]) {
      expect((await waybill.execute("issue.list", {}, options)).ok).toBe(true);
    }
  });
});

describe("option trace", () => {
  it("the option trace adds attempts, timings, cost and the request id to an answer", async () => {
    const envelope = await waybill.execute("issue.list", {}, { trace: true });
    const { meta } = envelope;
    expect(meta.request_id).toBeTypeOf("string");
    expect(meta.attempts).toMatchObject([{ route: "local", status: "success" }]);
    expect(meta.timings!.total_ms).toBeGreaterThanOrEqual(meta.timings!.adapter_ms);
    expect(meta.cost!.tokens_out).toBeGreaterThan(1_000);
    expect(meta.truncated).toBeUndefined();
  });

  it("the option trace adds timings to a failure", async () => {
    const { meta } = await waybill.execute("issue.lst", {}, { trace: true });
    expect(meta).toMatchObject({ timings: { adapter_ms: 0 } });
    expect(meta.attempts).toBeUndefined();
  });
});

describe("option select", () => {
  it("the option select keeps the named fields and warns of missing fields", async () => {
    const select = ["items.*.author.login", "total", "items.number", "nothing.here"];
    const { data, meta } = await waybill.execute("issue.list", {}, { select });
    expect(data).toMatchObject({ total: 200 });
    expect((data as { items: unknown[] }).items[3]).toEqual({ author: { login: "user3" } });
    expect(meta.warnings).toHaveLength(1);
    expect(meta.warnings?.[0]).toMatch(/^nothing to select at nothing\.here; there is .*total/);
  });

  it("the warning of the option select for a field that list items lack names the fields of the items", async () => {
    const { meta } = await waybill.execute("issue.list", {}, { select: ["numbr"] });
    expect(meta.warnings?.[0]).toMatch(/^nothing to select at numbr; there is .*number, .*items/);
  });
});

describe("option max_tokens", () => {
  it("the option max_tokens cuts the data so that the whole answer fits, and marks it as truncated", async () => {
    const { data, meta } = await waybill.execute("issue.list", {}, { max_tokens: 1_000 });
    expect(meta.truncated).toBe(true);
    expect(meta.cost!.tokens_out).toBeLessThanOrEqual(1_000);
    const { items, total } = data as { items: object[]; total: number };
    expect(total).toBe(200);
    expect(items.length).toBeGreaterThan(10);
    expect(items.at(-1)).toEqual(issues[items.length - 1]);
  });

  it("the option max_tokens leaves an answer that fits unchanged, and the answer reports its cost", async () => {
    const { data, meta } = await waybill.execute("issue.list", {}, { max_tokens: 1_000_000 });
    expect((data as { items: unknown[] }).items).toHaveLength(200);
    expect(meta.truncated).toBeUndefined();
    expect(meta.cost!.tokens_out).toBeGreaterThan(1_000);
  });
});

describe("options deadline_ms and signal", () => {
  it("a call ends with TIMEOUT after deadline_ms and with CANCELLED when its signal is aborted", async () => {
    const pass = stopClock();
    const before = hangs;
    const late = waybill.execute("issue.hang", {}, { deadline_ms: 20 });
    await expect.poll(() => hangs).toBe(before + 1);
    await pass(20);
    expect((await late).error).toMatchObject({
      code: "TIMEOUT",
      retryable: false,
      details: { outcome: "unknown" },
    });
    const controller = new AbortController();
    const call = waybill.execute("issue.hang", {}, { signal: controller.signal });
    controller.abort("stop");
    expect((await call).error).toMatchObject({ code: "CANCELLED" });
  });

  it("the option deadline_ms can be Infinity", async () => {
    const options = { deadline_ms: Infinity };
    expect((await waybill.execute("issue.list", {}, options)).ok).toBe(true);
  });
});
