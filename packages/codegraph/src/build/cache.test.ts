import {
  cpSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  existsSync,
  mkdirSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GraphCache } from "./cache/graph-cache.ts";
import { openCodeGraph } from "./index.ts";
import type { OpenCodeGraph, OpenGraphOptions } from "./index.ts";
import {
  graphContent,
  graphEdges,
  git,
  temporaryTree,
  writeTree,
} from "./testing/temporary-tree.ts";

const FILES = {
  "calls.ts": 'import { a } from ".";\nexport class C { m() { return a; } }\nnew C().m();',
  "index.ts": 'export * from "./a";\nexport { b } from "./b";',
  "a.ts": 'import { b } from "./b";\nexport const a = b;',
  "b.ts": "export const b = 1;",
  "main.ts": 'import { a, b } from ".";\nimport fs from "node:fs";\nimport("./" + a);',
  "package.json": '{ "name": "x" }',
};

/** Opens a graph and waits for its symbols. */
async function openFully(options: OpenGraphOptions): Promise<OpenCodeGraph> {
  const open = await openCodeGraph(options);
  await open.ready;
  return open;
}

const fresh = async (root: string) => (await openFully({ root, cache: false })).graph;

/** Opens, saves and closes a graph, so that the next opening finds the saved one. */
async function saved(root: string): Promise<void> {
  await (await openFully({ root })).close();
}

describe("saved graph", () => {
  it("the code graph opens its saved graph without reading the sources again", async () => {
    const root = temporaryTree(FILES);
    await saved(root);
    const reads: number[] = [];
    const open = await openFully({ root, onProgress: ({ total }) => reads.push(total) });
    expect(reads).toEqual([]);
    expect(graphContent(open.graph)).toEqual(graphContent(await fresh(root)));
    expect(open.state().notes).toEqual([]);
  });

  it("the code graph rebuilds a saved graph that another version of Waybill wrote", async () => {
    const root = temporaryTree(FILES);
    await saved(root);
    const cache = new GraphCache(root);
    const before = cache.load()!;
    new GraphCache(root, "other code").save(before.graph, cache.loadFiles(before)!);
    const open = await openFully({ root });
    expect(open.state().notes.join()).toContain("another version or in another folder");
    expect(graphContent(open.graph)).toEqual(graphContent(before.graph));
  });

  it("the code graph does not use a saved graph that came with a copy of the folder", async () => {
    const root = temporaryTree(FILES);
    await saved(root);
    const clone = temporaryTree(FILES);
    cpSync(join(root, ".waybill"), join(clone, ".waybill"), { recursive: true });
    const open = await openFully({ root: clone });
    expect(open.state().notes.join()).toContain("another version or in another folder");
    expect(graphContent(open.graph)).toEqual(graphContent(await fresh(root)));
  });

  it("the code graph hides its saved graph from git and leaves it out of the graph", async () => {
    const root = temporaryTree(FILES);
    git(root, "init", "-q");
    await saved(root);
    expect(git(root, "status", "--porcelain", "-uall")).not.toContain(".waybill");
    expect((await openFully({ root })).graph.files.find(".waybill/graph/cache/graph.bin")).toBe(
      undefined,
    );
  });

  it("the code graph updates a saved graph with the files that changed in the meantime", async () => {
    const root = temporaryTree(FILES);
    await saved(root);
    writeTree(root, { "b.ts": "export const c = 1;", "new.ts": 'import "./b";' });
    rmSync(join(root, "main.ts"));
    const open = await openFully({ root });
    expect(graphContent(open.graph)).toEqual(graphContent(await fresh(root)));
  });

  it.each(["graph.bin", "files.bin"])(
    "the code graph rebuilds the graph and adds a note when %s is damaged",
    async (name) => {
      const root = temporaryTree(FILES);
      await saved(root);
      const file = join(root, ".waybill/graph/cache", name);
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1]! ^= 0xff;
      writeFileSync(file, bytes);
      writeTree(root, { "b.ts": "export const b = 2;" });
      const open = await openFully({ root });
      expect(open.state().notes.join()).toContain("built again");
      expect(graphContent(open.graph)).toEqual(graphContent(await fresh(root)));
    },
  );

  it.each([
    ["truncated", (bytes: Buffer) => bytes.subarray(0, 100)],
    ["empty", () => Buffer.alloc(0)],
    ["not a graph", () => Buffer.from("hello")],
  ])("the code graph rebuilds the graph when the saved file is %s", async (_, damage) => {
    const root = temporaryTree(FILES);
    await saved(root);
    const file = join(root, ".waybill/graph/cache/graph.bin");
    writeFileSync(file, damage(readFileSync(file)));
    const open = await openFully({ root });
    expect(open.state().notes.join()).toContain("built again");
    expect(graphEdges(open.graph)).toEqual(graphEdges(await fresh(root)));
    await open.close();
    expect((await openFully({ root })).state().notes).toEqual([]);
  });

  it("the code graph does not save the graph through a symbolic link", async () => {
    const [root, outside] = [temporaryTree(FILES), temporaryTree({ "x.txt": "" })];
    symlinkSync(outside, join(root, ".waybill"));
    const open = await openFully({ root });
    await open.close();
    expect(existsSync(join(outside, "graph"))).toBe(false);
    expect(open.state().notes.join()).toContain("could not be saved");
  });
});

