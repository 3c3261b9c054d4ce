import { describe, expect, it } from "vitest";
import { mcpEnvelope } from "../envelope/index.ts";
import { defineOperation, defineSubscription } from "../operation/index.ts";
import { createWaybill } from "./index.ts";
import type { CallRecord } from "./index.ts";
import { unwrapCursor, wrapCursor } from "./answer/paging.ts";

describe("meta.timings", () => {
  it("a call with the option trace reports its total time and its adapter time", async () => {
    const nap = defineOperation({
      id: "thing.nap",
      description: "Sleep",
      effect: "read",
      handler: () => new Promise((resolve) => setTimeout(resolve, 5)),
    });
    const { meta } = await createWaybill({ operations: [nap] }).execute(
      "thing.nap",
      {},
      { trace: true },
    );
    expect(meta.timings?.total_ms).toBeGreaterThan(0);
    expect(meta.timings?.adapter_ms).toBeGreaterThan(0);
  });
});

describe("size of an MCP answer", () => {
  it("raw_bytes of an MCP answer counts text and binary data", async () => {
    const records: CallRecord[] = [];
    const content = [
      { type: "text" as const, text: "12345" },
      { type: "image" as const, data: "aGVsbG8=", mimeType: "image/png" },
      { type: "resource_link" as const, uri: "file:///a", name: "a" },
    ];
    const look = defineOperation({
      id: "thing.look",
      description: "Look",
      effect: "read",
      handler: () => mcpEnvelope("seen", { isError: false, content }),
    });
    const observer = { onCall: (record: CallRecord) => void records.push(record) };
    await createWaybill({ operations: [look], observer }).execute("thing.look");
    expect(records[0]?.raw_bytes).toBe("12345aGVsbG8=".length);
  });
});

describe("options of subscribe", () => {
  const tick = defineSubscription({
    id: "clock.tick",
    description: "Tick",
    handler: async function* () {
      yield 1;
    },
  });
  const first = (options: object): Promise<unknown> =>
    createWaybill({ operations: [tick] })
      .subscribe("clock.tick", {}, options)
      .next();

  it.each(["deadline", "idleTimeout"])("subscribe accepts only a number for %s", async (name) => {
    expect(await first({ [name]: Date.now() + 60_000 })).toMatchObject({ value: { data: 1 } });
    await expect(first({ [name]: "soon" })).rejects.toThrow(`/${name} must be a number`);
  });
});

describe("wrapCursor", () => {
  it.each(["???", ">>>", "~~~?>"])(
    "the cursor %j is wrapped without a slash or a plus sign",
    (cursor) => {
      const wrapped = wrapCursor("rest", cursor);
      expect(wrapped).toMatch(/^wb1\.rest\.[\w-]+$/u);
      expect(unwrapCursor(wrapped)).toEqual({ route: "rest", cursor });
    },
  );
});
