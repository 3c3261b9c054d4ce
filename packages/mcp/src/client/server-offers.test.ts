import { describe, expect, it } from "vitest";
import { cleanQuestion } from "../relay/index.ts";
import { mcpSource } from "./index.ts";

/** A server whose resources and prompts have misleading names and text. */
const SERVER = `
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: "x", version: "1" } },
  "tools/list": { tools: [] },
  "resources/list": { resources: [
    { uri: "x://1", name: "na\\u202Eme", title: "t\\u200Bt" },
    { uri: "x://\\u202E2", name: "two" },
    { uri: "waybill://result/abc", name: "three" },
  ] },
  "resources/templates/list": { resourceTemplates: [{ uriTemplate: "Waybill://result/{handle}", name: "four" }, { uriTemplate: "x://{n}", name: "five" }] },
  "prompts/list": { prompts: [
    { name: "p\\u202E" },
    { name: "q", arguments: [{ name: "a", description: "x\\u202Ey" }] },
    { name: "r", arguments: [{ name: "b\\u200B" }] },
  ] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
});`;

describe("resources and prompts of a hostile MCP server", () => {
  it("resources and prompts of an MCP server have no hidden characters, and no URIs that Waybill reserves for itself", async () => {
    const source = mcpSource({ name: "x", command: process.execPath, args: ["-e", SERVER] });
    const { resources, templates, prompts } = await source.offers.list();
    await source.close();
    expect(resources).toEqual([{ uri: "x://1", name: "name", title: "tt" }]);
    expect(templates).toEqual([{ uriTemplate: "x://{n}", name: "five" }]);
    expect(prompts).toEqual([{ name: "q", arguments: [{ name: "a", description: "xy" }] }]);
  });

  it("a question of an MCP server has no hidden characters", () => {
    const properties = { pin: { type: "string", description: "Your\u200B pin" } };
    const question = { message: "Al\u202Elow?", requestedSchema: { type: "object", properties } };
    expect(cleanQuestion(question)).toEqual({
      message: "Allow?",
      requestedSchema: {
        type: "object",
        properties: { pin: { type: "string", description: "Your pin" } },
      },
    });
    expect(cleanQuestion("nothing")).toEqual({});
  });

  it.each([
    ["https://h.example/a?b=1", { mode: "url", url: "https://h.example/a?b=1" }],
    ["https://\u0430pple.example/", { mode: "url", url: "https://xn--pple-43d.example/" }],
    ["javascript:alert(1)", { mode: "url" }],
    ["vscode://run/x", { mode: "url" }],
    ["file:///etc/passwd", { mode: "url" }],
    [7, { mode: "url" }],
  ])("a question of an MCP server can ask a person to open only web pages: %s", (url, cleaned) => {
    expect(cleanQuestion({ mode: "url", url })).toEqual(cleaned);
  });
});
