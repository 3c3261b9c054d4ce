import { fileURLToPath } from "node:url";
import type { Tool } from "@ai-sdk/provider-utils";
import { createWaybill, memoryHandles } from "@waybill/core";
import type { HandleStore, Waybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpSource } from "../client/index.ts";
import { toolDefinitions } from "./index.ts";

const EVERYTHING = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);
const TINY = { capability_id: "every.get-tiny-image", params: {} };
/** The first bytes of every PNG, in base64. */
const PNG = /^iVBORw0KGgo/u;

function everything(handles: HandleStore): Waybill {
  const args = [EVERYTHING, "stdio"];
  const settings = { name: "every", command: process.execPath, args, trusted: true, handles };
  const waybill = createWaybill({ sources: [mcpSource(settings)], handles });
  onTestFinished(() => waybill.close());
  return waybill;
}

describe("images in a tool's answer", () => {
  it("an image in a tool's answer has the form that each provider's SDK expects", async () => {
    const handles = memoryHandles();
    const waybill = everything(handles);
    const images = async (format: "anthropic" | "openai" | "openai-responses" | "gemini") =>
      (await (await toolDefinitions(waybill, { format, handles })).run("execute", TINY)).images;
    const url = expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/u) as string;
    const data = expect.stringMatching(PNG) as string;
    const source = { type: "base64", media_type: "image/png", data };
    expect(await images("anthropic")).toEqual([{ type: "image", source }]);
    expect(await images("openai")).toEqual([{ type: "image_url", image_url: { url } }]);
    expect(await images("openai-responses")).toEqual([
      { type: "input_image", image_url: url, detail: "auto" },
    ]);
    expect(await images("gemini")).toEqual([{ inlineData: { mimeType: "image/png", data } }]);
  });

  it("an image reaches the model through the tools of the AI SDK and LangChain", async () => {
    const handles = memoryHandles();
    const waybill = everything(handles);
    const { tools: vercel } = await toolDefinitions(waybill, { format: "vercel", handles });
    const execute = vercel["execute"]!;
    const output = await execute.execute(TINY);
    const told = execute.toModelOutput satisfies Tool["toModelOutput"];
    expect(told({ output })).toMatchObject({
      type: "content",
      value: [{ type: "text" }, { type: "image-data", mediaType: "image/png" }],
    });
    const { tools: langchain } = await toolDefinitions(waybill, { format: "langchain", handles });
    const blocks = await langchain[0]!.func(TINY);
    expect(blocks).toMatchObject([{ type: "text" }, { type: "image_url" }]);
  });

  it("an image in a tool's answer stays a handle in the text if there is no handle store", async () => {
    const handles = memoryHandles();
    const waybill = everything(handles);
    const { run } = await toolDefinitions(waybill, { format: "anthropic" });
    const { text, images } = await run("execute", TINY);
    expect([images, text.includes("image/png")]).toEqual([[], true]);
    const { tools } = await toolDefinitions(waybill, { format: "vercel", handles });
    const echo = { capability_id: "every.echo", params: { message: "hi" } };
    const output = await tools["execute"]!.execute(echo);
    expect(tools["execute"]!.toModelOutput({ output })).toMatchObject({ type: "text" });
  });
});
