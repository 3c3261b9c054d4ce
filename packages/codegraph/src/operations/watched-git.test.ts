import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { git, temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./tools.ts";
import type { GraphTools } from "./tools.ts";

function repository(): string {
  const root = temporaryTree({ "a.ts": "export const a = 1;\n", "made/b.ts": "export {};\n" });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "a.ts");
  git(root, "commit", "-qm", "one");
  return root;
}

/** From the second question on, a watcher reports changes, and the disk is no longer searched. */
async function watched(root: string): Promise<GraphTools> {
  const tools = openGraphTools({ root, patienceMs: 30_000 });
  onTestFinished(() => tools.close());
  await tools.call("changes", { since: "HEAD" });
  await tools.call("changes", { since: "HEAD" });
  return tools;
}

async function readRev(tools: GraphTools): Promise<string | undefined> {
  return (await tools.call("tree")).data.workspace.rev;
}

function head(root: string): string {
  return git(root, "rev-parse", "HEAD").slice(0, 12);
}

const MOVES: Readonly<Record<string, readonly string[]>> = {
  "a commit": ["commit", "--allow-empty", "-qm", "two"],
  "an amended commit": ["commit", "--amend", "--allow-empty", "-qm", "another"],
  "a reset branch": ["reset", "-q", "--soft", "other"],
  "another branch": ["checkout", "-q", "other"],
};

it.each(Object.entries(MOVES))(
  "the next answer of a watched code graph shows %s",
  async (_, args) => {
    const root = repository();
    git(root, "branch", "other");
    git(root, "commit", "--allow-empty", "-qm", "last");
    const tools = await watched(root);
    expect(await readRev(tools)).toBe(head(root));
    git(root, ...args);
    expect(await readRev(tools)).toBe(head(root));
  },
);

it("a watched code graph shows a new commit in a worktree and in a subfolder of a repository", async () => {
  const root = repository();
  const tree = join(temporaryTree({}), "tree");
  git(root, "worktree", "add", "-q", "-b", "side", tree);
  const [beside, within] = [await watched(tree), await watched(join(root, "made"))];
  for (const [tools, folder] of [[beside, tree] as const, [within, root] as const]) {
    git(folder, "commit", "--allow-empty", "-qm", "two");
    expect(await readRev(tools)).toBe(head(folder));
  }
});

it("a watched code graph leaves out files after .gitignore names them, and includes them after the pattern is removed", async () => {
  const root = repository();
  writeFileSync(join(root, ".gitignore"), "# nothing\n");
  const tools = await watched(root);
  const paths = async (): Promise<string> =>
    JSON.stringify((await tools.call("search", { query: "b.ts", type: "file" })).data.result);
  expect(await paths()).toContain("made/b.ts");
  writeFileSync(join(root, ".gitignore"), "made/\n");
  expect(await paths()).not.toContain("made/b.ts");
  writeFileSync(join(root, ".gitignore"), "# nothing\n");
  expect(await paths()).toContain("made/b.ts");
});
