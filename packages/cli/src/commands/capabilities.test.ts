import { fileURLToPath } from "node:url";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "../fixtures/world.ts";

const GITHUB_CARDS = fileURLToPath(new URL("../fixtures/github", import.meta.url));

const LIST = `item.create Make an item
item.delete Delete an item
item.list List items
item.view View an item
item.wait Wait for an item that never comes
result.read Read more of a result that was cut
`;

describe("waybill capabilities list", () => {
  it("waybill capabilities list prints one line for each capability on a terminal or with --brief", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeUserConfig({ packs: [] });
    const brief = await world.run(["capabilities", "list", "--brief"]);
    expect(brief).toEqual({ code: 0, stdout: LIST, stderr: "" });
    const shown = await world.run(["capabilities", "list"], { isTTY: true });
    expect(shown.stdout).toBe(LIST);
  });

  it.each([
    ["without an option", []],
    ["with --json", ["--json"]],
  ])("waybill capabilities list prints JSON for a program: %s", async (_option, words) => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["capabilities", "list", "--domain", "result", ...words]);
    expect(JSON.parse(stdout)).toEqual([
      { capability_id: "result.read", description: "Read more of a result that was cut" },
    ]);
  });

  it("waybill capabilities list --brief says on stderr that there are no capabilities", async () => {
    const world = await makeWorld(onTestFinished);
    const list = ["capabilities", "list", "--domain", "stock"];
    expect((await world.run(list)).stdout).toBe("[]\n");
    expect(await world.run([...list, "--brief"])).toEqual({
      code: 0,
      stdout: "",
      stderr:
        "waybill: no capability is listed below stock; find one with: waybill capabilities search <words>\n",
    });
  });

  it("the description of a capability cannot move the cursor of the terminal", async () => {
    const world = await makeWorld(onTestFinished);
    const card = { capability_id: "evil.view", version: "1.0.0", description: "\u001B[2Jgone" };
    const rest = { method: "GET", path: "/items", output: { fields: { id: "id" } } };
    const routing = { preferred: "rest", fallbacks: [] };
    const schemas = { input_schema: { type: "object" }, output_schema: { type: "object" } };
    await world.write("project/cards/evil.yaml", {
      ...card,
      effect: "read",
      ...schemas,
      routing,
      rest,
    });
    await world.run(["trust"]);
    const { stdout } = await world.run(["capabilities", "list", "--domain", "evil"], {
      isTTY: true,
    });
    expect(stdout).toBe("evil.view [2Jgone\n");
  });
});

describe("waybill capabilities explain", () => {
  it("waybill capabilities explain --brief shows effect, inputs, outputs and routes in a few lines", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["capabilities", "explain", "item.create", "--brief"]);
    expect(code).toBe(0);
    expect(stdout).toBe(`item.create (write) Make an item
in: title, kind?:big|small
out: id:integer, title
via: rest (demo, this project, trusted)
`);
  });

  it("waybill capabilities explain --brief costs at most 84 tokens on average for GitHub", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({});
    const list = await world.run(["capabilities", "list", "--brief"]);
    const ids = list.stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" ", 1)[0]!);
    expect(ids.length).toBeGreaterThan(60);
    let tokens = 0;
    for (const id of ids) {
      const { stdout } = await world.run(["capabilities", "explain", id, "--brief"]);
      tokens += encode(stdout).length;
    }
    expect(tokens / ids.length).toBeLessThanOrEqual(84);
  });

  it("waybill capabilities explain shows the type of each input, the type of list items and which inputs are optional", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeUserConfig({ packs: [] });
    await world.writeConfig({ sources: { own: world.source({ folder: GITHUB_CARDS }) } });
    const { stdout } = await world.run(["capabilities", "explain", "pr.list", "--brief"]);
    expect(stdout).toBe(`pr.list (read) List pull requests of a repository
in: owner, name, state?:open|closed|merged|all=open, base?, head?, first?:1..100=30, after?
out: items:{id, number:integer, title, state:OPEN|CLOSED|MERGED, isDraft?:boolean, url}[], pageInfo:{hasNextPage:boolean, endCursor:string|null}
via: rest, cli (own, this project, trusted)
`);
  });

  it("waybill capabilities explain prints the documented keys as JSON for a program", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["capabilities", "explain", "item.view"]);
    expect(JSON.parse(stdout)).toEqual({
      capability_id: "item.view",
      purpose: "View an item",
      effect: "read",
      source: "demo",
      origin: "project",
      trusted: true,
      required_inputs: ["id:integer"],
      optional_inputs: ["full:boolean", "note:string"],
      output_fields: ["id:integer", "title", "full?:boolean"],
      preferred_route: "rest",
      fallback_routes: ["cli"],
    });
  });

  it("waybill capabilities explain suggests the nearest ids for an unknown id", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["capabilities", "explain", "item.veiw"]);
    expect(ended.code).toBe(1);
    expect(jsonOf(ended)).toMatchObject({
      ok: false,
      error: { code: "NOT_FOUND", details: { did_you_mean: ["item.view", "item.wait"] } },
      meta: { capability_id: "item.veiw" },
    });
    const shown = await world.run(["capabilities", "explain", "item.veiw"], { isTTY: true });
    expect(shown).toMatchObject({ code: 1, stdout: "" });
    expect(shown.stderr).toContain("item.view");
  });
});

describe("waybill capabilities search", () => {
  it("waybill capabilities search finds capabilities by words", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout } = await world.run(["capabilities", "search", "delete", "item", "--brief"]);
    expect(stdout.split("\n")[0]).toBe("item.delete(id:integer) Delete an item");
    const json = await world.run(["capabilities", "search", "delete"]);
    expect(JSON.parse(json.stdout)).toContainEqual({
      capability_id: "item.delete",
      description: "Delete an item",
      source: "demo",
      origin: "project",
      trusted: true,
    });
  });

  it("waybill capabilities search --brief prints at most five results, and a raw operation only if it fits best", async () => {
    const world = await makeWorld(onTestFinished);
    const search = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await world.run(["capabilities", "search", ...words, "--brief"]);
      return stdout.trimEnd().split("\n");
    };
    const issues = await search("create", "issue");
    expect(issues.length).toBeLessThanOrEqual(5);
    expect(issues[0]).toMatch(/^issue\.create\(owner, name, title, .*\) Open an issue/u);
    expect(issues.filter((line) => line.startsWith("github."))).toEqual([]);
    const raw = await search("gists/get-revision");
    expect(raw[0]).toMatch(/^github\.gists\.get-revision\(gist_id, sha\) /u);
  });

  it("waybill capabilities search --brief says on stderr that nothing matches", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["capabilities", "search", "qqqq", "--brief"]);
    expect(ended).toEqual({
      code: 0,
      stdout: "",
      stderr:
        'waybill: nothing matches "qqqq"; try other words, or run: waybill capabilities list\n',
    });
  });
});
