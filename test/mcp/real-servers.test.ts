// Tests real MCP servers from npm, each called in the same way.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWaybill, memoryHandles } from "@waybill/core";
import type { Waybill } from "@waybill/core";
import { mcpSource } from "@waybill/mcp/client";
import type { McpSourceSettings } from "@waybill/mcp/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/run.mjs";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "waybill-servers-")));
const handles = memoryHandles();
const told: string[] = [];

function server(name: string, bin: string, more: Partial<McpSourceSettings> = {}) {
  return mcpSource({ name, command: join(root, "node_modules/.bin", bin), handles, ...more });
}

let waybill: Waybill;

beforeAll(() => {
  writeFileSync(join(folder, "note.txt"), "remember the milk\n");
  waybill = createWaybill({
    handles,
    sources: [
      server("everything", "mcp-server-everything", {
        trusted: true,
        elicit: async () => ({ action: "accept", content: { name: "Ann" } }),
        onProgress: ({ progress }) => told.push(String(progress)),
      }),
      server("files", "mcp-server-filesystem", { args: [folder], trusted: true }),
      server("memory", "mcp-server-memory", {
        env: { MEMORY_FILE_PATH: join(folder, "memory.json") },
      }),
      server("thinking", "mcp-server-sequential-thinking"),
      server("hello", "mcp-hello-world"),
    ],
  });
});

afterAll(async () => {
  await waybill.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("server-everything", () => {
  it("the MCP server server-everything returns structured content as data", async () => {
    const { data } = await waybill.execute("everything.get-structured-content", {
      location: "Chicago",
    });
    expect(data).toEqual({ temperature: 36, conditions: "Light rain / drizzle", humidity: 82 });
  });

  it("the MCP server server-everything returns an image as a handle that result.read can read", async () => {
    const { data } = await waybill.execute("everything.get-tiny-image");
    const image = (data as { type: string; handle: string }[]).find(({ type }) => type === "image");
    const read = await waybill.execute("result.read", { handle: image?.handle });
    expect(read.data).toMatchObject({ value: expect.stringMatching(/^iVBOR/u) as string });
  });

  it("a long operation of the MCP server server-everything reports its progress", async () => {
    const input = { duration: 0.4, steps: 2 };
    expect(await waybill.execute("everything.trigger-long-running-operation", input)).toMatchObject(
      {
        ok: true,
      },
    );
    expect(told).toContain("1");
  });

  it("an elicitation request of the MCP server server-everything is answered", async () => {
    const { data } = await waybill.execute("everything.trigger-elicitation-request");
    expect(JSON.stringify(data)).toContain("Name: Ann");
  });

  it("a task of the MCP server server-everything is followed to its result", async () => {
    const { data } = await waybill.execute("everything.simulate-research-query", { topic: "bees" });
    expect(JSON.stringify(data)).toContain("Research Report: bees");
  });
});

describe("server-filesystem", () => {
  it("the MCP server server-filesystem reads a file", async () => {
    const { data } = await waybill.execute("files.read_text_file", {
      path: join(folder, "note.txt"),
    });
    expect(data).toEqual({ content: "remember the milk\n" });
  });

  it("the MCP server server-filesystem returns an error for a path outside its folder", async () => {
    const { error } = await waybill.execute("files.read_text_file", { path: "/etc/hostname" });
    expect(error).toMatchObject({ code: "UNKNOWN", retryable: false });
    expect(error?.message).toMatch("Access denied");
  });

  it("a destructive tool of the MCP server server-filesystem needs an approval", async () => {
    const input = { path: join(folder, "note.txt"), content: "" };
    const { error } = await waybill.execute("files.write_file", input);
    expect(error).toMatchObject({ code: "POLICY", details: { outcome: "not_applied" } });
  });
});

describe("server-memory", () => {
  it("the MCP server server-memory stores and finds an entity", async () => {
    const entities = [{ name: "Ann", entityType: "person", observations: ["likes bees"] }];
    await waybill.execute("memory.create_entities", { entities });
    const { data } = await waybill.execute("memory.search_nodes", { query: "bees" });
    expect(data).toMatchObject({ entities });
  });
});

describe("server-sequential-thinking", () => {
  it("the MCP server server-sequential-thinking accepts a valid input", async () => {
    const input = { thought: "why", thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false };
    const { data } = await waybill.execute("thinking.sequentialthinking", input);
    expect(data).toMatchObject({ thoughtHistoryLength: 1, nextThoughtNeeded: false });
  });

  it("an invalid input of the MCP server server-sequential-thinking is rejected before it is sent", async () => {
    const { error } = await waybill.execute("thinking.sequentialthinking", { thought: 1 });
    expect(error?.code).toBe("VALIDATION");
  });
});

describe("mcp-hello-world, on an older SDK", () => {
  it("a tool of an MCP server on an older SDK can be called", async () => {
    const { data } = await waybill.execute("hello.add", { a: 2, b: 3 });
    expect(JSON.stringify(data)).toContain("5");
  });
});
