import { describe, expect, it } from "vitest";
import { shown, tinyView, tokensOf } from "../fixtures/tiny-view.ts";
import { callHierarchy } from "./symbols/call-hierarchy.ts";
import { changes } from "./changes/changes.ts";
import { definition } from "./symbols/definition.ts";
import { digest } from "./modules/digest.ts";
import { moduleInfo } from "./modules/module.ts";
import { references } from "./symbols/references.ts";
import { search } from "./search/search.ts";
import { symbols } from "./symbols/symbols.ts";
import { tree } from "./modules/tree.ts";

const view = tinyView(
  {
    "src/store.ts": {
      lines: 40,
      exports: ["getUserView", "Store"],
      symbols: [
        { name: "getUserView", lines: [3, 9] },
        { name: "Store", kind: "class", lines: [11, 30] },
        { name: "Store.load", kind: "method", parent: "Store", lines: [12, 20] },
      ],
    },
    "src/index.ts": {
      exports: [
        { name: "getUserView", from: "src/store.ts" },
        { name: "Store", from: "src/store.ts" },
      ],
      imports: [{ to: "src/store.ts", kind: "reexport", names: ["getUserView", "Store"] }],
    },
    "src/app/page.ts": {
      imports: [{ to: "src/index.ts", names: ["getUserView"], line: 1 }],
      symbols: [{ name: "page", lines: [3, 8] }],
      entrypoints: [{ kind: "route", text: "GET /users", detail: "express" }],
    },
    "src/app/page.test.ts": { kind: "test", imports: ["src/app/page.ts"], lines: 5 },
    "README.md": { kind: "asset", state: "skipped", language: "other" },
  },
  {
    uses: [
      { from: "src/app/page.ts#", to: "src/store.ts#getUserView", kind: "import" },
      { from: "src/index.ts#", to: "src/store.ts#getUserView", kind: "import" },
      { from: "src/app/page.ts#page", to: "src/store.ts#getUserView", line: 5 },
      { from: "src/store.ts#getUserView", to: "src/store.ts#Store.load", line: 6 },
    ],
  },
);

describe("digest", () => {
  it("graph_digest shows size, entrypoints, hotspots and issues", async () => {
    const result = await shown(digest(view, {}));
    expect(result).toMatchObject({
      summary: { files: 5, modules: 4, entrypoints: 1, edges: 3 },
      entrypoints: { routes: ["GET /users"], commands: [], pages: [], jobs: [] },
      completeness: "exact",
    });
    expect((result["hotspots"] as object[])[0]).toEqual({
      path: "src/store.ts",
      importers: 1,
      exports: 2,
    });
  });

  it("graph_digest shows only the requested sections, for the given scope", async () => {
    const result = await shown(digest(view, { include: ["summary"], scope: "src/app" }));
    expect(result).toMatchObject({ summary: { files: 2, edges: 2 } });
    expect(result).not.toHaveProperty("hotspots");
  });
});

const namesOf = async (query: string): Promise<string[]> => {
  const { results } = await shown<{ results: { name: string; match: string }[] }>(
    search(view, { query }),
  );
  return results.map(({ name, match }) => `${name} ${match}`);
};

describe("search", () => {
  it.each([
    ["getUserView", "getUserView exact"],
    ["getuser", "getUserView prefix"],
    ["gUV", "getUserView camel"],
    ["guv", "getUserView camel"],
    ["UserV", "getUserView word"],
    ["gtusrvw", "getUserView fuzzy"],
    ["getUserVeiw", "getUserView near"],
    ["store", "Store exact"],
    ["Store.load", "Store.load exact"],
    ["app/page", "page.ts word"],
  ])("graph_search for %s finds %s", async (query, expected) => {
    expect(await namesOf(query)).toContain(expected);
  });

  it("graph_search finds only entries of the given type", async () => {
    const { results } = await shown<{ results: { type: string }[] }>(
      search(view, { query: "app", type: "directory" }),
    );
    expect(results).toEqual([expect.objectContaining({ type: "directory", path: "src/app" })]);
  });

  it("graph_search suggests the tree when the search finds nothing", async () => {
    const answer = await search(view, { query: "qqqqqqqq" });
    expect(await shown(answer)).toEqual({ results: [] });
    expect(answer.next?.[0]?.tool).toBe("tree");
  });
});

