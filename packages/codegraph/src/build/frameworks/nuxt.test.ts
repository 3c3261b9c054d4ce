import { describe, expect, it, onTestFinished } from "vitest";
import { NUXT_TREE } from "../../fixtures/tool-trees.ts";
import { openGraphTools } from "../../operations/index.ts";
import { openCodeGraph } from "../index.ts";
import { graphEdges, temporaryTree, writeTree } from "../testing/temporary-tree.ts";

async function openTree(files: Readonly<Record<string, string>>) {
  const root = temporaryTree(files);
  const opened = await openCodeGraph({ root, cache: false });
  onTestFinished(() => opened.close());
  await opened.ready;
  return { root, opened };
}

describe("Nuxt application", () => {
  it("the code graph adds edges for Nuxt composables, utils and components that files use without an import", async () => {
    const { opened } = await openTree(NUXT_TREE);
    expect(graphEdges(opened.graph)).toEqual([
      "app/pages/index.vue -import-> app/components/base/Button.vue",
      "app/pages/index.vue -import-> app/composables/cart.ts",
      "app/pages/index.vue -import-> app/composables/useTheme.ts",
      "app/pages/index.vue -import-> app/utils/format.ts",
      "app/plugins/alias.ts -import-> shared/names.ts",
      "app/plugins/own.ts -import-> app/composables/cart.ts",
      "server/api/cart.get.ts -import-> server/utils/db.ts",
      "server/api/cart.get.ts -import-> shared/names.ts",
    ]);
    expect(opened.graph.gaps.count).toBe(0);
  });

  it("the code graph finds references to a Nuxt composable wherever its name is used without an import", async () => {
    const tools = openGraphTools({ root: temporaryTree(NUXT_TREE), patienceMs: 60_000 });
    onTestFinished(() => tools.close());
    const { data } = await tools.call("references", {
      symbol: "app/composables/cart.ts#useCart",
      includeDeclaration: false,
    });
    const { references } = data.result as {
      references: { path: string; line: number; column: number }[];
    };
    expect(references.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual([
      "app/pages/index.vue:2:20",
      "app/plugins/own.ts:1:10",
      "app/plugins/own.ts:2:18",
    ]);
  });

  it("the code graph updates its edges when a Nuxt composable is renamed", async () => {
    const { root, opened } = await openTree(NUXT_TREE);
    writeTree(root, {
      "app/composables/useTheme.ts": "export const useOther = 1;\n",
      "app/middleware/other.ts": "useOther;\n",
    });
    const edges = graphEdges(await opened.refresh());
    expect(edges).toContain("app/middleware/other.ts -import-> app/composables/useTheme.ts");
    expect(edges).not.toContain("app/pages/index.vue -import-> app/composables/useTheme.ts");
  });

  it("the code graph keeps file numbers, lines and imported names correct for more than 255 imports", async () => {
    const utils = Array.from({ length: 300 }, (_, at) => [
      `app/utils/u${at}.ts`,
      `export const u${at} = ${at};\n`,
    ]);
    const names = utils.map((_, at) => `u${at};\n`).join("");
    const { opened } = await openTree({
      ...Object.fromEntries(utils),
      "package.json": NUXT_TREE["package.json"],
      "app/pages/all.ts": names,
      "last.ts": 'import { u7 } from "./app/utils/u7";\nu7;\n',
    });
    const { files, imports, bindings } = opened.graph;
    const fromPage = [...imports.outOf(files.find("app/pages/all.ts")!)];
    const lines = fromPage.map((edge) => [files.path(imports.to(edge)), imports.line(edge)]);
    expect(new Map(lines as [string, number][])).toEqual(
      new Map(utils.map(([path], at) => [path, at + 1])),
    );
    const [edge] = imports.outOf(files.find("last.ts")!);
    expect(Array.from(bindings.ofEdge(edge!), (row) => bindings.name(row))).toEqual(["u7"]);
  });

  it("the code graph adds no Nuxt edges if package.json does not list nuxt", async () => {
    const { opened } = await openTree({ ...NUXT_TREE, "package.json": "{}" });
    expect(graphEdges(opened.graph)).toEqual([]);
  });
});

it("an answer of the code graph names an unsupported framework and is reported as incomplete (a lower bound)", async () => {
  const files = {
    "package.json": '{ "devDependencies": { "unplugin-auto-import": "1.0.0" } }',
    "a.ts": "export const a = 1;\n",
  };
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const why = ["imports that unplugin-auto-import adds are not read"];
  for (const [tool, args] of [
    ["references", { symbol: "a.ts#a" }],
    ["impact", { target: "a.ts" }],
  ] as const) {
    const { data } = await tools.call(tool, args);
    expect(data.result).toMatchObject({ completeness: "lower-bound", why });
  }
});

it("an answer of the code graph names an unsupported framework only for files that the packages of the framework can use", async () => {
  const files = {
    "package.json": '{ "workspaces": ["packages/*"] }',
    "packages/page/package.json":
      '{ "name": "page", "dependencies": { "@angular/core": "20.0.0", "parts": "1.0.0" } }',
    "packages/page/main.ts": 'import { near } from "../core/near";\nnear();\n',
    "packages/parts/package.json": '{ "name": "parts" }',
    "packages/parts/listed.ts": "export const listed = 1;\n",
    "packages/core/near.ts":
      'import { deep } from "./deep";\nexport const near = () => deep.on();\n',
    "packages/core/deep.ts": "export const deep = { on() {} };\n",
    "packages/core/far.ts": "export const far = 1;\n",
  };
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const why = ["Angular templates are not read"];
  for (const target of [
    "packages/core/near.ts",
    "packages/core/deep.ts",
    "packages/parts/listed.ts",
  ]) {
    const { data } = await tools.call("impact", { target });
    expect(data.result).toMatchObject({ completeness: "lower-bound", why });
  }
  const { data } = await tools.call("impact", { target: "packages/core/far.ts" });
  expect(data.result).toMatchObject({ completeness: "exact" });
  const { data: all } = await tools.call("digest", {});
  expect(all.result).toMatchObject({ completeness: "lower-bound" });
});

it("references to a class of an Angular package are reported as complete (exact), but references to its members and its impact as incomplete (a lower bound)", async () => {
  const files = {
    "package.json": '{ "name": "page", "dependencies": { "@angular/core": "20.0.0" } }',
    "page.ts": "export class Page {\n  open() {}\n}\n",
  };
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const why = ["Angular templates are not read"];
  const { data: page } = await tools.call("references", { symbol: "page.ts#Page" });
  expect(page.result).toMatchObject({ completeness: "exact" });
  const { data: dependents } = await tools.call("impact", { target: "page.ts#Page" });
  expect(dependents.result).toMatchObject({ completeness: "lower-bound", why });
  const { data: member } = await tools.call("references", { symbol: "page.ts#Page.open" });
  expect(member.result).toMatchObject({ completeness: "lower-bound", why });
});
