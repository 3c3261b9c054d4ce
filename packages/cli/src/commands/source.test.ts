import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { buildSchema, graphql } from "graphql";
import { describe, expect, it, onTestFinished } from "vitest";
import { start } from "../fixtures/program.ts";
import { configOf, describingItems, emptyWorld } from "../fixtures/sources.ts";
import { jsonOf, makeWorld } from "../fixtures/world.ts";

const EVERYTHING = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

const MANIFEST = {
  program: process.execPath,
  operations: {
    shout: {
      description: "Says a word loudly",
      effect: "read",
      argv: ["-e", "console.log(process.argv[1].toUpperCase())", "--", "{word}"],
      input: { word: { type: "string" } },
      required: ["word"],
      output: "lines",
    },
    broken: { description: "Lacks its words" },
  },
};

async function graphqlUrl(): Promise<string> {
  const schema = buildSchema("type Query { hello(name: String!): String! }");
  const rootValue = { hello: ({ name }: { name: string }) => `Hello ${name}` };
  const server = createServer((request, response) => {
    void (async () => {
      const { query, variables } = JSON.parse(await text(request)) as {
        query: string;
        variables: Record<string, unknown>;
      };
      const answer = await graphql({ schema, source: query, rootValue, variableValues: variables });
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

describe("waybill source add", () => {
  it("source add openapi adds an API that can be searched, explained and run", async () => {
    const world = await emptyWorld(onTestFinished);
    await world.write("project/items.json", describingItems(world.upstream.url));
    const words = ["source", "add", "openapi", "items.json", "--name", "shop", "--allow-private"];
    const added = await world.run(words);
    expect(added.stdout).toContain("added shop (openapi): 1 operation\n");
    expect(added.stdout).toContain("waybill capabilities explain shop.getItem");
    const found = await world.run(["capabilities", "search", "one", "item", "--brief"]);
    expect(found.stdout).toContain("shop.getItem(id:integer) One item");
    const explained = await world.run(["capabilities", "explain", "shop.getItem", "--brief"]);
    expect(explained.stdout).toContain("in: id:integer");
    expect(jsonOf(await world.run(["run", "shop.getItem", "id=3"])).ok).toBe(true);
    expect(world.upstream.seen).toHaveLength(1);
  });

  it("two processes can add sources at one time without losing a source", async () => {
    const world = await emptyWorld(onTestFinished);
    await world.write("project/a.json", MANIFEST);
    await world.write("project/b.json", MANIFEST);
    const add = (file: string) => start(world, ["source", "add", "command", file]).ended;
    const ends = await Promise.all([add("a.json"), add("b.json")]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(Object.keys((await configOf(world))["sources"]!).toSorted()).toEqual(["a", "b"]);
    expect((await world.run(["run", "a.shout", "word=x"])).code).toBe(0);
  });

  it("source add says what to do about a source that cannot be added", async () => {
    const world = await emptyWorld(onTestFinished);
    const env = { ...world.env, PATH: process.env["PATH"] ?? "" };
    const add = async (...words: string[]) =>
      jsonOf(await world.run(["source", "add", ...words], { env })).error;
    for (const words of [
      ["openapi", `${world.upstream.url}/openapi.json`],
      ["graphql", `${world.upstream.url}/graphql`],
      ["mcp", `${world.upstream.url}/mcp`],
    ]) {
      const refused = await add(...words, "--name", "x");
      expect(refused.message).toContain("is a private address");
      expect(refused.details["hint"]).toContain("--allow-private");
    }
    const ended = await add("mcp", "true");
    expect(ended.message).toContain("The MCP server true ended before it answered");
    expect(ended.details["hint"]).toContain("Run the command yourself");
    const odd = { ...env, BAD: "a\nb" };
    const url = `${world.upstream.url}/mcp`;
    const words = ["source", "add", "mcp", url, "--name", "x", "--token-env", "BAD"];
    const header = jsonOf(await world.run([...words, "--allow-private"], { env: odd })).error;
    expect(header.message).toContain("The header authorization contains a character");
  });

  it("source add mcp adds an MCP server and stores its tools", async () => {
    const world = await emptyWorld(onTestFinished);
    const env = { ...world.env, PATH: process.env["PATH"] ?? "" };
    const server = [process.execPath, EVERYTHING];
    const words = ["source", "add", "mcp", "--name", "every", "--timeout", "600", ...server];
    const added = await world.run(words, { env });
    expect(added.stdout).toMatch(/added every \(mcp\): \d+ operations/);
    const answer = jsonOf(await world.run(["run", "every.echo", "message=hi"], { env }));
    expect(JSON.stringify(answer.data)).toContain("Echo: hi");
    const gone = { ...env, NODE_OPTIONS: "--import=./none.mjs" };
    const every = { kind: "mcp", command: process.execPath, args: [EVERYTHING] };
    const broken = { ...every, env: { NODE_OPTIONS: "${env:NODE_OPTIONS}" } };
    await world.writeConfig({ sources: { every: broken } });
    const listed = await world.run(["capabilities", "search", "echo", "--brief"], { env: gone });
    expect(listed.stdout).toMatch(/^every\.echo\(message\) /u);
    const checked = await world.run(["source", "check"], { env: gone });
    expect([checked.code, checked.stdout.includes("ended before it answered")]).toEqual([1, true]);
    await world.writeForeignConfig({ sources: { every } });
    const refused = jsonOf(await world.run(["run", "every.echo", "message=hi"], { env }));
    expect(refused.error.code).toBe("POLICY");
    expect(refused.error.details["hint"]).toContain(`waybill trust ${world.configPath}`);
  });

  it("source add graphql adds a GraphQL endpoint", async () => {
    const world = await emptyWorld(onTestFinished);
    const url = await graphqlUrl();
    const words = ["source", "add", "graphql", url, "--name", "g", "--allow-private"];
    const added = await world.run(words);
    expect(added.stdout).toContain("added g (graphql): 2 operations");
    const answer = jsonOf(await world.run(["run", "g.query.hello", "name=you"]));
    expect(answer.data).toBe("Hello you");
  });

  it("source add command adds a program and names the operations that are left out", async () => {
    const world = await emptyWorld(onTestFinished);
    await world.write("project/tools/loud.json", MANIFEST);
    const added = await world.run(["source", "add", "command", "tools/loud.json"]);
    expect(added.stdout).toContain("added loud (command): 1 operation, 1 left out");
    expect(added.stderr).toContain("loud.broken: argv is required");
    expect((await configOf(world))["sources"]).toEqual({
      loud: { kind: "command", manifest: "tools/loud.json" },
    });
    expect(jsonOf(await world.run(["run", "loud.shout", "word=hey"])).data).toEqual(["HEY"]);
  });

  it("source add leaves the configuration file unchanged if the source cannot be read", async () => {
    const world = await emptyWorld(onTestFinished);
    await world.write("project/half.json", '{"openapi": "3.1.0", "paths": {');
    for (const words of [
      ["openapi", "half.json"],
      ["openapi", "none.json"],
      ["openapi", "http://127.0.0.1:9/openapi.json"],
      ["mcp", "no-such-program"],
      ["graphql", "http://127.0.0.1:9/graphql"],
      ["command", "half.json"],
      ["swagger", "half.json"],
      ["openapi"],
      ["openapi", "half.json", "--trusted"],
      ["openapi", "half.json", "--name", "no good"],
    ]) {
      const { code, stdout } = await world.run(["source", "add", ...words]);
      expect([words, code]).toEqual([words, 2]);
      expect(jsonOf({ stdout }).error.code).toBe("VALIDATION");
    }
    expect(await configOf(world)).toEqual({});
  });

  it("source add replaces a source only with --replace", async () => {
    const world = await emptyWorld(onTestFinished);
    await world.write("project/a.json", MANIFEST);
    await world.write("project/b.json", MANIFEST);
    await world.run(["source", "add", "command", "a.json", "--name", "loud"]);
    const again = await world.run(["source", "add", "command", "b.json", "--name", "loud"]);
    expect(again.stdout).toContain("There is a source called loud already");
    await world.run(["source", "add", "command", "b.json", "--name", "loud", "--replace"]);
    expect((await configOf(world))["sources"]).toMatchObject({ loud: { manifest: "b.json" } });
  });

  it("source add refuses, and the configuration leaves out, a source whose name differs only in case", async () => {
    const world = await emptyWorld(onTestFinished);
    await world.write("project/a.json", MANIFEST);
    await world.run(["source", "add", "command", "a.json", "--name", "loud"]);
    const before = await configOf(world);
    for (const more of [[], ["--replace"]]) {
      const words = ["source", "add", "command", "a.json", "--name", "Loud", ...more];
      expect((await world.run(words)).stdout).toContain("There is a source called loud already");
    }
    expect(await configOf(world)).toEqual(before);
    const { loud } = before["sources"] as Record<string, object>;
    await world.writeForeignConfig({ sources: { loud, Loud: loud } });
    expect((await world.run(["source", "list"])).stderr).toContain(
      "the source Loud is left out: the file has a source of this name",
    );
  });

  it("source add trusts only the added source, and no other source of the project's configuration", async () => {
    const world = await emptyWorld(onTestFinished);
    await world.write("project/a.json", MANIFEST);
    await world.writeForeignConfig({ sources: { theirs: { kind: "mcp", command: "evil" } } });
    await world.run(["source", "add", "command", "a.json"]);
    expect((await world.run(["run", "a.shout", "word=x"])).code).toBe(0);
    const theirs = jsonOf(await world.run(["run", "theirs.tool"]));
    expect(theirs.error).toMatchObject({
      code: "POLICY",
      message: "The source theirs cannot be used: it needs trust",
    });
    const listed = await world.run(["source", "list"]);
    expect(listed.stdout).toMatch(/^theirs mcp needs trust$/mu);
    expect(listed.stdout).not.toContain("evil");
    const checked = await world.run(["source", "check", "theirs"]);
    expect([checked.code, checked.stdout]).toEqual([
      1,
      `theirs mcp cannot be used: it needs trust\n  Review it in ${world.configPath}, then run: waybill trust ${world.configPath} --source theirs\n`,
    ]);
  });

  it("source add cards says which route of the cards is not configured", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeForeignConfig({});
    const refused = await world.run(["source", "add", "cards", "cards"]);
    expect(refused.code).toBe(2);
    expect(refused.stdout).toContain("needs rest (--base-url URL)");
    expect(await configOf(world)).toEqual({});
    const to = ["--base-url", world.upstream.url, "--allow-private"];
    expect((await world.run(["source", "add", "cards", "cards", ...to])).code).toBe(0);
  });

  it("source add, source check, doctor and explain report an id that a built-in capability already has", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeForeignConfig({});
    const card = await readFile(join(world.project, "cards/item-view.yaml"), "utf8");
    await world.write("project/mine/view.yaml", card.replace("item.view", "issue.view"));
    const to = ["--base-url", world.upstream.url, "--allow-private"];
    const added = await world.run(["source", "add", "cards", "mine", ...to]);
    const says = "issue.view is available as mine.issue.view, because github already has that id";
    expect(added.stdout).toContain(says);
    const checked = await world.run(["source", "check"]);
    expect([checked.code, checked.stdout]).toEqual([0, `mine cards 1 operation\n  ${says}\n`]);
    expect((await world.run(["doctor"])).stdout).toContain(says);
    const explained = await world.run(["capabilities", "explain", "issue.view", "--brief"]);
    expect(explained.stdout).toMatch(/^via: .* \(builtin github\)$/mu);
    expect(explained.stdout).toContain(
      "note: mine has an operation of this id too: mine.issue.view",
    );
    const own = await world.run(["capabilities", "explain", "mine.issue.view", "--brief"]);
    expect(own.stdout).toContain("via: rest, cli (mine, this project, trusted)");
    expect(jsonOf(await world.run(["run", "mine.issue.view", "id=3"])).ok).toBe(true);
  });

  it("a user's own source can replace built-in ids that the user names", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeForeignConfig({});
    const card = await readFile(join(world.project, "cards/item-view.yaml"), "utf8");
    await world.write("project/mine/view.yaml", card.replace("item.view", "issue.view"));
    const mine = world.source({ folder: join(world.project, "mine") });
    await world.writeUserConfig({ sources: { mine }, replace: ["issue.view"] });
    expect(jsonOf(await world.run(["run", "issue.view", "id=3"])).ok).toBe(true);
    const packs = await world.run(["capabilities", "explain", "github.issue.view", "--brief"]);
    expect(packs.stdout).toMatch(/^via: .* \(builtin github\)$/mu);
  });

  it.each(["issue", "pr", "graph", "github", "Issue", "GitHub"])(
    "source add refuses the reserved name %s",
    async (name) => {
      const world = await emptyWorld(onTestFinished);
      await world.write("project/a.json", MANIFEST);
      const refused = await world.run(["source", "add", "command", "a.json", "--name", name]);
      expect(refused.code).toBe(2);
      expect(refused.stdout).toContain(`${name} is the first word of built-in ids`);
    },
  );

  it("source add refuses a name that the user's own configuration already has", async () => {
    const world = await emptyWorld(onTestFinished);
    await world.write("project/a.json", MANIFEST);
    expect((await world.run(["source", "add", "command", "a.json", "--user"])).code).toBe(0);
    const refused = await world.run(["source", "add", "command", "a.json"]);
    expect([refused.code, refused.stdout.includes("Your own configuration has a source")]).toEqual([
      2,
      true,
    ]);
  });

  it("source check reports a malformed card, and the other cards can still be called", async () => {
    const world = await makeWorld(onTestFinished);
    const card = await readFile(join(world.project, "cards/item-view.yaml"), "utf8");
    await world.write(
      "project/cards/wrong.yaml",
      card.replace("item.view", "item.wrong").replace("type: object", "type: objct"),
    );
    await world.run(["trust"]);
    const { code, stdout } = await world.run(["source", "check"]);
    expect(code).toBe(1);
    expect(stdout).toContain('"objct" is not a type; did you mean "object"?');
    expect((await world.run(["run", "item.view", "id=3"])).code).toBe(0);
  });

  it("a source needs trust for a second time when its manifest changes", async () => {
    const world = await emptyWorld(onTestFinished);
    await world.write("project/a.json", MANIFEST);
    await world.run(["source", "add", "command", "a.json"]);
    expect((await world.run(["run", "a.shout", "word=x"])).code).toBe(0);
    await world.write("project/a.json", { ...MANIFEST, program: "/bin/echo" });
    expect((await world.run(["run", "a.shout", "word=x"])).code).toBe(1);
  });

  it("source add mcp --import takes over MCP servers of editors, without their secrets", async () => {
    const world = await emptyWorld(onTestFinished);
    const env = { ...world.env, PATH: process.env["PATH"] ?? "" };
    const server = { command: process.execPath, args: [EVERYTHING] };
    await world.write("project/.mcp.json", {
      mcpServers: {
        every: { ...server, env: { API_KEY: "very-secret-value" } },
        telling: { command: "x", args: ["--api-key", "very-secret-value"] },
        hollow: {},
        mark: { command: "sh", args: ["-c", `touch ${join(world.folder, "started")}`] },
      },
    });
    const added = await world.run(["source", "add", "mcp", "--import"], { env });
    expect(added.stdout).toContain("added every (mcp): ");
    expect(added.stdout).toContain("waybill trust");
    expect(added.stderr).toContain("set API_KEY in the environment");
    expect(added.stderr).toContain("telling was not added");
    expect(added.stderr).toMatch(/hollow in \S+\.mcp\.json was not added: it has neither/u);
    expect(await readFile(world.configPath, "utf8")).not.toContain("secret-value");
    expect((await configOf(world))["sources"]).toMatchObject({
      every: { kind: "mcp", env: { API_KEY: "${env:API_KEY}" } },
    });
    expect(existsSync(join(world.folder, "started"))).toBe(false);
    const set = { ...env, API_KEY: "new-secret-value" };
    expect((await world.run(["run", "every.echo", "message=hi"], { env: set })).code).toBe(1);
    await world.run(["trust"], { env: set });
    expect((await world.run(["run", "every.echo", "message=hi"], { env: set })).code).toBe(0);
  });
});

describe("waybill source", () => {
  it("source list, check and remove accept a broken source, and check exits with 1 for it", async () => {
    const world = await makeWorld(onTestFinished);
    const listed = await world.run(["source", "list"]);
    expect(listed.stdout).toBe(`demo cards ${join(world.project, "cards")}\n`);
    await world.writeConfig({
      sources: { demo: world.source(), gone: { kind: "openapi", document: "gone.json" } },
    });
    const checked = await world.run(["source", "check"]);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain("demo cards 5 operations");
    expect(checked.stdout).toMatch(/gone openapi cannot be used: .*gone/);
    expect((await world.run(["source", "check", "demo"])).code).toBe(0);
    expect((await world.run(["source", "check", "dema"])).stdout).toContain("demo");
    expect((await world.run(["source", "remove", "gone"])).stdout).toContain("removed gone");
    expect(Object.keys((await configOf(world))["sources"] ?? {})).toEqual(["demo"]);
    expect((await world.run(["source", "remove", "gone"])).code).toBe(2);
  });

  it("a source that is down does not affect other sources", async () => {
    const world = await makeWorld(onTestFinished);
    const down = { kind: "graphql", url: "http://127.0.0.1:9/graphql", allow_private: true };
    await world.writeConfig({ sources: { down, demo: world.source() } });
    const listed = await world.run(["capabilities", "list"]);
    expect(listed.stdout).toContain("item.view");
    expect(listed.stderr).toContain("waybill: warning: Sources that could not be searched: down");
  });
});
