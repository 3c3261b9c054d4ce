import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCodeGraph } from "../build/index.ts";
import type { OpenCodeGraph } from "../build/index.ts";
import { graphContent, git, temporaryTree, writeTree } from "../build/testing/temporary-tree.ts";
import { changedFiles } from "./git-changes.ts";
import { graphAtRevision } from "./graph-at-revision.ts";

const FILES = {
  "package.json": '{ "name": "x", "main": "src/index.ts" }',
  "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
  "src/index.ts": 'export * from "@/a";\nexport { b } from "./b.ts";',
  "src/a.ts": 'import { b } from "./b.ts";\nexport class A { go() { return b(); } }',
  "src/b.ts": "export const b = () => 1;",
  "src/page.py": "def main():\n    pass\n",
  "docs/guide.mdx": 'import A from "@/a";\n',
  "web/package.json": '{ "name": "web" }',
  "web/vite.config.ts": 'export default { resolve: { alias: { "~": "/lib" } } };',
  "web/main.ts": 'import { page } from "~/page.ts";\npage();',
  "web/lib/page.ts": "export const page = () => 1;",
  "web/lib/other.ts": "export const other = 1;",
};

async function opened(root: string): Promise<OpenCodeGraph> {
  const session = await openCodeGraph({ root, cache: false });
  await session.ready;
  return session;
}

function committed(): string {
  const root = temporaryTree(FILES);
  git(root, "init", "-q");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "all");
  return root;
}

const atHead = (session: OpenCodeGraph) =>
  graphAtRevision(session, "HEAD", (rev) => changedFiles(rev, { cwd: session.root }));

const EDITS: Readonly<Record<string, (root: string) => void>> = {
  "an edit": (root) => writeTree(root, { "src/b.ts": "export const b = () => 2, c = 3;" }),
  "a new file": (root) => writeTree(root, { "src/new.ts": 'import "./a.ts";' }),
  "a deleted file": (root) => rmSync(join(root, "src/a.ts")),
  "a renamed file": (root) => git(root, "mv", "src/b.ts", "src/c.ts"),
  "a changed alias": (root) =>
    writeTree(root, { "tsconfig.json": '{ "compilerOptions": { "paths": {} } }' }),
  "a deleted file that an alias of Vite leads to": (root) => rmSync(join(root, "web/lib/page.ts")),
  "a deleted file beside an alias of Vite": (root) => rmSync(join(root, "web/lib/other.ts")),
  "a new document": (root) => writeTree(root, { "docs/guide.mdx": "nothing" }),
};

it.each(Object.entries(EDITS))("the graph of a commit does not show %s", async (_, edit) => {
  const root = committed();
  const before = graphContent((await opened(root)).graph) as { content: object };
  edit(root);
  const after = await atHead(await opened(root));
  expect((graphContent(after) as { content: object }).content).toEqual(before.content);
});

it("the graph of the current commit is the open graph when nothing changed", async () => {
  const session = await opened(committed());
  expect(await atHead(session)).toBe(session.graph);
});
