import { join } from "node:path";
import { memoryHandles, memoryJournal } from "@waybill/core";
import { sourceContract } from "@waybill/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { linesOf, oddServer, temporaryFolder, textOf, waybillOf } from "./fixtures/support.ts";
import { createMCPClient, fileStore, mcpSource, memoryStore } from "./index.ts";
import type { McpSourceSettings, StateStore } from "./index.ts";
import { Memory } from "./memory.ts";

const example = {
  id: "odd.add",
  input: { a: 1, b: 2 },
  data: [{ type: "text", text: "3" }],
  badInput: { a: "one" },
};

describe("an MCP server as a source", () => {
  for (const { name, run } of sourceContract(() => mcpSource(oddServer()), example)) {
    it(name, () => run());
  }

  it("the envelope of an MCP tool call names the route mcp", async () => {
    const result = await waybillOf(oddServer()).execute("odd.add", { a: 1, b: 2 });
    expect(result).toMatchObject({
      ok: true,
      meta: { route_used: "mcp", reason: "DEFAULT_POLICY" },
    });
  });

  it("a dry run shows the request to an MCP server", async () => {
    const result = await waybillOf(oddServer()).execute(
      "odd.log",
      { path: "/x" },
      { dry_run: true },
    );
    expect(result.data).toEqual({
      requests: [
        {
          route: "mcp",
          server: process.execPath,
          method: "tools/call",
          params: { name: "log", arguments: { path: "/x" } },
        },
      ],
    });
  });

  it("an MCP tool refuses any route other than mcp", async () => {
    const result = await waybillOf(oddServer()).execute(
      "odd.add",
      { a: 1, b: 2 },
      { route: "rest" },
    );
    expect(result.error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
  });

  it("a keyed write to an MCP server is sent once, even if the call is repeated", async () => {
    const path = join(temporaryFolder(), "log");
    const waybill = waybillOf(oddServer(), { journal: memoryJournal() });
    const options = { idempotency_key: "k" };
    await waybill.execute("odd.log", { path }, options);
    const again = await waybill.execute("odd.log", { path }, options);
    expect(again).toMatchObject({ ok: true, meta: { replayed: true } });
    expect(linesOf(path)).toEqual(["called"]);
  });

  it("hidden MCP tools are found by a search, and exposed MCP tools are found and listed", async () => {
    const patient = { wait_ms: 60_000 };
    const hidden = waybillOf(oddServer());
    expect(await hidden.list_capabilities(patient)).toEqual([]);
    expect(await hidden.list_capabilities({ query: "adds", ...patient })).toMatchObject([
      { capability_id: "odd.add" },
    ]);
    const shown = waybillOf(oddServer([], { exposed: true }));
    expect((await shown.list_capabilities(patient)).length).toBeGreaterThan(10);
  });

  it("createMCPClient returns the operations of an MCP server", async () => {
    const client = await createMCPClient(oddServer());
    expect(client.operations.map(({ spec }) => spec.id)).toContain("odd.add");
    await client.close();
  });
});

describe("effect of a tool", () => {
  it("every tool of an untrusted MCP server counts as a write, whatever its hints say", async () => {
    const source = mcpSource(oddServer());
    await source.list();
    expect(source.describe("odd.add")).toMatchObject({ effect: "write", idempotent: false });
    await source.close();
  });

  it("a tool of a trusted MCP server has the effect that its hints say", async () => {
    const source = mcpSource(oddServer([], { trusted: true }));
    await source.list();
    expect(source.describe("odd.add")).toMatchObject({ effect: "read", idempotent: true });
    expect(source.describe("odd.log")).toMatchObject({ effect: "write", idempotent: false });
    expect(source.describe("odd.set")).toMatchObject({ effect: "write", idempotent: true });
    await source.close();
  });

  it("a tool of an untrusted MCP server is not marked as idempotent, even if its hints say so", async () => {
    const source = mcpSource(oddServer());
    await source.list();
    expect(source.describe("odd.set")).toMatchObject({ effect: "write", idempotent: false });
    await source.close();
  });
});

function pinned(changes: Record<string, string>): McpSourceSettings {
  const compare = () => Promise.resolve(new Map(Object.entries(changes)));
  return oddServer([], { pins: { compare, command: "waybill trust --source odd" } });
}

describe("a tool that changed since it was trusted", () => {
  it("an MCP tool that changed after it was trusted cannot be called, and its new description is not shown", async () => {
    const waybill = waybillOf(pinned({ add: "its description was other" }));
    const { error } = await waybill.execute("odd.add", { a: 1, b: 2 });
    expect(error).toMatchObject({ code: "POLICY", details: { outcome: "not_applied" } });
    expect(error?.message).toContain("To see what changed run: waybill source check odd");
    expect(error?.message).toContain("To trust it run: waybill trust --source odd");
    const explained = await waybill.explain("odd.add");
    expect(explained).toMatchObject({ trusted: false, required_inputs: [], optional_inputs: [] });
    expect(JSON.stringify(explained)).not.toContain("Adds");
    expect((await waybill.execute("odd.echo", { text: "a" })).error?.code).not.toBe("POLICY");
  });

  it("an MCP tool that changed after it was trusted is reported with the difference and the trust command", async () => {
    const source = mcpSource(pinned({ add: "its description was other" }));
    onTestFinished(() => source.close());
    await source.list();
    expect(source.problems?.().map(({ message }) => message)).toContain(
      "add needs trust again: its description was other; run: waybill trust --source odd",
    );
  });
});

describe("stored facts about a server", () => {
  it("a stored list of MCP tools is searched without starting the server", async () => {
    const folder = temporaryFolder();
    const log = join(folder, "starts");
    const settings = oddServer([], {
      store: fileStore(join(folder, "state")),
      env: { START_LOG: log },
    });
    await waybillOf(settings).list_capabilities({ query: "adds", wait_ms: 60_000 });
    expect(linesOf(log)).toHaveLength(1);
    const later = waybillOf({ ...settings, store: fileStore(join(folder, "state")) });
    expect(await later.list_capabilities({ query: "adds", wait_ms: 60_000 })).toHaveLength(1);
    expect(linesOf(log)).toHaveLength(1);
    expect(textOf((await later.execute("odd.add", { a: 2, b: 2 })).data)).toBe("4");
    expect(linesOf(log)).toHaveLength(2);
  });

  it("an older stored state of an MCP server does not replace a newer state while the store is slow", async () => {
    const store = memoryStore();
    let isFirst = true;
    const slow: StateStore = {
      ...store,
      async write(key, value) {
        const [mayPass, copy] = [!isFirst, structuredClone(value)];
        isFirst = false;
        if (!mayPass) await new Promise((resolve) => setTimeout(resolve, 200));
        await store.write(key, copy);
      },
    };
    const memory = new Memory({ name: "odd", command: "odd" }, slow);
    const tools = { tools: [], problems: [] };
    await Promise.all([memory.rememberVerdict(undefined), memory.rememberTools(tools)]);
    expect(await new Memory({ name: "odd", command: "odd" }, store).tools()).toEqual(tools);
  });

  it("a stored protocol version that an MCP server refuses is dropped, and the call succeeds", async () => {
    const discover = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
    const verdict = { at: Date.now(), value: { kind: "modern", discover } };
    const kept = { shape: 2, verdict };
    const store = memoryStore();
    const stale: StateStore = {
      ...store,
      read: async (key) => (await store.read(key)) ?? kept,
    };
    const waybill = waybillOf(oddServer(["--quits"], { store: stale }));
    expect(textOf((await waybill.execute("odd.add", { a: 1, b: 1 })).data)).toBe("2");
  });

  it("an MCP server that exits at a request of the newer protocol is called with the older protocol", async () => {
    const waybill = waybillOf(oddServer(["--quits"]));
    expect(textOf((await waybill.execute("odd.add", { a: 1, b: 1 })).data)).toBe("2");
  });
});

describe("settings of mcpSource", () => {
  it.each([
    [{ name: "two words", command: "x" }, "name must begin with a letter"],
    [{ name: "x" }, "either a command or a url"],
    [{ name: "x", command: "a", url: "http://h" }, "either a command or a url"],
    [{ name: "x", url: "ftp://h" }, "url must be an http or https address"],
    [{ name: "x", command: "" }, "command must be the name"],
    [
      { name: "x", url: "http://h", auth: { grant: "client_credentials", clientId: "c" } },
      "auth must have a clientSecret or a privateKey",
    ],
  ])("an MCP source refuses the settings %j", (settings, message) => {
    const open = () => mcpSource(settings as unknown as Parameters<typeof mcpSource>[0]);
    expect(open).toThrow(message);
    expect(open).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });
});

describe("binary content", () => {
  it("binary content of an MCP tool is stored under a handle", async () => {
    const handles = memoryHandles();
    const waybill = waybillOf(oddServer([], { handles }), { handles });
    const { data } = await waybill.execute("odd.blocks", {});
    const [image, resource] = data as { handle: string; bytes: number }[];
    expect(image).toMatchObject({ type: "image", mimeType: "image/png", bytes: 5 });
    expect(resource).toMatchObject({ type: "resource", uri: "file:///a.bin", bytes: 3 });
    const read = await waybill.execute("result.read", { handle: image?.handle });
    expect(read.data).toMatchObject({ value: "aGVsbG8=" });
  });

  it("only the caller that got binary content of an MCP tool can read its handle", async () => {
    const handles = memoryHandles();
    const waybill = waybillOf(oddServer([], { handles }), { handles });
    const [owner, other] = ["a", "b"].map((id) => waybill.as({ id, scopes: [] }));
    const { data } = await owner!.execute("odd.blocks", {});
    const [image] = data as { handle: string }[];
    const read = async (who = owner) =>
      (await who!.execute("result.read", { handle: image?.handle })).error?.code;
    expect([await read(), await read(other)]).toEqual([undefined, "NOT_FOUND"]);
  });
});
