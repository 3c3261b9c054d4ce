import { createCodeRunner, memoryRunLog } from "@waybill/code";
import { memoryJournal } from "@waybill/core";
import { createMcpHttpHandler } from "@waybill/mcp/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { ERAS, call, connectTo } from "../../packages/mcp/src/server/fixtures/clients.ts";
import type { ClientSettings } from "../../packages/mcp/src/server/fixtures/clients.ts";
import { Shop } from "../../packages/mcp/src/server/fixtures/shop.ts";

type ElicitResult = ReturnType<NonNullable<ClientSettings["elicit"]>>;

const CODE = "for (const id of [3, 4]) await item.delete({ id }); return 2";

const decline = (): ElicitResult => ({ action: "decline" });

function serveCode(shop: Shop, approvals: "agent" | "person") {
  const runner = createCodeRunner({ log: memoryRunLog() });
  onTestFinished(() => runner.close());
  const handler = createMcpHttpHandler({
    waybill: shop.waybill({ policy: { approvals }, journal: memoryJournal() }),
    version: "0.0.0",
    code: { run: (...args) => runner.run(...args), text: () => "" },
  });
  onTestFinished(() => handler.close());
  return handler;
}

describe.each(ERAS)("writes of a program over MCP %s that need an approval", (era) => {
  describe.each(["agent", "person"] as const)("policy with approvals by: %s", (approvals) => {
    it("the writes of a program are made after the person behind the client allows them", async () => {
      const shop = new Shop();
      const asked: string[] = [];
      const elicit = (message: string): ElicitResult => {
        asked.push(message);
        return { action: "accept", content: { allow: true } };
      };
      const client = await connectTo(serveCode(shop, approvals), era, { elicit });
      const { envelope } = await call(client, "code", { code: CODE });
      expect(asked).toEqual([expect.stringContaining("2 × item.delete need an approval")]);
      expect([envelope.ok, envelope.data, shop.deleted]).toEqual([true, { value: 2 }, [3, 4]]);
    });

    it("a program writes nothing if the person declines, and the agent gets no approval", async () => {
      const shop = new Shop();
      const client = await connectTo(serveCode(shop, approvals), era, { elicit: decline });
      const { envelope } = await call(client, "code", { code: CODE });
      expect(envelope.error.message).toBe(
        "2 × item.delete need an approval. Nothing was applied. The user did not give the approval.",
      );
      expect(envelope.error.details).not.toHaveProperty("approve");
      expect(shop.deleted).toEqual([]);
    });
  });
});
