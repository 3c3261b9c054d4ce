import { mcpEnvelope, isResponseEnvelope } from "@waybill/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapMCPContentBlocks } from "../index.ts";

describe("mapMCPContentBlocks", () => {
  it.each([
    { type: "text", text: "hi" },
    { type: "image", data: "AA==", mimeType: "image/png" },
    { type: "audio", data: "AA==", mimeType: "audio/wav", annotations: { lastModified: "2026" } },
    { type: "resource", resource: { uri: "a:b", text: "x", mimeType: "text/plain" } },
    { type: "resource", resource: { uri: "a:b", blob: "AA==" } },
    { type: "resource_link", uri: "a:b", name: "b" },
    { type: "resource_link", uri: "a:b", name: "b", description: "d", mimeType: "text/plain" },
    {
      type: "resource_link",
      uri: "a:b",
      name: "b",
      title: "B",
      size: 3,
      annotations: { audience: ["user"], priority: 1 },
    },
  ])("a content block of a known kind is kept unchanged: %j", (block) => {
    expect(mapMCPContentBlocks([block])).toStrictEqual([block]);
  });

  it("an audience that the MCP protocol does not define is removed from a content block", () => {
    const block = { type: "text", text: "hi" };
    const audience = ["user", "assistant", "robot", ""];
    expect(mapMCPContentBlocks([{ ...block, annotations: { audience } }])).toEqual([
      { ...block, annotations: { audience: ["user", "assistant"] } },
    ]);
  });

  it.each([
    [{ type: "resource_link", uri: "a:b" }],
    [{ type: "resource", resource: { text: "no uri" } }],
    [{ type: "text", text: 7 }],
    ["words"],
    [null],
  ])("a malformed content block is kept as text: %j", (block) => {
    expect(mapMCPContentBlocks([block])).toEqual([{ type: "text", text: JSON.stringify(block) }]);
  });

  it("any list of content blocks of an MCP server becomes valid content of an envelope", () => {
    const block = fc.oneof(
      fc.json().map((text): unknown => JSON.parse(text)),
      fc.record({
        type: fc.constantFrom("text", "image", "audio", "resource", "resource_link", "new"),
        text: fc.anything(),
        data: fc.string(),
        mimeType: fc.anything(),
        resource: fc.anything(),
        annotations: fc.anything(),
        uri: fc.string(),
        name: fc.anything(),
      }),
    );
    const json = fc
      .array(block)
      .map((blocks): unknown => JSON.parse(JSON.stringify(blocks) ?? "[]"));
    fc.assert(
      fc.property(json, (blocks) => {
        const content = mapMCPContentBlocks(blocks as unknown[]);
        expect(isResponseEnvelope(mcpEnvelope(content, { isError: false, content }))).toBe(true);
      }),
    );
  });
});