describe("tree", () => {
  it("graph_tree counts all files below a folder, even those the tree does not show", async () => {
    expect(await shown(tree(view, { depth: 1 }))).toEqual({
      tree: {
        name: ".",
        path: "",
        type: "directory",
        stats: { files: 5, folders: 2, lines: 75 },
        children: [
          {
            name: "src",
            path: "src",
            type: "directory",
            stats: { files: 4, folders: 1, lines: 65 },
          },
        ],
      },
    });
  });

  it("graph_tree shows only files that match the pattern", async () => {
    const result = await shown(tree(view, { depth: 3, includeFiles: true, pattern: "*.test.ts" }));
    const text = JSON.stringify(result);
    expect(text).toContain("page.test.ts");
    expect(text).not.toContain("store.ts");
  });

  it("graph_tree rejects a missing folder, a file and a path outside the root", () => {
    expect(() => tree(view, { path: "src/ap" })).toThrow("is not a folder");
    expect(() => tree(view, { path: "src/index.ts" })).toThrow("is a file");
    expect(() => tree(view, { path: "../.." })).toThrow("outside the root");
  });
});

describe("module", () => {
  it("graph_module shows the imports, exports and importers of a module", async () => {
    expect(await shown(moduleInfo(view, { target: "src/store.ts" }))).toMatchObject({
      isBarrel: false,
      importedBy: ["src/index.ts"],
      exports: [
        { name: "Store", kind: "class", usedBy: 1 },
        { name: "getUserView", kind: "function", usedBy: 2 },
      ],
      metrics: { lines: 40, isOrphan: false },
    });
    expect(await shown(moduleInfo(view, { target: "src/index.ts" }))).toMatchObject({
      isBarrel: true,
      reexports: [{ source: "src/store.ts", symbols: ["Store", "getUserView"] }],
    });
  });

  it("graph_module pages through a list if only this list is requested", () => {
    const answer = moduleInfo(view, { target: "src/store.ts", include: ["exports"] });
    expect(answer.items).toHaveLength(2);
  });
});

describe("symbols", () => {
  it("graph_symbols nests the symbols of a file, with 1-based lines", async () => {
    const result = await shown<{ symbols: object[] }>(symbols(view, { target: "src/store.ts" }));
    expect(result.symbols).toEqual([
      { name: "getUserView", kind: "function", range: { start: "3:1", end: "9:1" } },
      {
        name: "Store",
        kind: "class",
        range: { start: "11:1", end: "30:1" },
        children: [{ name: "load", kind: "method", range: { start: "12:1", end: "20:1" } }],
      },
    ]);
  });

  it("graph_symbols finds symbols of the whole tree by name and kind", async () => {
    const input = { target: "load", mode: "workspace" as const, kindFilter: ["method" as const] };
    const result = await shown<{ symbols: object[] }>(symbols(view, input));
    expect(result.symbols).toEqual([
      expect.objectContaining({ name: "load", path: "src/store.ts" }),
    ]);
  });
});

describe("definition and references", () => {
  it("graph_definition finds the definition through barrel files, from a name or a position", async () => {
    const expected = {
      definitions: [{ path: "src/store.ts", line: 3, lineText: "src/store.ts:3" }],
    };
    expect(await shown(definition(view, { symbol: "src/index.ts#getUserView" }))).toMatchObject(
      expected,
    );
    expect(await shown(definition(view, { path: "src/app/page.ts", line: 5 }))).toMatchObject(
      expected,
    );
    expect(await shown(definition(view, { path: "src/app/page.ts", line: 1 }))).toMatchObject(
      expected,
    );
  });

  it("graph_references lists every reference once, the declaration first", async () => {
    const result = await shown<{ references: { path: string; line: number }[]; stats: object }>(
      references(view, { symbol: "getUserView" }),
    );
    expect(result.references.map(({ path, line }) => `${path}:${line}`)).toEqual([
      "src/store.ts:3",
      "src/app/page.ts:1",
      "src/app/page.ts:5",
      "src/index.ts:1",
    ]);
    expect(result.stats).toEqual({ total: 3, files: 2 });
    expect(result).toMatchObject({ completeness: "exact" });
  });

  it("graph_references groups references by file if the caller asks for groups", async () => {
    const result = await shown(references(view, { symbol: "Store.load", groupByFile: true }));
    expect(result).toMatchObject({ completeness: "exact", stats: { total: 1 } });
    expect(Object.keys(result["groups"] as object)).toEqual(["src/store.ts"]);
  });

  it("graph_definition says when there is no known symbol at a position", () => {
    expect(() => definition(view, { path: "src/app/page.ts", line: 77 })).toThrow(
      "There is no known symbol",
    );
    expect(() => definition(view, { path: "src/app/page.ts" })).toThrow("Pass path and line");
  });
});

