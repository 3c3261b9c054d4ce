import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, it, onTestFinished } from "vitest";
import { configOf, describingItems, emptyWorld } from "../fixtures/sources.ts";
import { jsonOf } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

/** An MCP server that answers each method with the given result. */
function mcpServer(results: Readonly<Record<string, object>>): string {
  const all = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {}, ...(results["prompts/list"] && { prompts: {} }) },
      serverInfo: { name: "small", version: "1" },
    },
    ...results,
  };
  return `
    const results = ${JSON.stringify(all)};
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      const result = results[method];
      const error = { code: -32601, message: "not here" };
      console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
    });`;
}

async function graphqlWithoutFields(): Promise<string> {
  const { __schema } = introspectionFromSchema(buildSchema("type Query { gone: String }"));
  const types = __schema.types.map((type) =>
    type.name === "Query" ? { ...type, fields: [] } : type,
  );
  const server = createServer((_request, response) => {
    const data = { __schema: { ...__schema, types } };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

const EMPTY: Readonly<Record<string, (world: World) => Promise<[words: string[], why: string]>>> = {
  "cards of which the only one is broken": async (world) => {
    await world.write("project/mine/a.yaml", "capability_id: item.wrong\neffect: reed\n");
    return [
      ["cards", "mine", "--name", "empty", "--base-url", world.upstream.url, "--allow-private"],
      "a.yaml:1 version",
    ];
  },
  "an OpenAPI description without paths": async (world) => {
    const { paths: _paths, ...document } = describingItems(world.upstream.url) as { paths: object };
    await world.write("project/a.json", { ...document, paths: {} });
    return [["openapi", "a.json", "--name", "empty"], ""];
  },
  "a GraphQL schema without fields": async () => [
    ["graphql", await graphqlWithoutFields(), "--allow-private", "--name", "empty"],
    "",
  ],
  "an MCP server without tools": async (world) => {
    await world.write("project/server.cjs", mcpServer({ "tools/list": { tools: [] } }));
    return [["mcp", "--name", "empty", "--", process.execPath, "server.cjs"], ""];
  },
  "a manifest without a usable operation": async (world) => {
    await world.write("project/a.json", {
      program: "echo",
      operations: { a: { description: "A" } },
    });
    return [["command", "a.json", "--name", "empty"], "a"];
  },
};

describe("sources without a callable operation", () => {
  it.each(Object.keys(EMPTY))(
    "source add refuses a source without a callable operation: %s",
    async (name) => {
      const world = await emptyWorld(onTestFinished);
      const [words, why] = await EMPTY[name]!(world);
      const refused = await world.run(["source", "add", ...words]);
      expect([refused.code, refused.stdout]).toEqual([
        2,
        expect.stringContaining("empty was not added: "),
      ]);
      expect(refused.stdout).toContain(why);
      expect(Object.keys((await configOf(world)).sources ?? {})).toEqual([]);
    },
  );

  it("source add accepts an MCP server that has prompts instead of tools", async () => {
    const world = await emptyWorld(onTestFinished);
    const prompts = { prompts: [{ name: "greet" }] };
    const server = mcpServer({ "tools/list": { tools: [] }, "prompts/list": prompts });
    await world.write("project/server.cjs", server);
    const words = ["source", "add", "mcp", "--name", "words", "--", process.execPath, "server.cjs"];
    expect((await world.run(words)).code).toBe(0);
  });
});

describe("patterns that no engine supports", () => {
  it("source add, source check and a dry run name a regular expression of a schema that cannot be checked", async () => {
    const world = await emptyWorld(onTestFinished);
    const description = JSON.stringify(describingItems(world.upstream.url));
    const pattern = '"schema":{"pattern":"(?<!a)b$","type":';
    await world.write("project/items.json", description.replace('"schema":{"type":', pattern));
    const words = ["source", "add", "openapi", "items.json", "--name", "shop", "--allow-private"];
    const added = await world.run(words);
    const says =
      'in the input, the pattern "(?<!a)b$" is not checked, so any string passes: it uses lookahead';
    expect(added.stdout + added.stderr).toContain(says);
    const checked = await world.run(["source", "check"]);
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining(says)]);
    const [id = ""] = /shop\.\w+/u.exec(checked.stdout) ?? [];
    const dry = jsonOf(await world.run(["run", id, "id=3", "--dry-run"]));
    expect(JSON.stringify(dry.meta)).toContain("any string passes");
  });
});
