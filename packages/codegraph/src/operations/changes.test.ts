import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { git, temporaryTree, writeTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./tools.ts";

const FILES = {
  "package.json": '{ "name": "x", "private": true }',
  "src/lib.ts": "export const one = 1;\nexport const two = 2;\n",
  "src/app.ts": 'import { one, two } from "./lib.ts";\nexport const sum = one + two;\n',
  "src/app.test.ts": 'import { sum } from "./app.ts";\nit("adds", () => sum);\n',
  "src/other.ts": "export const other = 1;\n",
};

interface Repository {
  readonly root: string;
  readonly ask: (tool: string, args: object) => Promise<Record<string, unknown>>;
}

function repository(more: Readonly<Record<string, string>> = {}): Repository {
  const root = temporaryTree({ ...FILES, ...more });
  git(root, "init", "-q");
  git(root, "add", "-A", "-f");
  git(root, "commit", "-qm", "all");
  const tools = openGraphTools({ root, patienceMs: 30_000 });
  onTestFinished(() => tools.close());
  return {
    root,
    ask: async (tool, args) => (await tools.call(tool, { ...args })).data.result as never,
  };
}

const GONE: Readonly<Record<string, (root: string) => void>> = {
  deleted: (root) => rmSync(join(root, "src/lib.ts")),
  "renamed without git": (root) => renameSync(join(root, "src/lib.ts"), join(root, "src/l.ts")),
  renamed: (root) => git(root, "mv", "src/lib.ts", "src/l.ts"),
};

describe("removed files", () => {
  it.each(Object.entries(GONE))(
    "graph_changes reports the dependents of a used file that was %s",
    async (_, change) => {
      const { root, ask } = repository();
      change(root);
      expect(await ask("changes", { since: "HEAD" })).toMatchObject({
        impact: { directDependents: 1, affectedFiles: 2 },
        affectedTests: ["src/app.test.ts"],
        newIssues: expect.arrayContaining([
          expect.objectContaining({ kind: "UNRESOLVED_IMPORT", file: "src/app.ts" }),
        ]) as unknown,
        riskAssessment: {
          level: "medium",
          factors: ["1 new error", "one is still used but no longer exists", "2 affected files"],
        },
      });
      const include = ["directDependents", "affectedTests", "riskAssessment", "keyPaths"];
      expect(await ask("impact", { changedSince: "HEAD", include })).toMatchObject({
        directDependents: ["src/app.ts"],
        affectedTests: ["src/app.test.ts"],
        riskAssessment: { level: "medium", reason: "it breaks code that worked before" },
        keyPaths: [["src/app.test.ts", "src/app.ts", "src/lib.ts"]],
      });
    },
  );
});

describe("removed names", () => {
  it("graph_changes lists a removed export and calls the broken import a medium risk", async () => {
    const { root, ask } = repository();
    writeFileSync(join(root, "src/lib.ts"), "export const one = 1;\n");
    expect(await ask("changes", { since: "HEAD" })).toMatchObject({
      changed: [{ path: "src/lib.ts", symbols: [], removed: ["two"] }],
      newIssues: [{ kind: "BROKEN_EXPORT_CHAIN", file: "src/app.ts" }],
      riskAssessment: { level: "medium", reason: "it breaks code that worked before" },
    });
  });

  it.each([
    ["lib.py", "def one():\n    return 1\n", "def two():\n    return 2\n", "two"],
    ["p/p.go", "package p\n\nfunc A() {}\n", "\nfunc B() {}\n", "B"],
  ])(
    "graph_changes reports a removed name that is still used, where no issue covers the removal from the file %s",
    async (path, kept, lost, name) => {
      const { root, ask } = repository({
        "go.mod": "module x\n",
        "q/q.go": 'package q\n\nimport "x/p"\n\nfunc Q() { p.A(); p.B() }\n',
        "app.py": "from lib import one, two\nprint(one(), two())\n",
        [path]: kept + lost,
      });
      writeFileSync(join(root, path), kept);
      expect(await ask("changes", { since: "HEAD" })).toMatchObject({
        changed: [{ path, removed: [name] }],
        riskAssessment: {
          level: "medium",
          factors: expect.arrayContaining([
            `${name} is still used but no longer exists`,
          ]) as unknown,
        },
      });
    },
  );

  it("graph_changes does not report a name that only moved to another file", async () => {
    const { root, ask } = repository({
      "src/index.ts": 'export { one, two } from "./lib.ts";\n',
      "src/app.ts": 'import { one, two } from "./index.ts";\nexport const sum = one + two;\n',
    });
    writeTree(root, {
      "src/lib.ts": "export const one = 1;\n",
      "src/two.ts": "export const two = 2;\n",
      "src/index.ts": 'export { one } from "./lib.ts";\nexport { two } from "./two.ts";\n',
    });
    const result = await ask("changes", { since: "HEAD" });
    expect(JSON.stringify(result["riskAssessment"])).not.toContain("no longer exists");
    expect(result).toMatchObject({ newIssues: [] });
  });

  it("graph_changes lists the removed names of a deleted file, also within a scope", async () => {
    const { root, ask } = repository();
    rmSync(join(root, "src/lib.ts"));
    writeTree(root, { "docs/new.ts": 'import "./nowhere.ts";\n' });
    const result = await ask("changes", { since: "HEAD", scope: "src" });
    expect(result).toMatchObject({
      changed: [{ path: "src/lib.ts", status: "deleted", removed: ["one", "two"] }],
    });
    const files = (result["newIssues"] as { file: string }[]).map(({ file }) => file);
    expect(files).toContain("src/app.ts");
    expect(files).not.toContain("docs/new.ts");
  });

  it("graph_changes lists a moved file in the scope of its old path", async () => {
    const { root, ask } = repository();
    git(root, "mv", "src/lib.ts", "lib.ts");
    expect(await ask("changes", { since: "HEAD", scope: "src" })).toMatchObject({
      changed: [{ path: "lib.ts", status: "renamed", from: "src/lib.ts" }],
    });
  });

  it("graph_changes accepts a scope that was deleted, and returns NOT_FOUND for a scope that never existed", async () => {
    const { root, ask } = repository({ "src/old/a.ts": "export const a = 1;\n" });
    rmSync(join(root, "src/old"), { recursive: true });
    expect(await ask("changes", { since: "HEAD", scope: "src/old" })).toMatchObject({
      changed: [{ path: "src/old/a.ts", removed: ["a"] }],
    });
    expect(await ask("changes", { since: "HEAD", scope: "src/odl" })).toMatchObject({
      error: { code: "NOT_FOUND" },
    });
  });

  it("graph_changes lists the entrypoints of a deleted file as affected", async () => {
    const { root, ask } = repository({
      "src/web.ts": 'import express from "express";\nexpress().get("/users", () => {});\n',
    });
    rmSync(join(root, "src/web.ts"));
    expect(await ask("changes", { since: "HEAD" })).toMatchObject({
      affectedEntrypoints: [{ name: "GET /users", path: "src/web.ts" }],
      riskAssessment: { level: "medium" },
    });
  });
});

describe("compared states", () => {
  const broken = 'import "./nowhere.ts";\nexport const other = 1;\n';

  it("graph_changes compares the last commit with the index for since: staged", async () => {
    const { root, ask } = repository();
    writeFileSync(join(root, "src/other.ts"), broken);
    const compared = "HEAD with the index";
    const nothing = { compared, changed: [], newIssues: [], riskAssessment: { level: "low" } };
    expect(await ask("changes", { since: "staged" })).toMatchObject(nothing);
    writeFileSync(join(root, "src/lib.ts"), "export const one = 1;\n");
    git(root, "add", "src/lib.ts");
    expect(await ask("changes", { since: "staged" })).toMatchObject({
      changed: [{ path: "src/lib.ts", removed: ["two"] }],
      newIssues: [{ kind: "BROKEN_EXPORT_CHAIN", file: "src/app.ts" }],
      newIssuesTotal: 1,
    });
  });

  it("graph_changes compares the index with the disk for since: working", async () => {
    const { root, ask } = repository();
    writeFileSync(join(root, "src/other.ts"), broken);
    git(root, "add", "-A");
    const compared = "the index with the disk";
    const nothing = { compared, changed: [], newIssues: [], fixedIssues: [] };
    expect(await ask("changes", { since: "working" })).toMatchObject(nothing);
    writeFileSync(join(root, "src/other.ts"), FILES["src/other.ts"]);
    expect(await ask("changes", { since: "working" })).toMatchObject({
      changed: [{ path: "src/other.ts" }],
      fixedIssues: [{ kind: "UNRESOLVED_IMPORT" }],
    });
    expect(await ask("changes", { since: "HEAD" })).toMatchObject({
      compared: "HEAD with the disk",
      changed: [],
    });
  });

  it("graph_changes compares a tree with committed node_modules", async () => {
    const { root, ask } = repository({
      "node_modules/dep/package.json": '{ "name": "dep" }',
      "node_modules/dep/index.js": "",
    });
    writeFileSync(join(root, "src/other.ts"), 'import "dep";\n');
    expect(await ask("changes", { since: "HEAD" })).toMatchObject({ changedTotal: 1 });
  });

  it("graph_changes leaves out a nested repository", async () => {
    const { root, ask } = repository();
    mkdirSync(join(root, "nested"));
    writeTree(root, { "nested/a.ts": "export {};\n" });
    git(join(root, "nested"), "init", "-q");
    git(join(root, "nested"), "add", "-A");
    git(join(root, "nested"), "commit", "-qm", "all");
    expect(await ask("changes", { since: "HEAD" })).toMatchObject({ changed: [] });
  });
});

describe("diverged branch", () => {
  it("graph_changes compares a diverged branch with the common ancestor", async () => {
    const { root, ask } = repository();
    git(root, "branch", "trunk");
    git(root, "checkout", "-qb", "topic");
    writeTree(root, { "src/other.ts": "export const other = 2;\n" });
    git(root, "commit", "-qam", "topic");
    git(root, "checkout", "-q", "trunk");
    writeTree(root, { "src/lib.ts": "export const one = 1;\nexport const two = 3;\n" });
    git(root, "commit", "-qam", "trunk");
    git(root, "checkout", "-q", "topic");
    expect(await ask("tests", { since: "trunk" })).toMatchObject({ tests: [], testsTotal: 0 });
    expect(await ask("changes", { since: "trunk" })).toMatchObject({
      changed: [expect.objectContaining({ path: "src/other.ts" })],
    });
  });
});
