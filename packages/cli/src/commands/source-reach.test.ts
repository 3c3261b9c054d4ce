import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { configOf, describingItems, emptyWorld } from "../fixtures/sources.ts";
import { jsonOf, makeWorld } from "../fixtures/world.ts";

describe("the token of a source", () => {
  it("the token of a source is sent only to the address that was known when the source was added", async () => {
    const world = await emptyWorld(onTestFinished);
    world.env["SHOP"] = "very-secret-token";
    const secured = {
      ...describingItems(world.upstream.url),
      servers: [{ url: world.upstream.url }, { url: "https://b.example" }],
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    };
    await world.write("project/items.json", secured);
    const { host } = new URL(world.upstream.url);
    const words = ["source", "add", "openapi", "items.json", "--name", "shop", "--allow-private"];
    const added = await world.run([...words, "--token-env", "SHOP"]);
    expect(added.stdout).toContain(`the token is sent only to ${host}`);
    expect(added.stdout).toContain(`--hosts ${host},b.example`);
    expect((await configOf(world))["sources"]).toMatchObject({
      shop: { hosts: [host], allow_private: ["127.0.0.1"] },
    });
    expect(jsonOf(await world.run(["run", "shop.getItem", "id=3"])).ok).toBe(true);
    expect(world.upstream.seen[0]?.authorization).toBe("Bearer very-secret-token");
    const moved = world.upstream.url.replace("127.0.0.1", "localhost");
    await world.write("project/items.json", { ...secured, servers: [{ url: moved }] });
    await world.run(["trust"]);
    const { error } = jsonOf(await world.run(["run", "shop.getItem", "id=3"]));
    expect(error).toMatchObject({ code: "AUTH" });
    expect(error.message).toContain('"hosts"');
    expect(world.upstream.seen).toHaveLength(1);
    const replaced = ["--token-env", "SHOP", "--replace", "--hosts", "localhost,b.example"];
    expect((await world.run([...words, ...replaced])).stdout).toContain("localhost, b.example");
    await world.write("project/items.json", { ...secured, servers: [{ url: "/v1" }] });
    const nowhere = await world.run([...words, "--token-env", "SHOP", "--replace"]);
    expect(nowhere.stdout).toContain("has no address of the API; add it with --server URL");
  });
});

describe("a description at a URL", () => {
  it("an API description at a URL is cached, and the cached copy is used when the URL is unreachable", async () => {
    const world = await emptyWorld(onTestFinished);
    const described = describingItems(world.upstream.url);
    const server = createServer((_request, response) => {
      asked += 1;
      response.setHeader("cache-control", "max-age=60").end(JSON.stringify(described));
    });
    let asked = 0;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
    const words = ["source", "add", "openapi", url, "--name", "shop", "--allow-private"];
    expect((await world.run(words)).code).toBe(0);
    expect((await world.run(["run", "shop.getItem", "id=3"])).code).toBe(0);
    expect(asked).toBe(1);
    expect((await world.run(["source", "check"])).code).toBe(0);
    expect(asked).toBe(2);
    server.close();
    server.closeAllConnections();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    onTestFinished(() => void vi.useRealTimers());
    const offline = await world.run(["run", "shop.getItem", "id=3"]);
    expect(offline.code).toBe(0);
    expect(offline.stderr).toMatch(/warning: source shop: the copy from .* UTC is used/);
    expect((await world.run(["source", "check"])).stdout).toContain("ECONNREFUSED");
  });
});

describe("sources that cannot be reached", () => {
  it("a call reports that its source is unreachable", async () => {
    const world = await makeWorld(onTestFinished);
    const down = { kind: "graphql", url: "http://127.0.0.1:9/graphql", allow_private: true };
    const gone = { kind: "openapi", document: "gone.json" };
    await world.writeConfig({ sources: { down, gone } });
    const { error, meta } = jsonOf(await world.run(["run", "down.query.hello"]));
    expect(error).toMatchObject({ code: "NETWORK", retryable: true });
    expect(error.message).toMatch(/^The source down cannot be used: .*ECONNREFUSED/);
    expect(meta["attempts"]).toMatchObject([
      { route: "graphql", status: "skipped", error_code: "SOURCE_DOWN" },
    ]);
    const broken = jsonOf(await world.run(["run", "gone.op"]));
    expect(broken.error.code).toBe("ADAPTER_UNSUPPORTED");
    expect(broken.error.message).toContain("The description of gone cannot be used");
    const explained = await world.run(["capabilities", "explain", "down.query.hello"]);
    expect(jsonOf(explained).error.code).toBe("NETWORK");
  });

  it("a search leaves out a source that does not answer, and names this source", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/mute.mjs", "setInterval(() => {}, 1000);");
    const mute = { kind: "mcp", command: process.execPath, args: ["mute.mjs"] };
    await world.writeConfig({ sources: { mute, demo: world.source() } });
    const found = await world.run(["capabilities", "search", "item", "--wait-ms", "5000"]);
    expect(found.stdout).toContain("item.view");
    expect(found.stderr).toContain("Sources that could not be searched: mute");
    const wrong = await world.run(["capabilities", "search", "item", "--wait-ms", "soon"]);
    expect(wrong.code).toBe(2);
  });

  it.each([
    ["openapi", { document: "URL/openapi.json" }, "s.op"],
    ["graphql", { url: "URL/graphql" }, "s.query.hello"],
    ["mcp", { url: "URL/mcp" }, "s.echo"],
    ["cards", { folder: "cards", rest: { baseUrl: "URL" } }, "item.list"],
  ])("a source of kind %s reaches the local network only if allowed", async (kind, given, id) => {
    const world = await makeWorld(onTestFinished);
    const filled = JSON.stringify({ kind, ...given }).replace("URL", world.upstream.url);
    const settings = JSON.parse(filled) as object;
    await world.writeConfig({ sources: { s: settings } });
    const refused = jsonOf(await world.run(["run", id]));
    expect(refused.error.code).toBe("POLICY");
    expect(refused.error.message).toContain("127.0.0.1");
    expect(refused.error.details["hint"]).toContain("--allow-private");
    await world.writeForeignConfig({ sources: { s: { ...settings, allow_private: true } } });
    const foreign = jsonOf(await world.run(["run", id]));
    expect(foreign.error.code).toBe("POLICY");
    expect(foreign.error.details["hint"]).toContain(`waybill trust ${world.configPath}`);
    expect(world.upstream.seen).toEqual([]);
    await world.run(["trust"]);
    await world.run(["run", id]);
    expect(world.upstream.seen).not.toEqual([]);
  });
});
