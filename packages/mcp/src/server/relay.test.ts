import { fileURLToPath } from "node:url";
import { createWaybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { RelayDesk, mcpSource } from "../client/index.ts";
import type { McpOffers } from "../client/index.ts";
import { ERAS, connectTo } from "./fixtures/clients.ts";
import type { ClientSettings, Era } from "./fixtures/clients.ts";
import { createMcpHttpHandler } from "./index.ts";

const EVERYTHING = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);

/**
 * A long interval, because on a slow machine the elapsed seconds would be reported before the
 * server's own progress.
 */
const QUIET_MS = 600_000;

/** A client of Waybill's server, which forwards to the reference server of MCP. */
async function connect(era: Era, settings: ClientSettings = {}) {
  const source = mcpSource({
    name: "everything",
    command: process.execPath,
    args: [EVERYTHING, "stdio"],
    trusted: true,
    relay: new RelayDesk("everything"),
  });
  const waybill = createWaybill({ sources: [source], policy: { confirm: "none" } });
  const upstream = [source.offers];
  const handler = createMcpHttpHandler({
    waybill,
    version: "1.0.0",
    upstream,
    progressMs: QUIET_MS,
  });
  onTestFinished(async () => {
    await handler.close();
    await waybill.close();
  });
  return connectTo(handler, era, settings);
}

const execute = (capability_id: string, params: object = {}) => ({
  name: "execute",
  arguments: { capability_id: `everything.${capability_id}`, params },
});

describe.each(ERAS)("an MCP server behind Waybill, protocol %s", (era) => {
  it("resources, templates and prompts of a server behind Waybill are offered under that server's name as prefix", async () => {
    const client = await connect(era);
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(0);
    expect(resources[0]?.name).toMatch(/^everything\./u);
    const { uri } = resources[0]!;
    const { contents } = await client.readResource({ uri });
    expect(contents[0]).toMatchObject({ uri });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.some(({ name }) => name.startsWith("everything."))).toBe(true);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain("everything.simple-prompt");
    const { messages } = await client.getPrompt({ name: "everything.simple-prompt" });
    expect(messages).toHaveLength(1);
    await expect(client.readResource({ uri: "none://such" })).rejects.toThrow("none://such");
    await expect(client.getPrompt({ name: "everything.no-such" })).rejects.toThrow("no-such");
  });

  it("progress reports of a server behind Waybill reach the client with that server's numbers", async () => {
    const client = await connect(era);
    const heard: unknown[] = [];
    const call = execute("trigger-long-running-operation", { duration: 0.3, steps: 3 });
    await client.callTool(call, { onprogress: (progress) => void heard.push(progress) });
    expect(heard[0]).toMatchObject({ progress: 1, total: 3 });
  });

  it("a question of a server behind Waybill reaches the person, with that server's name", async () => {
    const asked: string[] = [];
    const client = await connect(era, {
      elicit: (message) => {
        asked.push(message);
        return { action: "accept", content: { name: "Ada", check: true } };
      },
    });
    const { content } = await client.callTool(execute("trigger-elicitation-request"));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^everything: /u);
    expect(JSON.stringify(content)).toContain("Ada");
  });

  it("a trusted server behind Waybill can use the client's model", async () => {
    const client = await connect(era, {
      sample: () => ({
        role: "assistant",
        model: "small",
        content: { type: "text", text: "forty-two" },
      }),
    });
    const { content } = await client.callTool(
      execute("trigger-sampling-request", { prompt: "What is it?", maxTokens: 20 }),
    );
    expect(JSON.stringify(content)).toContain("forty-two");
  });
});

describe("changes of an MCP server behind Waybill", () => {
  it.each(ERAS)(
    "changes of a server behind Waybill reach a listening client of protocol %s",
    async (era) => {
      const listeners = new Set<() => void>();
      const offers: McpOffers = {
        source: "files",
        list: async () => ({ resources: [], templates: [], prompts: [] }),
        read: async () => ({ contents: [] }),
        prompt: async () => ({ messages: [] }),
        onChange(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      };
      const handler = createMcpHttpHandler({
        waybill: createWaybill(),
        version: "1.0.0",
        upstream: [offers],
      });
      const client = await connectTo(handler, era);
      const heard = new Set<string>();
      client.setNotificationHandler(
        "notifications/tools/list_changed",
        () => void heard.add("tools"),
      );
      client.setNotificationHandler("notifications/resources/list_changed", () => {
        heard.add("resources");
      });
      client.setNotificationHandler("notifications/prompts/list_changed", () => {
        heard.add("prompts");
      });
      if (era === "2026-07-28") {
        const lists = {
          toolsListChanged: true,
          resourcesListChanged: true,
          promptsListChanged: true,
        };
        await client.listen(lists);
      }
      await expect
        .poll(() => {
          listeners.forEach((listener) => listener());
          return [...heard].toSorted();
        })
        .toEqual(["prompts", "resources", "tools"]);
      await client.close();
      await handler.close();
      expect(listeners.size).toBe(0);
    },
  );

  it("resources of a server behind Waybill are not offered to callers with an identity", async () => {
    const read = { contents: [{ uri: "a://b", text: "secret" }] };
    const offers: McpOffers = {
      source: "files",
      list: async () => ({
        resources: [{ uri: "a://b", name: "b" }],
        templates: [],
        prompts: [],
      }),
      read: async () => read,
      prompt: async () => ({ messages: [] }),
      onChange: () => () => {},
    };
    const handler = createMcpHttpHandler({
      waybill: createWaybill(),
      version: "1.0.0",
      upstream: [offers],
    });
    const identity = { id: "ada", scopes: [] };
    const own = await connectTo(handler, "2025-11-25");
    expect(await own.readResource({ uri: "a://b" })).toMatchObject(read);
    const fetch = (request: Request) => handler.fetch(request, { identity });
    const other = await connectTo({ fetch }, "2025-11-25");
    expect((await other.listResources()).resources).toEqual([]);
    await expect(other.readResource({ uri: "a://b" })).rejects.toThrow("a://b");
  });
});
