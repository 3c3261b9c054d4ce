import { createWaybill, defineOperation, memoryHandles } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectTo } from "./fixtures/clients.ts";
import { createMcpHttpHandler } from "./index.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function open() {
  const handles = memoryHandles();
  const keep = (base64: string): Promise<string> =>
    handles.put(base64, { capability_id: "camera.shot", encoding: "base64" });
  const shot = defineOperation({
    id: "camera.shot",
    description: "Takes a screenshot",
    effect: "read",
    input: {
      type: "object",
      properties: { mimeType: { type: "string" }, bytes: { type: "integer" } },
    },
    output: {},
    handler: async ({
      mimeType = "image/png",
      bytes = 70,
    }: {
      mimeType?: string;
      bytes?: number;
    }) => [
      { type: "text", text: "here" },
      { type: "image", handle: await keep(PIXEL), bytes, mimeType },
    ],
  });
  const waybill = createWaybill({ operations: [shot], handles });
  const handler = createMcpHttpHandler({ waybill, version: "1", handles, tools: ["camera.*"] });
  onTestFinished(async () => {
    await handler.close();
    await waybill.close();
  });
  return connectTo(handler, "2025-11-25", {});
}

describe("media in an answer", () => {
  it.each(["execute", "camera_shot"])(
    "an image reaches an MCP client through the tool %s",
    async (name) => {
      const client = await open();
      const args = name === "execute" ? { capability_id: "camera.shot" } : {};
      const { content } = await client.callTool({ name, arguments: args });
      expect(content).toHaveLength(2);
      expect(content).toContainEqual({ type: "image", data: PIXEL, mimeType: "image/png" });
    },
  );

  it("an image over the size limit of an answer becomes a link, and the client can read it as binary data", async () => {
    const client = await open();
    const { content } = await client.callTool({
      name: "camera_shot",
      arguments: { bytes: 9_000_000 },
    });
    const link = (content as { type: string; uri: string }[]).find(
      ({ type }) => type === "resource_link",
    );
    const { contents } = await client.readResource({ uri: link!.uri });
    expect(contents).toEqual([{ uri: link!.uri, mimeType: "image/png", blob: PIXEL }]);
  });

  it("a file that is neither image nor audio becomes a link in the MCP answer", async () => {
    const client = await open();
    const args = { mimeType: "application/pdf" };
    const { content } = await client.callTool({ name: "camera_shot", arguments: args });
    expect(content).toContainEqual(
      expect.objectContaining({ type: "resource_link", mimeType: "application/pdf" }),
    );
  });
});
