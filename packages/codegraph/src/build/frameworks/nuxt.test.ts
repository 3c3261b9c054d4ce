import { describe, expect, it, onTestFinished } from "vitest";
import { openGraphTools } from "../../operations/index.ts";
import { openCodeGraph } from "../index.ts";
import { graphEdges, temporaryTree, writeTree } from "../testing/temporary-tree.ts";

const FILES = {
  "package.json": '{ "name": "shop", "dependencies": { "nuxt": "4.0.0" } }',
  "app/composables/cart.ts":
    "export const useCart = () => ({ items: [] });\nexport interface Cart { id: string }\n",
  "app/composables/useTheme.ts": "export default function () { return 1; }\n",
  "app/utils/money/format.ts": "export function pluralize(text: string) { return text; }\n",
  "app/components/base/Button.vue": "<template><b /></template>",
  "app/pages/index.vue": `<script setup lang="ts">
const cart: Cart = useCart();
useTheme();
</script>
<template><BaseButton>{{ pluralize("a") }}</BaseButton></template>
`,
  "app/plugins/own.ts": 'import { useCart } from "#imports";\nexport const a = useCart();\n',
  "app/middleware/other.ts": "function useCart() {}\nuseCart();\n",
  "shared/names.ts": "export const NAME = 1;\n",
  "server/utils/db.ts": "export const useDb = () => 1;\n",
  "server/api/cart.get.ts":
    'import { NAME } from "#shared/names";\nexport default () => useDb() + NAME;\n',
  "nuxt.config.ts": 'import "~~/shared/names";\n',
};

async function openTree(files: Readonly<Record<string, string>>) {
  const root = temporaryTree(files);
  const opened = await openCodeGraph({ root, cache: false });
  onTestFinished(() => opened.close());
  await opened.ready;
  return { root, opened };
}

describe("Nuxt application", () => {
  it("adds edges for Nuxt composables, utils and components that files use without an import", async () => {
    const { opened } = await openTree(FILES);
    expect(graphEdges(opened.graph)).toEqual([
      "app/pages/index.vue -import-> app/components/base/Button.vue",
      "app/pages/index.vue -import-> app/composables/cart.ts",
      "app/pages/index.vue -import-> app/composables/useTheme.ts",
      "app/pages/index.vue -import-> app/utils/money/format.ts",
      "app/plugins/own.ts -import-> app/composables/cart.ts",
      "nuxt.config.ts -import-> shared/names.ts",
      "server/api/cart.get.ts -import-> server/utils/db.ts",
      "server/api/cart.get.ts -import-> shared/names.ts",
    ]);
    expect(opened.graph.gaps.count).toBe(0);
  });

  it("finds references to a Nuxt composable at the places of its name", async () => {
    const tools = openGraphTools({ root: temporaryTree(FILES), patienceMs: 60_000 });
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

  it("updates the edges when a Nuxt composable is renamed", async () => {
    const { root, opened } = await openTree(FILES);
    writeTree(root, {
      "app/composables/useTheme.ts": "export const useOther = 1;\n",
      "app/middleware/other.ts": "useOther;\n",
    });
    const edges = graphEdges(await opened.refresh());
    expect(edges).toContain("app/middleware/other.ts -import-> app/composables/useTheme.ts");
    expect(edges).not.toContain("app/pages/index.vue -import-> app/composables/useTheme.ts");
  });

  it("adds no Nuxt edges without the dependency", async () => {
    const { opened } = await openTree({ ...FILES, "package.json": "{}" });
    expect(graphEdges(opened.graph)).toEqual([]);
  });
});

it("names an unsupported framework in the answer and calls the answer a lower bound", async () => {
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
