import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "shop", "type": "module", "main": "src/index.ts" }',
  "src/index.ts": 'import { users } from "./users.ts";\nexport const all = users();\n',
  "src/users.ts": 'import { db } from "./db.ts";\nexport function users() { return db; }\n',
  "src/db.ts": "export const db = [];\n",
  "src/dynamic.ts": "export const load = (name: string) => import(name);\n",
  "src/barrel.ts": 'export { gone } from "./missing.ts";\n',
};

/** A small code base in a temporary folder, cloned from a URL if one is given. */
export function makeCodeBase(origin?: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "waybill-code-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args: readonly string[]): void => {
    const who = ["-c", "user.name=Octo", "-c", "user.email=octo@example.com"];
    execFileSync("git", [...who, ...args], { cwd: root, stdio: "ignore" });
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  if (origin !== undefined) git("remote", "add", "origin", origin);
  return root;
}
