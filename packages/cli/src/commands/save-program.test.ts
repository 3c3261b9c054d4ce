import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig, trustConfig } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

const PROGRAM = `const made = await item.create({ title: input.title });
return { id: made.id, title: made.title, items: (await item.list()).length }`;
const SAVE = ["code", PROGRAM, "--input", '{"title":"tea"}', "--save", "item.brew"];

async function trust(world: World): Promise<void> {
  await trustConfig(await readConfig(world.configPath), world.env);
}

describe("waybill code --save", () => {
  it("waybill code --save writes a card with inferred schemas, which becomes a capability once the card is trusted", async () => {
    const world = await makeWorld(onTestFinished);
    const saved = await world.run(SAVE);
    expect(saved.code).toBe(0);
    expect(saved.stderr).toContain("saved cards/item.brew.yaml");
    const text = await readFile(join(world.project, "cards/item.brew.yaml"), "utf8");
    expect(saved.stderr).toContain(text);
    expect(text).toContain("effect: write");
    expect(text).toContain("calls:\n  - item.create\n  - item.list");
    expect(text).toContain("code: |\n  const made = await item.create({ title: input.title });");
    const before = await world.run(["run", "item.brew", "--input", '{"title":"a"}']);
    expect(jsonOf(before).error.code).toBe("POLICY");
    await trust(world);
    const ended = await world.run(["run", "item.brew", "--input", '{"title":"milk"}']);
    expect(jsonOf(ended)).toMatchObject({ ok: true, data: { title: "milk", items: 300 } });
    const wrong = await world.run(["run", "item.brew", "--input", '{"titel":"milk"}']);
    expect(jsonOf(wrong).error).toMatchObject({ code: "VALIDATION" });
    const told = await world.run(["capabilities", "explain", "item.brew"]);
    expect(told.stdout).toContain("a saved program that calls item.create, item.list");
  });

  it("waybill code --save asks a person at a terminal, who can say no", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(SAVE, { isTTY: true, input: "n\n" });
    expect(ended.stderr).toContain("Save this as cards/item.brew.yaml?");
    expect(ended.stderr).toContain("nothing was saved");
    expect((await world.run(["source", "check", "demo"])).stdout).not.toContain("item.brew");
  });

  it("waybill code --save saves nothing if the program fails", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["code", "throw new Error('no')", "--save", "item.bad"]);
    expect([ended.code, ended.stderr.includes("item.bad was not saved")]).toEqual([1, true]);
  });

  it.each([
    [["code", "return 1", "--save", "brew"], "is not an id like"],
    [["code", "return 1", "--save", "item.view", "--input", "[1]"], "must be a JSON object"],
    [["code", "const n = 'list'; return item[n]()", "--save", "a.b"], "item[…] is computed"],
    [["code", "--idempotency-key", "k", "--save", "a.b"], "needs the program itself"],
  ])(
    "waybill code --save refuses the command line %j before the program runs",
    async (argv, message) => {
      const world = await makeWorld(onTestFinished);
      const ended = await world.run(argv);
      expect(ended.code).toBe(2);
      expect(ended.stderr + ended.stdout).toContain(message);
    },
  );

  it("waybill code --save does not overwrite a card", async () => {
    const world = await makeWorld(onTestFinished);
    await world.run(SAVE);
    await trust(world);
    const again = await world.run(SAVE);
    expect([again.code, again.stderr + again.stdout]).toEqual([
      2,
      expect.stringContaining("cards/item.brew.yaml already exists"),
    ]);
  });

  it("waybill code --save creates a folder if no cards are configured, and says what to do next", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({ sources: {} });
    const ended = await world.run(["code", "return [1, 2]", "--save", "my.list"]);
    expect(ended.stderr).toContain("next: waybill source add cards waybill-cards");
    const text = await readFile(join(world.project, "waybill-cards/my.list.yaml"), "utf8");
    expect(text).toContain("effect: read");
  });
});

const card = (code: string, more = ""): string => `capability_id: item.sum
version: "1.0.0"
description: Sum
effect: destructive
input_schema: { type: object }
output_schema: true
${more}code: |
  ${code}
`;

describe("saved programs in a folder of cards", () => {
  it("the card of a saved program may omit the list of ids that the program calls", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/cards/sum.yaml", card("return (await item.list()).length"));
    await trust(world);
    const told = await world.run(["capabilities", "explain", "item.sum"]);
    expect(told.stdout).toContain("a saved program that calls item.list");
    expect(jsonOf(await world.run(["run", "item.sum"])).data).toEqual(expect.any(Number));
  });

  it("a saved program can call other sources, which are opened on demand", async () => {
    const world = await makeWorld(onTestFinished);
    const description = {
      openapi: "3.1.0",
      info: { title: "x", version: "1" },
      servers: [{ url: world.upstream.url }],
      paths: { "/items": { get: { operationId: "listItems", responses: { 200: {} } } } },
    };
    await world.write("project/api.json", description);
    const other = { kind: "openapi", document: "api.json", allow_private: true };
    await world.writeConfig({ sources: { demo: world.source(), other } });
    const code = 'return typeof (await waybill.call("other.listItems"))';
    await world.write("project/cards/sum.yaml", card(code));
    await trust(world);
    const ended = await world.run(["run", "item.sum"]);
    expect(jsonOf(ended)).toMatchObject({ ok: true, data: "object" });
  });

  it.each([
    ["return item[input.x]()", "", "sum.yaml:7 code: item[…] is computed"],
    ["return item.list(", "", "sum.yaml:7 code: Line "],
    [
      "return item.delete({ id: 1 })",
      "calls: [item.list]\n",
      'calls item.delete, which the "calls" of the card does not list',
    ],
    ["return item.sum()", "", "is this card itself; call another capability"],
    ["return 1", "routing: { preferred: rest, fallbacks: [] }\n", 'cannot be combined with "code"'],
  ])("loading a card refuses the saved program $0: $2", async (code, more, message) => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/cards/sum.yaml", card(code, more));
    await trust(world);
    const ended = await world.run(["source", "check", "demo"]);
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining(message)]);
  });
});
