import { describe, expect, it } from "vitest";
import type { CodeGraph } from "../../graph/index.ts";
import { openCodeGraph } from "../index.ts";
import type { PackageFile } from "../resolve/manifests.ts";
import { FileTree } from "../resolve/tree.ts";
import { temporaryTree, writeTree } from "../testing/temporary-tree.ts";
import { packageEntrypoints } from "./index.ts";

function served(fields: Partial<PackageFile>, paths: readonly string[]): Record<string, string[]> {
  const manifest: PackageFile = {
    path: "p/package.json",
    folder: "p",
    name: "pkg",
    exports: undefined,
    imports: undefined,
    bin: undefined,
    browser: undefined,
    links: new Map(),
    workspaces: [],
    isMadeToPublish: false,
    dependencies: [],
    devDependencies: [],
    peerDependencies: [],
    optionalDependencies: [],
    bundledDependencies: [],
    ...fields,
  };
  const found = packageEntrypoints([manifest], paths, new FileTree(paths));
  return Object.fromEntries(
    [...found].map(([path, list]) => [path, list.map(({ kind, name }) => `${kind} ${name}`)]),
  );
}

describe("entrypoints of a package", () => {
  it("the code graph maps each built file in package.json to its source file once", () => {
    const fields = {
      bin: { tool: "./dist/cli.js" },
      main: "./dist/index.js",
      exports: {
        ".": { import: "./dist/index.js", types: "./dist/index.d.ts" },
        "./a": "./dist/a.js",
      },
    };
    expect(served(fields, ["p/src/cli.ts", "p/src/index.ts", "p/src/a.ts", "p/src/b.ts"])).toEqual({
      "p/src/cli.ts": ["command tool"],
      "p/src/index.ts": ["package pkg"],
      "p/src/a.ts": ["package pkg/a"],
    });
  });

  it("the code graph finds all files that an exports pattern matches", () => {
    const paths = ["p/x.ts", "p/deep/y.ts", "q/z.ts", "p/readme.md"];
    expect(served({ exports: { "./*": "./*.js" } }, paths)).toEqual({
      "p/x.ts": ["package pkg/*"],
      "p/deep/y.ts": ["package pkg/*"],
    });
  });

  it("the code graph finds no entrypoint for a file of package.json that does not exist", () => {
    expect(served({ main: "./missing.js", bin: "./gone" }, ["p/other.ts"])).toEqual({});
  });
});

const gapsOf = ({ gaps }: CodeGraph, wanted: string): string[] =>
  Array.from({ length: gaps.count }, (_, row) => row)
    .filter((row) => gaps.kind(row) === wanted)
    .map((row) => gaps.text(row));

const missingIn = (graph: CodeGraph): string[] => gapsOf(graph, "unresolved");

describe("missing entrypoint files", () => {
  const manifest = JSON.stringify(
    {
      name: "x",
      main: "./index.js",
      bin: { x: "./bin/x.js", y: "./bin/y.js" },
      exports: { ".": "./dist/index.js", "./gone": "./lib/gone.js", "./types": "./lib/t.d.ts" },
    },
    null,
    1,
  );
  const files = {
    "package.json": manifest,
    "index.ts": "",
    "bin/x.ts": "",
    "lib/other.ts": "",
    "serverless.yml":
      "functions:\n  a:\n    handler: src/a.main\n  b:\n    handler: src/b.main # gone\n",
    "src/a.ts": "export const main = () => 1;",
  };

  it("the code graph stops reporting a missing entrypoint file once the file exists", async () => {
    const root = temporaryTree(files);
    const open = await openCodeGraph({ root, cache: false });
    await open.ready;
    expect(missingIn(open.graph)).toEqual(["./bin/y.js", "./lib/gone.js", "src/b.main"]);
    writeTree(root, { "bin/y.ts": "", "src/b.py": "def main(): pass" });
    const graph = await open.refresh();
    expect(missingIn(graph)).toEqual(["./lib/gone.js"]);
    // An edit of the code must not remove the entries that a manifest names.
    expect(gapsOf(graph, "unsupported")).toContain("./bin/x.js");
    const texts = Array.from({ length: graph.entrypoints.count }, (_, row) =>
      graph.entrypoints.text(row),
    );
    expect(texts).toEqual(expect.arrayContaining(["src/a.main", "src/b.main"]));
  });
});

const pagesOf = ({ entrypoints, files: all }: CodeGraph): string[] =>
  Array.from({ length: entrypoints.count }, (_, row) => row)
    .filter((row) => entrypoints.kind(row) === "page")
    .map((row) => all.path(entrypoints.file(row)));

describe("framework folders", () => {
  const files = {
    "web/pages/index.tsx": "export default function Home() { return null; }",
    "spa/src/pages/index.tsx": "export default function Home() { return null; }",
    "web/package.json": '{ "dependencies": { "next": "15.0.0" } }',
    "spa/package.json": '{ "dependencies": { "react": "19.0.0" } }',
  };

  it("the code graph finds pages by their folder only in packages that use the framework", async () => {
    const root = temporaryTree(files);
    const open = await openCodeGraph({ root, cache: false });
    await open.ready;
    expect(pagesOf(open.graph)).toEqual(["web/pages/index.tsx"]);
    writeTree(root, { "spa/package.json": '{ "devDependencies": { "next": "15.0.0" } }' });
    expect(pagesOf(await open.refresh())).toEqual([
      "spa/src/pages/index.tsx",
      "web/pages/index.tsx",
    ]);
  });
});
