import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, temporaryTree } from "../build/testing/temporary-tree.ts";
import { tinyGraph } from "../fixtures/tiny-graph.ts";
import { KnownChanges } from "./known-changes.ts";

function repository(): string {
  const root = temporaryTree({
    "a.ts": "1\n",
    "with space.ts": "1\n2\n3\n",
    "old.ts": "x\ny\nz\n",
  });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "one");
  return root;
}

it("the list of changes has the files and lines of every kind of change in the working tree", async () => {
  const root = repository();
  writeFileSync(join(root, "with space.ts"), "1\ntwo\n3\nfour\n");
  rmSync(join(root, "a.ts"));
  git(root, "mv", "old.ts", "new.ts");
  writeFileSync(join(root, "fresh.ts"), "");
  const found = await new KnownChanges().since("HEAD", tinyGraph({}), { cwd: root });
  expect(found.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: "a.ts", status: "deleted", lines: [] },
    { path: "fresh.ts", status: "added", lines: [[1, 1e9]] },
    { path: "new.ts", status: "renamed", from: "old.ts", lines: [] },
    {
      path: "with space.ts",
      status: "modified",
      lines: [
        [2, 2],
        [4, 4],
      ],
    },
  ]);
});

it("git runs again for the list of changes when a file, the index or the commit changed", async () => {
  const root = repository();
  const changes = new KnownChanges();
  const run = { cwd: root };
  const [graph, later] = [tinyGraph({}), tinyGraph({})];
  const paths = async (since: string, of = graph): Promise<string[]> =>
    (await changes.since(since, of, run)).map(({ path }) => path);
  expect(await paths("HEAD")).toEqual([]);
  writeFileSync(join(root, "a.ts"), "2\n");
  expect(await paths("HEAD")).toEqual([]);
  expect(await paths("HEAD", later)).toEqual(["a.ts"]);
  expect(await paths("staged", later)).toEqual([]);
  git(root, "add", "a.ts");
  expect(await paths("staged", later)).toEqual(["a.ts"]);
  git(root, "commit", "-qm", "two");
  expect(await paths("HEAD", later)).toEqual([]);
  expect(await paths("HEAD~1", later)).toEqual(["a.ts"]);
  expect(await paths("main", later)).toEqual([]);
});

it("a failure of git is not cached as the list of changes", async () => {
  const root = repository();
  const changes = new KnownChanges();
  const ask = () => changes.since("side", tinyGraph({}), { cwd: root });
  await expect(ask()).rejects.toThrow("git does not know the revision");
  git(root, "branch", "side");
  expect(await ask()).toEqual([]);
});
