import { fileURLToPath } from "node:url";
import { createWaybill } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpSource } from "./index.ts";
import type { McpSourceSettings } from "./index.ts";

const LARGE = "12345678901234567890";
const FILE = fileURLToPath(new URL("fixtures/raw-server.mjs", import.meta.url));

function settings(flags: readonly string[] = []): McpSourceSettings {
  return { name: "raw", command: process.execPath, args: [FILE, ...flags] };
}

function waybill(more: Partial<McpSourceSettings> = {}): Waybill {
  const made = createWaybill({ sources: [mcpSource({ ...settings(), ...more })] });
  onTestFinished(() => made.close());
  return made;
}

describe("integers beyond 2^53 of an MCP server", () => {
  it.each([
    ["structured content", "exact"],
    ["text", "text"],
  ])(
    "a call of an MCP tool returns large integers in the %s of its response as strings of digits",
    async (_place, tool) => {
      const result = await waybill().execute(`raw.${tool}`);
      expect(result.data).toEqual({ id: LARGE });
      expect(result.meta.warnings).toEqual([
        "These integers are above 2^53, so they are strings of digits: /id",
      ]);
    },
  );

  it("a large integer in the input of an MCP tool is sent as its digits", async () => {
    const { data } = await waybill().execute("raw.echo", { id: LARGE });
    expect(JSON.stringify(data)).toContain(String.raw`\"arguments\":{\"id\":${LARGE}}`);
  });
});

describe("malformed responses of an MCP server", () => {
  it.each([
    ["sends the id back as a string", "string-id", "id is a string"],
    ["answers without a result", "no-result", "without a result"],
    ["answers with null", "null-result", "result is not an object"],
    ["answers with a list", "list-result", "result is not an object"],
    ["sends a result and an error", "result-and-error", "it broke"],
    [
      "sends an error that is text",
      "text-error",
      "an error without a message; look into the log of the server",
    ],
    ["sends an error with an odd code", "error-of-digits", "it broke"],
  ])("the outcome of an MCP call is unknown if the server %s", async (_, tool, words) => {
    const { error } = await waybill().execute(`raw.${tool}`);
    expect(error).toMatchObject({ code: "SERVER", details: { outcome: "unknown" } });
    expect(error?.message).toContain(words);
  });

  it("the outcome of an MCP call is unknown if the server never answers", async () => {
    const { error } = await waybill({ callTimeoutMs: 500 }).execute("raw.nothing");
    expect(error).toMatchObject({ code: "TIMEOUT", details: { outcome: "unknown" } });
  });

  it("a tool whose schema nests too deeply is left out, and the other tools of the server can be called", async () => {
    const problems: string[] = [];
    const made = createWaybill({
      sources: [mcpSource(settings(["--deep"]))],
      observer: { onProblem: ({ message }) => problems.push(message) },
    });
    onTestFinished(() => made.close());
    expect((await made.execute("raw.echo")).ok).toBe(true);
    expect(problems).toEqual(["tool 1 of its list nests too deeply"]);
    expect((await made.execute("raw.deep")).error?.code).toBe("NOT_FOUND");
  });

  it("an MCP server whose tools/list response has no list cannot be added as a source", async () => {
    const source = mcpSource(settings(["--no-list"]));
    onTestFinished(() => source.close());
    await expect(source.list()).rejects.toThrow("no list of tools");
  });
});
