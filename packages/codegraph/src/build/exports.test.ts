import { describe, expect, it } from "vitest";
import type { CodeGraph } from "../graph/index.ts";
import { openCodeGraph } from "./index.ts";
import { temporaryTree } from "./testing/temporary-tree.ts";

const open = async (files: Record<string, string>) =>
  (await openCodeGraph({ root: temporaryTree(files) })).graph;

/** `name kind -> file#name` for every export of a file. */
function getExports({ files, exports }: CodeGraph, path: string): string[] {
  return [...exports.inFile(files.find(path)!)].map((row) => {
    const definition = exports.definition(row);
    const place = `${files.path(exports.file(definition))}#${exports.name(definition)}`;
    return `${exports.name(row)} ${exports.kind(row)} -> ${place}`;
  });
}

describe("exports", () => {
  it("the code graph follows exports through barrels to the definition", async () => {
    const graph = await open({
      "index.ts": 'export * from "./barrel";\nexport { x as y } from "./barrel";',
      "barrel.ts":
        'export * from "./x";\nexport * as all from "./x";\nexport { default as d } from "./x";',
      "x.ts": "export const x = 1; export default class {}\nexport interface T {}",
    });
    expect(getExports(graph, "index.ts")).toEqual([
      "T star -> x.ts#T",
      "all star -> barrel.ts#all",
      "d star -> x.ts#default",
      "x star -> x.ts#x",
      "y forwarded -> x.ts#x",
    ]);
    expect(getExports(graph, "barrel.ts")).toContain("all namespace -> barrel.ts#all");
  });

  it("the code graph follows an imported name that the file exports later", async () => {
    const graph = await open({
      "a.ts": 'import { x as z } from "./x";\nexport { z };',
      "x.ts": "export const x = 1;",
    });
    expect(getExports(graph, "a.ts")).toEqual(["z forwarded -> x.ts#x"]);
  });

  it("the code graph marks a re-export as broken when the other file does not export the name", async () => {
    const graph = await open({
      "a.ts": 'export { gone } from "./b";',
      "b.ts": 'export { gone } from "./c"; export { lost } from "./nowhere";',
      "c.ts": "export {};",
    });
    expect(getExports(graph, "a.ts")).toEqual(["gone broken -> b.ts#gone"]);
    expect(getExports(graph, "b.ts")).toEqual([
      "gone broken -> b.ts#gone",
      "lost broken -> b.ts#lost",
    ]);
  });

  it("the code graph marks exports as cyclic when files only re-export each other", async () => {
    const graph = await open({
      "a.ts": 'export { x } from "./b"; export * from "./b";',
      "b.ts": 'export { x } from "./a"; export * from "./a"; export const y = 1;',
    });
    expect(getExports(graph, "a.ts")).toEqual(["x cyclic -> a.ts#x", "y star -> b.ts#y"]);
  });

  it("the code graph marks a re-export from a package or from a file without an export list as external", async () => {
    const graph = await open({
      "a.ts": 'export { z } from "zod"; export { c } from "./c"; export { r } from "./star";',
      "c.js": "(() => { exports.c = 1; })();",
      "star.ts": 'export * from "react";',
    });
    expect(getExports(graph, "a.ts").map((line) => line.split(" ")[1])).toEqual([
      "external",
      "external",
      "external",
    ]);
  });

  it("the code graph finds the importers of an export through barrels, with type imports marked", async () => {
    const { exports, bindings, imports, files } = await open({
      "a.ts": 'import { x, type T } from "./index";',
      "b.ts": 'import * as all from "./index";',
      "index.ts": 'export * from "./x";',
      "x.ts": "export const x = 1; export type T = 1;",
    });
    const importersOf = (name: string) =>
      [...bindings.ofExport(exports.find(files.find("x.ts")!, name)!)].map((row) => [
        files.path(imports.from(bindings.edge(row))),
        bindings.typeOnly(row),
      ]);
    expect(importersOf("x")).toEqual([["a.ts", false]]);
    expect(importersOf("T")).toEqual([["a.ts", true]]);
  });

  it("the code graph follows a chain of 3,000 re-exports without overflowing the stack", async () => {
    const files: Record<string, string> = { "f0.ts": "export const x = 1;" };
    for (let at = 1; at < 3000; at++) files[`f${at}.ts`] = `export { x } from "./f${at - 1}";`;
    const graph = await open(files);
    expect(getExports(graph, "f2999.ts")).toEqual(["x forwarded -> f0.ts#x"]);
  });
});
