import { describe, expect, it } from "vitest";
import { CallError, fail } from "../../envelope/index.ts";
import { PendingRequestMap, buildCallHandler } from "../../calls/index.ts";
import { defineOperation, defineSubscription } from "../../operation/index.ts";
import { memoryJournal } from "../../router/index.ts";
import { createWaybill, executeRemotely, wireWaybill } from "../index.ts";
import type { WaybillOptions } from "../index.ts";

const whoami = defineOperation({
  id: "me.name",
  description: "Says who calls.",
  effect: "read",
  access: { all: ["me"] },
  handler: (_input, { identity }) => identity?.id,
});

const remove = defineOperation({
  id: "file.delete",
  description: "Deletes a file.",
  effect: "destructive",
  handler: () => "gone",
});

const wait = defineOperation({
  id: "time.wait",
  description: "Never ends by itself.",
  effect: "read",
  handler: (_input, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    }),
});

const pages = defineOperation({
  id: "book.page",
  description: "Turns a page.",
  effect: "read",
  input: { type: "object", properties: { number: { type: "integer" } } },
  handler: ({ number = 1 }) => number,
});

const ticks = defineSubscription({
  id: "time.ticks",
  description: "Ticks.",
  effect: "read",
  async *handler() {
    yield "tick";
    yield "tock";
  },
});

let orders = 0;
const order = defineOperation({
  id: "tea.order",
  description: "Orders tea.",
  handler: () => (orders += 1),
});

async function served(options: WaybillOptions = {}): Promise<PendingRequestMap> {
  const operations = [whoami, remove, wait, pages, ticks, order];
  const { registry } = await wireWaybill(createWaybill({ operations, ...options }));
  const calls = new PendingRequestMap();
  calls.serve(buildCallHandler({ registry, callMap: calls }));
  return calls;
}

describe("wireWaybill", () => {
  it("waybill.execute in another process returns the Waybill's own envelope", async () => {
    const { data } = await (
      await served()
    ).call("waybill.execute", {
      capability_id: "book.page",
      params: { number: "7" },
      options: { trace: true },
    });
    expect(data).toMatchObject({
      ok: true,
      data: 7,
      meta: { capability_id: "book.page", attempts: [{ status: "success" }] },
    });
  });

  it("a call from another process is checked against the access rights of its caller", async () => {
    const calls = await served();
    const ada = { id: "ada", scopes: ["me"] };
    expect(await calls.call("me.name", {}, { identity: ada })).toMatchObject({ data: "ada" });
    await expect(calls.call("me.name", {})).rejects.toMatchObject({ details: { code: "POLICY" } });
    expect((await executeRemotely(calls, "me.name")).error?.code).toBe("POLICY");
  });

  it("a call from another process is bound by the policy and can carry an approval", async () => {
    const calls = await served();
    await expect(calls.call("file.delete", {})).rejects.toMatchObject({
      details: { code: "POLICY", outcome: "not_applied" },
    });
    const refused = await executeRemotely(calls, "file.delete", {});
    const approve = String(refused.error?.details?.["approve"]);
    expect((await executeRemotely(calls, "file.delete", {}, { approve })).data).toBe("gone");
  });

  it("a keyed write is applied once, whether it is called directly or from another process", async () => {
    const calls = await served({ journal: memoryJournal() });
    const before = orders;
    const first = await calls.call("tea.order", {}, { idempotencyKey: "k" });
    const again = await executeRemotely(calls, "tea.order", {}, { idempotency_key: "k" });
    expect([first.data, again.data, again.meta.replayed]).toEqual([before + 1, before + 1, true]);
  });

  it("a repeat of a failed keyed write from another process returns the recorded failure", async () => {
    const spill = defineOperation({
      id: "tea.spill",
      description: "Spills tea.",
      handler: () => Promise.reject(fail("CONFLICT", "Spilt", { outcome: "applied" })),
    });
    const waybill = createWaybill({ operations: [spill], journal: memoryJournal() });
    const { registry } = await wireWaybill(waybill);
    const spilt = { details: { code: "CONFLICT", outcome: "applied" } };
    const call = () => registry.execute("tea.spill", {}, { idempotencyKey: "k" });
    await expect(call()).rejects.toMatchObject(spilt);
    await expect(call()).rejects.toMatchObject(spilt);
  });

  it("the deadline and the abort of a call from another process reach the Waybill", async () => {
    const calls = await served();
    const late = await executeRemotely(calls, "time.wait", {}, { deadline_ms: 20 });
    expect(late.error?.code).toBe("TIMEOUT");
    const controller = new AbortController();
    const waiting = executeRemotely(calls, "time.wait", {}, { signal: controller.signal });
    controller.abort();
    expect((await waiting).error?.code).toBe("CANCELLED");
  });

  it("another process can subscribe to a capability by the id of the capability, without waybill.execute", async () => {
    const seen: unknown[] = [];
    for await (const { data } of (await served()).subscribe("time.ticks")) seen.push(data);
    expect(seen).toEqual(["tick", "tock"]);
  });

  it("wireWaybill describes the capabilities and their input schemas", async () => {
    const { specs } = await wireWaybill(createWaybill({ operations: [pages] }));
    expect(specs.map(({ id }) => id)).toEqual(["waybill.execute", "book.page"]);
    expect(specs[1]?.inputSchema).toEqual(pages.spec.inputSchema);
  });
});

describe("calls of a remote Waybill", () => {
  const late = new CallError("TIMEOUT", "The deadline passed", { outcome: "unknown" });
  const put = { ...remove.spec, id: "file.put", idempotent: true };
  const specs = [wait.spec, remove.spec, put];

  it.each([
    ["a read", "time.wait", async () => specs, true, undefined],
    ["a write", "file.delete", async () => specs, false, "unknown"],
    ["a write that may be repeated", "file.put", async () => specs, true, "unknown"],
    ["an operation that is not offered", "a.b", async () => specs, false, "unknown"],
    [
      "an operation that is not described",
      "time.wait",
      () => Promise.reject(late),
      false,
      "unknown",
    ],
  ])(
    "executeRemotely sets retryable and outcome after a timeout of %s",
    async (_what, id, offer, ...wanted) => {
      const { error } = await executeRemotely(
        { call: () => Promise.reject(late), describe: offer },
        id,
      );
      expect(error?.code).toBe("TIMEOUT");
      expect([error?.retryable, error?.details?.["outcome"]]).toEqual(wanted);
    },
  );

  it("executeRemotely returns an unknown outcome for a response that is no envelope", async () => {
    const calls = { call: async () => ({ data: { ok: 1 }, meta: { source: "local" } }) as never };
    const { error } = await executeRemotely(calls, "a.b");
    expect(error).toMatchObject({
      code: "NETWORK",
      retryable: false,
      details: { outcome: "unknown" },
    });
  });
});
