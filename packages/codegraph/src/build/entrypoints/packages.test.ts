import { describe, expect, it } from "vitest";
import type { PackageFile } from "../resolve/manifests.ts";
import { FileTree } from "../resolve/tree.ts";
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
    dependencies: [],
    devDependencies: [],
    peerDependencies: [],
    ...fields,
  };
  const found = packageEntrypoints([manifest], paths, new FileTree(paths));
  return Object.fromEntries(
    [...found].map(([path, list]) => [path, list.map(({ kind, name }) => `${kind} ${name}`)]),
  );
}

describe("files that a package is entered by", () => {
  it("are the sources of what its fields name, each told once", () => {
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

  it("are all that a pattern offers", () => {
    const paths = ["p/x.ts", "p/deep/y.ts", "q/z.ts", "p/readme.md"];
    expect(served({ exports: { "./*": "./*.js" } }, paths)).toEqual({
      "p/x.ts": ["package pkg/*"],
      "p/deep/y.ts": ["package pkg/*"],
    });
  });

  it("are none that do not exist", () => {
    expect(served({ main: "./missing.js", bin: "./gone" }, ["p/other.ts"])).toEqual({});
  });
});
