import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryTree, writeTree } from "../testing/temporary-tree.ts";
import { computeCodeVersion } from "./code-version.ts";

const CODE = { "package.json": "{}", "build/a/one.js": "1", "graph/two.js": "2" };
const version = (root: string): string => computeCodeVersion(join(root, "package.json"), root);

it.each<[string, (root: string) => void]>([
  [
    "another package version",
    (root) => writeTree(root, { "package.json": '{ "version": "2.0.0" }' }),
  ],
  ["changed code", (root) => writeTree(root, { "build/a/one.js": "1;" })],
  ["code with another modification time", (root) => utimesSync(join(root, "graph/two.js"), 1, 1)],
  ["an added file", (root) => writeTree(root, { "build/three.js": "" })],
  ["code in a bundle", (root) => writeTree(root, { "build.js": "3" })],
  ["a removed file", (root) => rmSync(join(root, "graph/two.js"))],
])("computes a new code version for %s", (_name, change) => {
  const root = temporaryTree(CODE);
  const before = version(root);
  change(root);
  expect(version(root)).not.toBe(before);
});

it("computes the same code version after changes of tests, type declarations and the query folder, and ignores missing folders", () => {
  const root = temporaryTree(CODE);
  const before = version(root);
  const others = { "build/a/one.test.js": "", "build/a/one.d.ts": "", "query/ask.js": "" };
  writeTree(root, others);
  expect(version(root)).toBe(before);
  expect(computeCodeVersion("/nowhere/package.json", "/nowhere")).toMatch(/^[0-9a-f]{40}$/u);
});
