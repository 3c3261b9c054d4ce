import { describe, expect, it } from "vitest";
import { openCodeGraph } from "./index.ts";
import { graphEdges, temporaryTree } from "./testing/temporary-tree.ts";

const open = async (files: Record<string, string>) =>
  (await openCodeGraph({ root: temporaryTree(files) })).graph;

describe("imports of other modules", () => {
  it("the code graph makes an edge for every form of import, with its kind and whether it is type-only", async () => {
    const graph = await open({
      "a.ts": [
        'import { b } from "./b";',
        'import type { T } from "./t.js";',
        'import { type U } from "./t";',
        'import eq = require("./eq");',
        'export { c } from "./c";',
        'export * from "./d";',
        'type I = import("./it").I;',
        'const e = await import("./e");',
        'const worker = new URL("./worker.ts", import.meta.url);',
      ].join("\n"),
      "b.ts": 'export const b = require("./data.json");',
      "t.ts": "export type T = 1; export type U = 2;",
      "eq.ts": "export = 1;",
      "c/index.ts": "export const c = 1;",
      "d.tsx": "export const d = <p />;",
      "it.d.ts": "export interface I {}",
      "e.mjs": "export {};",
      "worker.ts": "export {};",
      "data.json": "{}",
    });
    expect(graphEdges(graph)).toEqual([
      "a.ts -dynamic-> e.mjs",
      "a.ts -dynamic-> worker.ts",
      "a.ts -import type-> it.d.ts",
      "a.ts -import type-> t.ts",
      "a.ts -import type-> t.ts",
      "a.ts -import-> b.ts",
      "a.ts -reexport-> c/index.ts",
      "a.ts -reexport-> d.tsx",
      "a.ts -require-> eq.ts",
      "b.ts -require-> data.json",
    ]);
  });

  it("the code graph makes no edge for a URL that names a folder", async () => {
    const graph = await open({
      "src/a.ts": [
        'const here = new URL("./", import.meta.url);',
        'const above = new URL("../", import.meta.url);',
        'const up = new URL("../..", import.meta.url);',
        'const jobs = new URL("./jobs/", import.meta.url);',
      ].join("\n"),
      "src/index.ts": "",
      "src/jobs/index.ts": "",
      "index.ts": "",
    });
    expect(graphEdges(graph)).toEqual([]);
    expect(graph.gaps.count).toBe(0);
  });

  it("the code graph lists imports in source order, with line and column", async () => {
    const { imports } = await open({
      "a.ts": 'export * from "./b";\n\n  import "./c";\n',
      "b.ts": "",
      "c.ts": "",
    });
    const places = [...imports.outOf(0)].map((edge) => [imports.line(edge), imports.column(edge)]);
    expect(places).toEqual([
      [1, 1],
      [3, 3],
    ]);
  });

  it("the code graph reports imports with a computed path as gaps", async () => {
    const { gaps } = await open({
      "a.js": "import(name);\nrequire('./' + name);\nimport(`./${x}`);",
    });
    expect([...gaps.inFile(0)].map((gap) => [gaps.kind(gap), gaps.line(gap)])).toEqual([
      ["dynamic", 1],
      ["dynamic", 2],
      ["dynamic", 3],
    ]);
  });

  it("the code graph ignores imports in comments and strings", async () => {
    const graph = await open({
      "a.js": '// require("./b")\nconst text = "import(\\"./b\\")"; /* import("./b") */',
      "b.js": "",
    });
    expect(graphEdges(graph)).toEqual([]);
  });

  it("the code graph lists imports of npm packages and built-in modules", async () => {
    const { packages } = await open({
      "a.ts":
        'import "react/jsx-runtime";\nimport "@scope/x/y";\nimport "node:fs";\nimport "path";',
    });
    expect([...packages.inFile(0)].map((use) => [packages.kind(use), packages.text(use)])).toEqual([
      ["package", "react"],
      ["package", "@scope/x"],
      ["builtin", "fs"],
      ["builtin", "path"],
    ]);
  });

  it("the code graph reports imports of missing files as unresolved", async () => {
    const { gaps } = await open({ "a.ts": 'import "./gone";\nimport "#gone";' });
    expect([...gaps.inFile(0)].map((gap) => [gaps.kind(gap), gaps.text(gap)])).toEqual([
      ["unresolved", "./gone"],
      ["unresolved", "#gone"],
    ]);
  });
});

describe("component files", () => {
  it("the code graph reads the scripts of Vue, Svelte and Astro files with their line numbers", async () => {
    const graph = await open({
      "A.vue":
        '<template><b/></template>\n<script setup lang="ts">\nimport B from "./B.svelte";\n</script>',
      "B.svelte": '<script context="module">\nexport const x = 1;\n</script>\n<p>import "./no"</p>',
      "C.astro": '---\nimport A from "./A.vue";\n---\n<A/>\n<script>import "./d";</script>',
      "d.ts": "",
    });
    expect(graphEdges(graph)).toEqual([
      "A.vue -import-> B.svelte",
      "C.astro -import-> A.vue",
      "C.astro -import-> d.ts",
    ]);
    expect(graph.imports.line(0)).toBe(3);
    const [binding] = graph.bindings.ofEdge(0);
    expect(graph.exports.name(graph.bindings.export(binding!)!)).toBe("default");
  });

  it("the code graph makes edges for script src attributes, except in comments and for browser scripts", async () => {
    const graph = await open({
      "A.vue":
        '<template><b/></template>\n<script lang="ts" src="./a-logic.ts"></script>\n' +
        '<!-- <script src="./old.ts"></script> -->\n<script src="./gone.ts" />',
      "B.svelte":
        '<svelte:head>\n<script src="https://x.test/a.js"></script>\n' +
        "<script src='./not-built.js'></script>\n</svelte:head>\n<script src=./b-logic.ts></script>",
      "C.vue":
        '<script src="./a-logic.ts" />\n<script setup generic="T extends Array<string>">\n' +
        'import "./b-logic";\n</script>',
      "a-logic.ts": "export default {};",
      "b-logic.ts": "",
      "old.ts": "",
    });
    expect(graphEdges(graph)).toEqual([
      "A.vue -import-> a-logic.ts",
      "B.svelte -import-> b-logic.ts",
      "C.vue -import-> a-logic.ts",
      "C.vue -import-> b-logic.ts",
    ]);
    expect(graph.imports.line(0)).toBe(2);
    expect(graph.gaps.count).toBe(1);
    expect([graph.gaps.text(0), graph.gaps.line(0)]).toEqual(["./gone.ts", 4]);
    expect(graph.files.state(graph.files.find("C.vue")!)).toBe("parsed");
  });
});
