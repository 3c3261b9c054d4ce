import { describe, expect, it } from "vitest";
import {
  GitObjects,
  changesBetween,
  commitsBetween,
  diffText,
  getHistory,
  mergeBase,
  mergeFiles,
  touching,
} from "./index.ts";

const objects = new GitObjects();
let clock = Date.parse("2026-01-05T09:00:00Z");

function tree(files: Readonly<Record<string, string>>): string {
  const entries = Object.entries(files).map(
    ([path, text]) => [path, objects.writeBlob(Buffer.from(text))] as const,
  );
  return objects.writeTree(new Map(entries));
}

function commit(files: Readonly<Record<string, string>>, ...parents: readonly string[]): string {
  const actor = { name: "Mona", email: "mona@example.com", date: new Date(clock).toISOString() };
  clock += 60_000;
  return objects.writeCommit({
    tree: tree(files),
    parents,
    message: "m",
    author: actor,
    committer: actor,
  }).oid;
}

const lines = (...some: readonly string[]): string => some.map((line) => `${line}\n`).join("");
const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);

describe("git objects", () => {
  it("the emulator's git store computes the same object ids as git", () => {
    expect(objects.writeBlob(Buffer.from("hello\n"))).toBe(
      "ce013625030ba8dba906f756967f9e9ca394464a",
    );
    const own = tree({ "a.txt": "hello\n", "src/b.txt": "x\n", "src.txt": "y\n" });
    expect(own).toBe("573159ba93624f15c915efb45010e1cc35743c84");
    const actor = { name: "Mona", email: "mona@example.com", date: "2026-01-05T09:00:00Z" };
    const made = objects.writeCommit({
      tree: own,
      parents: [],
      message: "First\n",
      author: actor,
      committer: actor,
    });
    expect(made.oid).toBe("dddc80ab6446bead65664d7f06d0a2a038346755");
  });
});

describe("history", () => {
  const root = commit({ a: "1\n" });
  const left = commit({ a: "2\n" }, root);
  const right = commit({ a: "1\n", b: "1\n" }, root);
  const merged = commit({ a: "2\n", b: "1\n" }, left, right);

  it("the emulator's git store lists the history of a merge commit from the newest commit, along both parents", () => {
    expect(getHistory(objects, merged).map(({ oid }) => oid)).toEqual([merged, right, left, root]);
  });

  it("the emulator's git store lists the commits of one branch that another branch does not have", () => {
    expect(commitsBetween(objects, left, merged).map(({ oid }) => oid)).toEqual([right, merged]);
    expect(mergeBase(objects, left, right)).toBe(root);
    expect(mergeBase(objects, left, commit({ z: "other" }))).toBeUndefined();
  });

  it("the emulator's git store finds the commits that touched a path", () => {
    const all = getHistory(objects, merged);
    expect(touching(objects, all, "a").map(({ oid }) => oid)).toEqual([left, root]);
    expect(touching(objects, all, "b").map(({ oid }) => oid)).toEqual([right]);
  });
});

describe("changes", () => {
  const base = commit({
    keep: "same\n",
    edit: lines(...TEN),
    gone: "old\n",
    move: "moved\n",
    bin: "a\0b",
  });
  const head = commit({
    keep: "same\n",
    edit: lines(...TEN.slice(1)),
    fresh: "new\n",
    moved: "moved\n",
    bin: "a\0c",
  });

  it("the emulator's git store counts the added and deleted lines of each changed file", () => {
    const rows = changesBetween(objects, base, head).map((one) => [
      one.path,
      one.status,
      one.additions,
      one.deletions,
    ]);
    expect(rows).toEqual([
      ["bin", "modified", 0, 0],
      ["edit", "modified", 0, 1],
      ["fresh", "added", 1, 0],
      ["gone", "removed", 0, 1],
      ["moved", "renamed", 0, 0],
    ]);
  });

  it("the emulator's git store prints changes in the format of git diff", () => {
    const text = diffText(changesBetween(objects, base, head));
    expect(text).toContain("@@ -1,4 +1,3 @@\n-line 1\n line 2\n");
    expect(text).toContain("--- /dev/null\n+++ b/fresh\n@@ -0,0 +1 @@\n+new\n");
    expect(text).toContain("deleted file mode 100644");
    expect(text).toContain("similarity index 100%\nrename from move\nrename to moved\n");
    expect(text).toContain("Binary files a/bin and b/bin differ\n");
  });
});

describe("merging", () => {
  const base = commit({ a: lines(...TEN), b: "b\n" });
  const edit = (index: number, text: string): string => lines(...TEN.with(index, text));

  it("the emulator's git store merges two branches that change different lines", () => {
    const files = mergeFiles(
      objects,
      commit({ a: edit(0, "first"), b: "b\n" }, base),
      commit({ a: edit(9, "last"), b: "b\n" }, base),
    );
    expect(objects.blob(files!.get("a")!)?.toString()).toBe(
      lines(...TEN.with(0, "first").with(9, "last")),
    );
  });

  it("the emulator's git store reports a conflict if two branches change the same lines, or if one deletes a file that the other changes", () => {
    const ours = commit({ a: edit(4, "ours"), b: "b\n" }, base);
    expect(
      mergeFiles(objects, ours, commit({ a: edit(4, "theirs"), b: "b\n" }, base)),
    ).toBeUndefined();
    expect(mergeFiles(objects, ours, commit({ b: "b\n" }, base))).toBeUndefined();
    expect(mergeFiles(objects, ours, commit({ a: lines(...TEN) }, base))?.has("b")).toBe(false);
  });
});