describe("update of an open graph", () => {
  const cases: Record<string, (root: string) => void> = {
    "touching a file": (root) => utimesSync(join(root, "a.ts"), new Date(), new Date(1e12)),
    "renaming a file and renaming it back": (root) => {
      renameSync(join(root, "b.ts"), join(root, "c.ts"));
      renameSync(join(root, "c.ts"), join(root, "b.ts"));
    },
    "editing exports": (root) => writeTree(root, { "b.ts": "export const other = 1;" }),
    "an edit of the same length": (root) => writeTree(root, { "b.ts": "export const c = 1;" }),
    "adding files that an import now resolves to": (root) =>
      writeTree(root, { "b/index.ts": "", "b.tsx": "" }),
    "deleting a file": (root) => rmSync(join(root, "b.ts")),
    "replacing a file with a folder": (root) => {
      rmSync(join(root, "b.ts"));
      mkdirSync(join(root, "b.ts"));
    },
    "changing the paths of tsconfig.json": (root) =>
      writeTree(root, {
        "tsconfig.json": '{ "compilerOptions": { "paths": { "x": ["./b.ts"] } } }',
        "a.ts": 'import "x";',
      }),
  };

  it.each(Object.entries(cases))(
    "an open code graph is equal to the result of a full build after %s",
    async (_, change) => {
      const root = temporaryTree(FILES);
      const open = await openFully({ root, cache: false });
      change(root);
      expect(graphContent(await open.refresh())).toEqual(graphContent(await fresh(root)));
    },
  );

  it("an open code graph is equal to the result of a full build through many edits, one or several at a time", async () => {
    const root = temporaryTree(FILES);
    const open = await openFully({ root, cache: false });
    const edits: Record<string, string>[] = [
      { "a.ts": '// a comment\nimport { b } from "./b";\nexport const a = b;' },
      {
        "calls.ts":
          'import { a } from ".";\nfunction f() {}\nexport class C { n() { f(); } m() { return a; } }\nnew C().m();',
      },
      { "b.ts": "function helper() { return 1; }\nexport const b = helper();" },
      { "b.ts": "export const b = 1;", "a.ts": 'export { b as a } from "./b";' },
      { "main.ts": 'import { a, b } from ".";\nimport { C } from "./calls";\nnew C().n(); a; b;' },
      { "index.ts": '\n\nexport * from "./a";\n\nexport { b } from "./b";' },
      { "main.ts": 'import "./gone";\nimport "react";' },
      { "calls.ts": "export class C {", "main.ts": 'import { C } from "./calls";\nnew C();' },
      { "calls.ts": "export class C { constructor() {} n() {} }" },
      { "main.ts": "" },
    ];
    for (const edit of edits) {
      writeTree(root, edit);
      expect(graphContent(await open.refresh())).toEqual(graphContent(await fresh(root)));
    }
  });

  it("an open code graph is equal to the result of a full build through many edits of exported names", async () => {
    const root = temporaryTree({
      "index.ts": 'export * from "./lib";\nexport { late } from "./a";',
      "lib.ts": 'export * from "./a";\nexport * from "./b";',
      "a.ts": "export class A { m() {} }\nexport const twice = 1;",
      "b.ts": "export function b() {}",
      "user.ts": 'import { A, b, soon } from ".";\nnew A().m();\nb();\nsoon();',
      "other.ts": 'import * as all from ".";\nall.b();\nall.added();',
    });
    const open = await openFully({ root, cache: false });
    const edits: Record<string, string>[] = [
      { "a.ts": "export class A { m() {} }\nexport const twice = 1;\nexport const more = 2;" },
      { "b.ts": "export function b() {}\nexport function added() {}" },
      { "b.ts": "export const zero = 0;\nexport function b() {}\nexport function added() {}" },
      { "b.ts": "export const zero = 0;\nexport function b() {}\nexport const twice = 2;" },
      { "a.ts": "export class A { m() {} }\nexport const more = 2;" },
      { "a.ts": "export class A { m() {} }\nexport const late = 2;" },
      { "b.ts": "export function b() {}\nexport function soon() {}" },
      { "b.ts": "export function soon() {}" },
      { "lib.ts": 'export * from "./b";\nexport * from "./a";' },
      { "lib.ts": 'export * from "./b";\nexport { A as b } from "./a";' },
      { "a.ts": "class A { m() {} }\nexport = A;" },
      { "a.ts": "export class A { m() {} }", "b.ts": "export const one = 1;" },
    ];
    for (const edit of edits) {
      writeTree(root, edit);
      expect(graphContent(await open.refresh())).toEqual(graphContent(await fresh(root)));
    }
  });

  it("an open code graph is equal to the result of a full build through edits of CommonJS exports and Python modules", async () => {
    const root = temporaryTree({
      "u.js": "function one() {}\nexports.one = one;",
      "i.js": 'const { one, two } = require("./u");\none();\ntwo();',
      "m.mjs": 'export { one } from "./u.js";\nimport all from "./u.js";\nall.two();',
      "p/__init__.py": "from .inner import core\nfrom .inner import late\n",
      "p/inner/__init__.py": "",
      "p/inner/core.py": "",
    });
    const open = await openFully({ root, cache: false });
    const edits: Record<string, string>[] = [
      { "u.js": "function one() {}\n\nexports.one = one;\nexports.two = () => 2;" },
      { "u.js": "function one() {}\nmodule.exports = { one, three: 3 };" },
      { "u.js": "class K { one() {} }\nmodule.exports = K;" },
      { "u.js": "export function one() {}" },
      { "u.js": "exports.four = 4;", "i.js": 'require("./u").four;' },
      { "p/inner/__init__.py": "late = 1\n" },
      { "p/inner/__init__.py": "import late\ncore = 1\n" },
      { "p/inner/__init__.py": "def __getattr__(name): pass\n" },
      { "p/inner/late.py": "", "p/inner/__init__.py": "" },
    ];
    for (const edit of edits) {
      writeTree(root, edit);
      expect(graphContent(await open.refresh())).toEqual(graphContent(await fresh(root)));
    }
  });

  it("an open code graph reads only the edited file when the edit adds an export that no file uses", async () => {
    const root = temporaryTree(FILES);
    const open = await openFully({ root, cache: false });
    const before = open.graph;
    writeTree(root, { "b.ts": "export const b = 1;\nexport const c = 2;" });
    const after = await open.refresh(["b.ts"]);
    expect(graphContent(after)).toEqual(graphContent(await fresh(root)));
    // A graph that was linked completely has its own strings, while a patched graph keeps the
    // earlier ones.
    expect(after.strings.get(before.tables.files.path[0]!)).toBe(before.files.path(0));
    expect(after.tables.files.path.slice(0, 2)).toEqual(before.tables.files.path.slice(0, 2));
  });

  it("an open code graph is equal to the result of a full build after edits of the paths at which routers are mounted", async () => {
    const router = 'import { Router } from "express";\nconst r = Router();\nexport default r;\n';
    const root = temporaryTree({
      "app.ts":
        'import express from "express";\nimport api from "./api";\nexpress().use("/a", api);',
      "api.ts": `${router}import users from "./users";\nr.use("/users", users);`,
      "users.ts": `${router}r.get("/:id", f);\nfunction f() {}`,
    });
    const open = await openFully({ root, cache: false });
    const edits: Record<string, string>[] = [
      {
        "app.ts":
          'import express from "express";\nimport api from "./api";\nexpress().use("/b", api);',
      },
      { "api.ts": `${router}import users from "./users";\nr.use("/people", users);` },
      { "api.ts": router },
      { "users.ts": `const x = 1;\n${router}r.get("/:id", f);\nfunction f() {}` },
      { "api.ts": `${router}import users from "./users";\nr.use("/users", users);` },
    ];
    const names = ["/b/users/:id", "/b/people/:id", "/:id", "/:id", "/b/users/:id"];
    for (const [at, edit] of edits.entries()) {
      writeTree(root, edit);
      const graph = await open.refresh();
      expect(graph.entrypoints.text(0)).toBe(`GET ${names[at]!}`);
      expect(graphContent(graph)).toEqual(graphContent(await fresh(root)));
    }
  });

  it("an open code graph is equal to the result of a full build after switching branches and back", async () => {
    const root = temporaryTree(FILES);
    git(root, "init", "-q", "-b", "main");
    git(root, "add", ".");
    git(root, "commit", "-qm", "one");
    const open = await openFully({ root, cache: false });
    const before = graphContent(open.graph);
    git(root, "checkout", "-qb", "other");
    writeTree(root, { "b.ts": "export const z = 1;", "d.ts": 'import "./b";' });
    git(root, "add", ".");
    git(root, "commit", "-qm", "two");
    expect(graphContent(await open.refresh())).toEqual(graphContent(await fresh(root)));
    expect(open.state().rev).toBe(git(root, "rev-parse", "HEAD").trim());
    git(root, "checkout", "-q", "main");
    expect(graphContent(await open.refresh())).toEqual(before);
  });

  it("an open code graph keeps its graph object if no file changed", async () => {
    const open = await openFully({ root: temporaryTree(FILES), cache: false });
    const before = open.graph;
    expect(await open.refresh()).toBe(before);
  });
});

describe("watching", () => {
  it("a watched code graph is updated on edits, new files and new folders until it is closed", async () => {
    const root = temporaryTree(FILES);
    const open = await openFully({ root, cache: false });
    const changes: (() => void)[] = [];
    open.watch(() => changes.shift()?.());
    expect(open.state().watching).toBe("events");
    const next = () => new Promise<void>((resolve) => changes.push(resolve));
    for (const files of [
      { "b.ts": "export const edited = 1;" },
      { "new.ts": 'import "./b";' },
      { "deep/er/x.ts": 'import "../../b";' },
      { "deep/er/x.ts": 'import "../../a";' },
    ]) {
      const changed = next();
      writeTree(root, files);
      await changed;
    }
    await open.refresh();
    expect(graphContent(open.graph)).toEqual(graphContent(await fresh(root)));
    await open.close();
    expect(open.state().watching).toBe("off");
  });
});
