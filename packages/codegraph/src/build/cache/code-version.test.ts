import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryTree, writeTree } from "../testing/temporary-tree.ts";
import { computeCodeVersion } from "./code-version.ts";

const CODE = { "package.json": "{}", "build/a/one.js": "1", "graph/two.js": "2" };
const version = (root: string): string => computeCodeVersion(join(root, "package.json"), root);

it.each<[string, (root: string) => void]>([
  [
    "the version in package.json",
    (root) => writeTree(root, { "package.json": '{ "version": "2.0.0" }' }),
  ],
  ["the code", (root) => writeTree(root, { "build/a/one.js": "1;" })],
  ["the modification time of the code", (root) => utimesSync(join(root, "graph/two.js"), 1, 1)],
  ["the set of files by an added file", (root) => writeTree(root, { "build/three.js": "" })],
  ["the code of a bundle", (root) => writeTree(root, { "build.js": "3" })],
  ["the set of files by a removed file", (root) => rmSync(join(root, "graph/two.js"))],
])(
  "the version of the code that builds graphs is different after a change to %s",
  (_name, change) => {
    const root = temporaryTree(CODE);
    const before = version(root);
    change(root);
    expect(version(root)).not.toBe(before);
  },
);

it("the version of the code that builds graphs is unchanged after changes of tests, type declarations and the query folder, and ignores missing folders", () => {
  const root = temporaryTree(CODE);
  const before = version(root);
  const others = { "build/a/one.test.js": "", "build/a/one.d.ts": "", "query/ask.js": "" };
  writeTree(root, others);
  expect(version(root)).toBe(before);
  expect(computeCodeVersion("/nowhere/package.json", "/nowhere")).toMatch(/^[0-9a-f]{40}$/u);
});
