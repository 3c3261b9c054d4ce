import { createWaybill, defineSubscription, fail } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { ERAS, call, connectTo } from "./fixtures/clients.ts";
import { createMcpHttpHandler } from "./index.ts";

const ticks = defineSubscription({
  id: "clock.ticks",
  description: "Counts",
  effect: "read",
  async *handler() {
    for (let n = 1; ; n++) yield { n };
  },
});
const broken = defineSubscription({
  id: "clock.broken",
  description: "Breaks",
  effect: "read",
  // oxlint-disable-next-line require-yield -- it breaks before its first event
  async *handler() {
    throw fail("NETWORK", "it broke");
  },
});

function serve() {
  const waybill = createWaybill({ operations: [ticks, broken] });
  const handler = createMcpHttpHandler({ waybill, version: "1.0.0" });
  onTestFinished(() => handler.close());
  return handler;
}

describe.each(ERAS)("execute of a subscription, protocol %s", (era) => {
  it("the tool execute returns the first events of a subscription and reports each event as progress", async () => {
    const client = await connectTo(serve(), era);
    const heard: unknown[] = [];
    const args = { capability_id: "clock.ticks", options: { page: { limit: 3 } } };
    const { content } = await client.callTool(
      { name: "execute", arguments: args },
      { onprogress: (progress) => void heard.push(progress) },
    );
    const [{ text = "" } = {}] = content as { text?: string }[];
    expect(JSON.parse(text)).toMatchObject({
      ok: true,
      data: { events: [{ n: 1 }, { n: 2 }, { n: 3 }], stopped_by: "limit" },
    });
    expect(heard[0]).toMatchObject({ progress: 1, message: '{"n":1}' });
  });

  it("the tool execute fails with the error of the subscription", async () => {
    const client = await connectTo(serve(), era);
    const { envelope } = await call(client, "execute", { capability_id: "clock.broken" });
    expect(envelope.error).toMatchObject({ code: "NETWORK", message: "it broke" });
  });
});
