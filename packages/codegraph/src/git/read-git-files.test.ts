import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, temporaryTree } from "../build/testing/temporary-tree.ts";
import { headRev, indexStamp } from "./read-git-files.ts";

function repository(): string {
  const root = temporaryTree({ "a.ts": "", "deep/er/b.ts": "" });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", ".");
  git(root, "commit", "-qm", "one");
  return root;
}

const revOf = (root: string): string => git(root, "rev-parse", "HEAD").trim();

describe("checked-out commit", () => {
  it.each<[string, (root: string) => string]>([
    ["on a branch", (root) => root],
    ["from a subfolder", (root) => join(root, "deep/er")],
    ["without a branch", (root) => (git(root, "checkout", "-q", "--detach"), root)],
    ["with packed branches", (root) => (git(root, "pack-refs", "--all"), root)],
    [
      "on a packed branch with a newer commit",
      (root) => {
        git(root, "pack-refs", "--all");
        git(root, "commit", "-qm", "two", "--allow-empty");
        return root;
      },
    ],
    ["on a branch with slashes", (root) => (git(root, "checkout", "-qb", "a/b-c.d"), root)],
    [
      "in a worktree",
      (root) => {
        git(root, "worktree", "add", "-q", join(root, "tree"), "-b", "other");
        return join(root, "tree");
      },
    ],
  ])("readGitFiles finds the checked-out commit %s", async (_name, make) => {
    const root = make(repository());
    expect(await headRev({ cwd: root })).toBe(revOf(root));
  });

  it("readGitFiles finds no commit in a new repository, outside git and in a damaged .git folder", async () => {
    const root = temporaryTree({});
    expect(await headRev({ cwd: root })).toBeUndefined();
    git(root, "init", "-q");
    expect(await headRev({ cwd: root })).toBeUndefined();
    rmSync(join(root, ".git"), { recursive: true });
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git/HEAD"), "ref: ../../../etc/passwd\n");
    expect(await headRev({ cwd: root })).toBeUndefined();
  });
});

it("readGitFiles returns a new stamp of the git index after each git add, and no stamp outside git", () => {
  const root = repository();
  const before = indexStamp(join(root, "deep"));
  writeFileSync(join(root, "c.ts"), "");
  expect(indexStamp(root)).toBe(before);
  git(root, "add", "c.ts");
  expect(indexStamp(root)).not.toBe(before);
  expect(indexStamp(temporaryTree({}))).toBeUndefined();
});
