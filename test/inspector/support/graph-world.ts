import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { GraphWorkspace, graphPicture, graphSource } from "@waybill/codegraph";
import type { GraphPicture } from "@waybill/codegraph";
import { openWorld } from "./world.ts";
import type { More, World } from "./world.ts";

/** A file name that would be markup if it were not escaped. */
export const MARKUP_FILE = "src/app/<b onclick=x>bold.ts";

/**
 * A code base with two layers, an import cycle, an import that breaks a rule, and a file with a
 * test.
 */
const TREE: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ name: "shop", main: "src/app/main.ts" }),
  ".waybill/graph/layers.json": JSON.stringify({
    forbidden: [
      {
        name: "core-below-app",
        comment: "Core knows nothing of the application",
        severity: "error",
        from: { path: "src/core" },
        to: { path: "src/app" },
      },
    ],
  }),
  "src/core/model.ts":
    "export interface Item { readonly id: string }\nexport class Store {\n  find(id: string): Item {\n    return { id };\n  }\n}\n",
  "src/core/store.ts":
    'import { Store } from "./model.ts";\nimport { price } from "./price.ts";\nexport const store = new Store();\nexport const total = (): number => price();\n',
  "src/core/price.ts":
    'import { total } from "./store.ts";\nexport const price = (): number => (total.length > 0 ? 1 : 2);\n',
  "src/core/wrong.ts": 'import { page } from "../app/page.ts";\nexport const wrong = page;\n',
  "src/app/page.ts": 'import { store } from "../core/store.ts";\nexport const page = store;\n',
  "src/core/alone.ts": "export const alone = 1;\n",
  "src/app/main.ts":
    'import { store } from "../core/store.ts";\nimport { page } from "./page.ts";\nexport const main = [page, store];\n',
  "src/app/main.test.ts": 'import { main } from "./main.ts";\nvoid main;\n',
  [MARKUP_FILE]: 'import { main } from "./main.ts";\nvoid main;\n',
};

async function writeTree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "waybill-graph-")));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** Uses the default configuration, like a user without one. */
function git(root: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  execFileSync("git", [...identity, ...args], { cwd: root, stdio: "ignore", env });
}

/** Opens a code base as `waybill inspect --root` does. */
export function codeBaseAt(root: string): { more: More; close(): Promise<void> } {
  const workspace = new GraphWorkspace({ root });
  const picture = async (signal: AbortSignal): Promise<GraphPicture> =>
    graphPicture(await workspace.view("none", signal), {}, signal);
  return {
    more: { sources: [graphSource(workspace)], graph: { picture } },
    close: () => workspace.close(),
  };
}

/** Starts the inspector for a code base in which all files but one are committed. */
export async function openGraphWorld(page: string): Promise<World> {
  const root = await writeTree(TREE);
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "commit", "-qm", "first");
  await writeFile(join(root, "src/core/model.ts"), `${TREE["src/core/model.ts"]!}// more\n`);
  const codeBase = codeBaseAt(root);
  const world = await openWorld(page, codeBase.more);
  return {
    ...world,
    async close() {
      await world.close();
      await codeBase.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
