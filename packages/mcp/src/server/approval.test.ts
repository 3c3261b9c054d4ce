import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { ERAS, call, connectTo } from "./fixtures/clients.ts";
import { Shop } from "./fixtures/shop.ts";
import { createMcpHttpHandler } from "./index.ts";

const DELETE = { capability_id: "item.delete", params: { id: 3 } };

function serve(shop: Shop) {
  const handler = createMcpHttpHandler({
    waybill: shop.waybill(),
    version: "0.0.0",
    tools: ["item.delete"],
  });
  onTestFinished(() => handler.close());
  return handler;
}

describe.each(ERAS)("a destructive call, protocol %s", (era) => {
  it("the MCP server makes a destructive call if the person allows the call", async () => {
    const shop = new Shop();
    const asked: string[] = [];
    const elicit = (message: string): ElicitResult => {
      asked.push(message);
      return { action: "accept", content: { allow: true } };
    };
    const client = await connectTo(serve(shop), era, { elicit });
    expect((await call(client, "execute", DELETE)).envelope.ok).toBe(true);
    expect((await call(client, "item_delete", { id: 4 })).envelope.ok).toBe(true);
    expect(shop.deleted).toEqual([3, 4]);
    expect(asked).toEqual(['Allow item.delete with {"id":3}?', 'Allow item.delete with {"id":4}?']);
  });

  it.each<ElicitResult>([
    { action: "decline" },
    { action: "cancel" },
    { action: "accept", content: { allow: false } },
    { action: "accept", content: {} },
  ])("the MCP server does not make a destructive call if the person answers %j", async (answer) => {
    const shop = new Shop();
    const client = await connectTo(serve(shop), era, { elicit: () => answer });
    const { envelope, isError } = await call(client, "execute", DELETE);
    expect([isError, envelope.error.code]).toEqual([true, "POLICY"]);
    expect(envelope.error.details).not.toHaveProperty("approve");
    expect(shop.deleted).toEqual([]);
  });

  it.each([
    ["decline", true],
    ["cancel", false],
  ] as const)(
    "after the person answers %s to an approval question, a repeated call says that a person denied it: %s",
    async (action, isDenied) => {
      const client = await connectTo(serve(new Shop()), era, { elicit: () => ({ action }) });
      await call(client, "execute", DELETE);
      const { envelope } = await call(client, "execute", DELETE);
      expect(String(envelope.error.message).includes("A person denied this call")).toBe(isDenied);
    },
  );

  it("a call that a person declined cannot be approved through a chain or through its stored result", async () => {
    const shop = new Shop();
    const client = await connectTo(serve(shop), era, { elicit: () => ({ action: "decline" }) });
    await call(client, "execute", DELETE);
    const steps = [{ task: "item.delete", input: { id: 3, note: "x".repeat(4_000) } }];
    for (const options of [{}, { max_tokens: 200 }]) {
      const { text } = await call(client, "chain", { steps, options });
      expect(text).toContain('"code":"POLICY"');
      expect(text).not.toContain('"approve":');
      const handle = /"handle":"([^"]+)"/u.exec(text)?.[1];
      if (handle === undefined) continue;
      const read = { capability_id: "result.read", params: { handle } };
      expect((await call(client, "execute", read)).text).not.toContain('"approve":');
    }
    expect(shop.deleted).toEqual([]);
  });

  it("the MCP server refuses a destructive call with an approval token if the client cannot ask a person", async () => {
    const shop = new Shop();
    const client = await connectTo(serve(shop), era);
    const { envelope } = await call(client, "execute", DELETE);
    expect(envelope.error.code).toBe("POLICY");
    const { approve } = envelope.error.details;
    const other = { ...DELETE, params: { id: 4 }, options: { approve } };
    expect((await call(client, "execute", other)).envelope.ok).toBe(false);
    const approved = await call(client, "execute", { ...DELETE, options: { approve } });
    expect([approved.envelope.ok, shop.deleted]).toEqual([true, [3]]);
  });
});