describe("call hierarchy", () => {
  it("graph_call_hierarchy lists callers and callees over several steps", async () => {
    const input = { symbol: "getUserView", depth: 2 };
    expect(await shown(callHierarchy(view, input))).toMatchObject({
      item: { name: "getUserView", path: "src/store.ts", line: 3 },
      callers: [{ from: { name: "page" }, callSites: ["5:1"] }],
      callees: [{ to: { name: "Store.load" }, callSites: ["6:1"] }],
      stats: { callers: 1, callees: 1 },
    });
    const far = await shown<{ callers: object[] }>(
      callHierarchy(view, { symbol: "Store.load", direction: "incoming", depth: 2 }),
    );
    expect(far.callers).toEqual([
      expect.objectContaining({ callSites: ["6:1"] }),
      expect.objectContaining({ depth: 2, via: "getUserView" }),
    ]);
  });
});

describe("changes", () => {
  it("graph_changes lists changed symbols, affected tests and entrypoints, new and fixed issues", async () => {
    const before = tinyView({ "src/old.ts": { gaps: [{ kind: "unresolved", text: "./gone" }] } });
    const now = {
      ...view,
      graphAt: () => Promise.resolve(before.graph),
      changedSince: () =>
        Promise.resolve([
          { path: "src/store.ts", status: "modified" as const, lines: [[14, 15]] as const },
          { path: "src/old.ts", status: "deleted" as const, lines: [] },
        ]),
    };
    const result = await shown(changes(now, { since: "HEAD~1" }));
    expect(result).toMatchObject({
      changed: [
        { path: "src/store.ts", status: "modified", symbols: ["Store.load"] },
        { path: "src/old.ts", status: "deleted", symbols: [] },
      ],
      affectedTests: ["src/app/page.test.ts"],
      affectedEntrypoints: [{ name: "GET /users" }],
      fixedIssues: [{ kind: "UNRESOLVED_IMPORT" }],
      newIssuesTotal: 0,
    });
  });
});

describe("token budget", () => {
  const full = tinyView({
    "packages/core.ts": { exports: ["core"] },
    ...Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `packages/some-long-folder-${at % 17}/file-${at}.ts`,
        {
          imports: ["packages/core.ts"],
          gaps: [{ kind: "unresolved" as const, text: `./x${at}` }],
        },
      ]),
    ),
  });

  it.each([200, 300, 500, 1_000, 3_000])(
    "an answer of the code graph fills at least 70 % of a budget of %i tokens and never exceeds it",
    async (budget) => {
      for (const answer of [
        digest(full, {}),
        tree(full, { includeFiles: true, depth: 5 }),
        moduleInfo(full, { target: "packages/core.ts", limit: 300 }),
        search(full, { query: "file", limit: 200 }),
      ]) {
        const result = await shown(answer, budget);
        expect(tokensOf(result)).toBeLessThanOrEqual(budget);
      }
      const many = await shown(search(full, { query: "file", limit: 300 }), budget);
      expect(tokensOf(many)).toBeGreaterThan(budget * 0.7);
    },
  );
});

describe("a symbol with a separate path", () => {
  it("a code graph question accepts path#symbol in one input and gives the answer for path and symbol", async () => {
    const apart = await shown(references(view, { path: "src/store.ts", symbol: "Store" }));
    const together = await shown(references(view, { symbol: "src/store.ts#Store" }));
    expect(apart).toEqual(together);
    const elsewhere = { path: "src/index.ts", symbol: "Store.load" };
    expect(() => references(view, elsewhere)).toThrow(
      `There is no symbol "src/index.ts#Store.load"`,
    );
  });
});
