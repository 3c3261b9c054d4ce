import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { RULES_FILE } from "../settings/index.ts";
import { openCodeGraph } from "./index.ts";
import type { OpenCodeGraph, OpenGraphOptions } from "./index.ts";
import { graphContent, graphEdges, git, temporaryTree } from "./testing/temporary-tree.ts";

const naming = (...names: string[]): string => JSON.stringify({ exoticRequireStrings: names });

const FILES = {
  "a.ts": "need('./b.ts');\nwindow.require(`./c.ts`);\nneed?.('fs');\nneed(name);\n",
  "b.ts": "// need('./c.ts')\nexport const text = \"need('./c.ts')\";\n",
  "c.ts": "export const c = need;\nother.need('./b.ts');\nwindow['require']('./b.ts');\n",
  [RULES_FILE]: naming("need", "window.require"),
};
const EDGES = ["a.ts -require-> b.ts", "a.ts -require-> c.ts"];

/** Opens a graph and waits for its symbols. */
async function openFully(options: OpenGraphOptions): Promise<OpenCodeGraph> {
  const open = await openCodeGraph(options);
  onTestFinished(() => open.close());
  await open.ready;
  return open;
}

const fresh = async (root: string) => (await openFully({ root, cache: false })).graph;

it("the code graph finds imports, packages and computed paths in calls of require functions that the rules file names", async () => {
  const { graph } = await openFully({ root: temporaryTree(FILES) });
  const { imports, packages, gaps } = graph;
  expect(graphEdges(graph)).toEqual(EDGES);
  expect([imports.by(0), imports.by(1)]).toEqual(["need", "window.require"]);
  expect([packages.text(0), packages.way(0), packages.by(0)]).toEqual(["fs", "require", "need"]);
  expect([gaps.text(0), gaps.by(0)]).toEqual(["need(name)", undefined]);
});

it("the code graph applies changed require functions of the rules file to an open graph and to a saved graph", async () => {
  const root = temporaryTree(FILES);
  const open = await openFully({ root });
  writeFileSync(join(root, RULES_FILE), naming("need"));
  expect(graphEdges(await open.refresh())).toEqual(["a.ts -require-> b.ts"]);
  await open.close();
  const reads: number[] = [];
  const again = await openFully({ root, onProgress: ({ total }) => reads.push(total) });
  expect(reads).toEqual([]);
  await again.close();
  rmSync(join(root, RULES_FILE));
  const without = await openFully({ root });
  expect(graphEdges(without.graph)).toEqual([]);
  expect(graphContent(without.graph)).toEqual(graphContent(await fresh(root)));
});

it("a watched code graph is updated when the require functions in the rules file change", async () => {
  const root = temporaryTree(FILES);
  git(root, "init", "-q");
  const open = await openFully({ root });
  open.watch();
  writeFileSync(join(root, RULES_FILE), naming());
  await expect.poll(() => graphEdges(open.graph)).toEqual([]);
});

it("the code graph stays equal to the result of a full build when calls of require functions are edited", async () => {
  const root = temporaryTree(FILES);
  const open = await openFully({ root });
  for (const text of ["need('./c.ts');\n", "\nneed('./b.ts');\nneed('./gone.ts');\n", "\n"]) {
    writeFileSync(join(root, "a.ts"), text);
    expect(graphContent(await open.refresh(["a.ts"]))).toEqual(graphContent(await fresh(root)));
  }
});

it.each([
  ["not JSON", "{"],
  ["a list", "[]"],
  ["missing its list of names", naming().replace("[]", '"need"')],
  ["holding a list of invalid names", naming("a b", "(", "", "x".repeat(500))],
])("the code graph is built without a rules file that is %s", async (_, text) => {
  const root = temporaryTree({ ...FILES, [RULES_FILE]: text });
  expect(graphEdges((await openFully({ root })).graph)).toEqual([]);
});

it("the code graph applies the require functions of the rules file to 400 files on all threads", async () => {
  const many = Array.from({ length: 400 }, (_, at) => [`d/${at}.ts`, "need('../b.ts');\n"]);
  const root = temporaryTree({ ...FILES, ...Object.fromEntries(many) });
  expect((await openFully({ root })).graph.imports.count).toBe(402);
});
