import { join } from "node:path";
import { memoryHandles, memoryJournal } from "@waybill/core";
import { sourceContract } from "@waybill/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { linesOf, oddServer, temporaryFolder, textOf, waybillOf } from "./fixtures/support.ts";
import { createMCPClient, fileStore, mcpSource, memoryStore } from "./index.ts";
import type { McpSourceSettings, StateStore } from "./index.ts";

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

  it("says which server a call went to, and by which route", async () => {
    const result = await waybillOf(oddServer()).execute("odd.add", { a: 1, b: 2 });
    expect(result).toMatchObject({
      ok: true,
      meta: { route_used: "mcp", reason: "DEFAULT_POLICY" },
    });
  });

  it("shows what it would send", async () => {
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

  it("an MCP server as a source has no other route", async () => {
    const result = await waybillOf(oddServer()).execute(
      "odd.add",
      { a: 1, b: 2 },
      { route: "rest" },
    );
    expect(result.error).toMatchObject({ code: "VALIDATION", details: { outcome: "not_applied" } });
  });

  it("sends a keyed write once", async () => {
    const path = join(temporaryFolder(), "log");
    const waybill = waybillOf(oddServer(), { journal: memoryJournal() });
    const options = { idempotency_key: "k" };
    await waybill.execute("odd.log", { path }, options);
    const again = await waybill.execute("odd.log", { path }, options);
    expect(again).toMatchObject({ ok: true, meta: { replayed: true } });
    expect(linesOf(path)).toEqual(["called"]);
  });

  it("an MCP server as a source is not listed unless it is exposed, but found", async () => {
    const hidden = waybillOf(oddServer());
    expect(await hidden.list_capabilities()).toEqual([]);
    expect(await hidden.list_capabilities({ query: "adds" })).toMatchObject([
      { capability_id: "odd.add" },
    ]);
    const shown = waybillOf(oddServer([], { exposed: true }));
    expect((await shown.list_capabilities()).length).toBeGreaterThan(10);
  });

  it("gives its operations to who wants to register them", async () => {
    const client = await createMCPClient(oddServer());
    expect(client.operations.map(({ spec }) => spec.id)).toContain("odd.add");
    await client.close();
  });
});

describe("the effect of a tool", () => {
  it("the effect of a tool is a write when the server is not trusted, whatever it says", async () => {
    const source = mcpSource(oddServer());
    await source.list();
    expect(source.describe("odd.add")).toMatchObject({ effect: "write", idempotent: false });
    await source.close();
  });

  it("the effect of a tool is what a trusted server says", async () => {
    const source = mcpSource(oddServer([], { trusted: true }));
    await source.list();
    expect(source.describe("odd.add")).toMatchObject({ effect: "read", idempotent: true });
    expect(source.describe("odd.log")).toMatchObject({ effect: "write", idempotent: false });
    expect(source.describe("odd.set")).toMatchObject({ effect: "write", idempotent: true });
    await source.close();
  });

  it("the effect of a tool may not be repeated because a server says so that is not trusted", async () => {
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

describe("a tool that is not what its user trusted", () => {
  it("a tool that is not what its user trusted cannot be called, and nothing that the server says of it is shown", async () => {
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

  it("a tool that is not what its user trusted is told of with what changed", async () => {
    const source = mcpSource(pinned({ add: "its description was other" }));
    onTestFinished(() => source.close());
    await source.list();
    expect(source.problems?.().map(({ message }) => message)).toContain(
      "add needs trust again: its description was other; run: waybill trust --source odd",
    );
  });
});

describe("what is remembered of a server", () => {
  it("lists its tools without starting it", async () => {
    const folder = temporaryFolder();
    const log = join(folder, "starts");
    const settings = oddServer([], {
      store: fileStore(join(folder, "state")),
      env: { START_LOG: log },
    });
    await waybillOf(settings).list_capabilities({ query: "adds" });
    expect(linesOf(log)).toHaveLength(1);
    const later = waybillOf({ ...settings, store: fileStore(join(folder, "state")) });
    expect(await later.list_capabilities({ query: "adds" })).toHaveLength(1);
    expect(linesOf(log)).toHaveLength(1);
    expect(textOf((await later.execute("odd.add", { a: 2, b: 2 })).data)).toBe("4");
    expect(linesOf(log)).toHaveLength(2);
  });

  it("is given up when it does not hold", async () => {
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

  it("is not needed by a server that ends when it is asked in the newer protocol", async () => {
    const waybill = waybillOf(oddServer(["--quits"]));
    expect(textOf((await waybill.execute("odd.add", { a: 1, b: 1 })).data)).toBe("2");
  });
});

describe("settings", () => {
  it.each([
    [{ name: "two words", command: "x" }, "name must be a word"],
    [{ name: "x" }, "either a command or a url"],
    [{ name: "x", command: "a", url: "http://h" }, "either a command or a url"],
    [{ name: "x", url: "ftp://h" }, "url must be an http or https address"],
    [{ name: "x", command: "" }, "command must be the name"],
    [
      { name: "x", url: "http://h", auth: { grant: "client_credentials", clientId: "c" } },
      "auth must have a clientSecret or a privateKey",
    ],
  ])("%j are refused", (settings, message) => {
    const open = () => mcpSource(settings as unknown as Parameters<typeof mcpSource>[0]);
    expect(open).toThrow(message);
    expect(open).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });
});

describe("binary content", () => {
  it("binary content is kept under a handle", async () => {
    const handles = memoryHandles();
    const waybill = waybillOf(oddServer([], { handles }), { handles });
    const { data } = await waybill.execute("odd.blocks", {});
    const [image, resource] = data as { handle: string; bytes: number }[];
    expect(image).toMatchObject({ type: "image", mimeType: "image/png", bytes: 5 });
    expect(resource).toMatchObject({ type: "resource", uri: "file:///a.bin", bytes: 3 });
    const read = await waybill.execute("result.read", { handle: image?.handle });
    expect(read.data).toMatchObject({ value: "aGVsbG8=" });
  });

  it("binary content belongs to the caller that got it", async () => {
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
