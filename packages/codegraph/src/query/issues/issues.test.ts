import { describe, expect, it } from "vitest";
import { shown, tinyView } from "../../fixtures/tiny-view.ts";
import type { TinyFile, TinyOptions } from "../../fixtures/tiny-graph.ts";
import { ISSUE_KINDS } from "../answer/issue-kinds.ts";
import type { IssueKind } from "../answer/issue-kinds.ts";
import { issueExplain } from "./issue-explain.ts";
import { issueFixplan } from "./issue-fixplan.ts";
import { issues } from "./list-issues.ts";
import type { GraphView } from "../answer/view.ts";
import { allIssues } from "./index.ts";

/** Files that import each other in one cycle. */
function createRing(length: number): Record<string, TinyFile> {
  return Object.fromEntries(
    Array.from({ length }, (_, at) => [`r${at}.ts`, { imports: [`r${(at + 1) % length}.ts`] }]),
  );
}

function cycleSummaries(length: number): string[] {
  const view = tinyView(createRing(length));
  return allIssues(view)
    .filter(({ kind }) => kind === "CIRCULAR_DEPENDENCY")
    .map(({ rule, finding }) => rule.summary(view, finding));
}

const MANIFEST = {
  path: "package.json",
  name: "app",
  peerDependencies: [],
  devDependencies: [],
  optionalDependencies: [],
  bundledDependencies: [],
};

/** The smallest tree in which each kind occurs exactly once. */
const CASES: Readonly<
  Record<IssueKind, { files: Record<string, TinyFile>; options?: TinyOptions; rules?: object }>
> = {
  HANDLER_UNREACHABLE: {
    files: {
      "src/index.ts": {},
      "src/users.ts": {
        exports: ["router"],
        entrypoints: [{ kind: "route", text: "GET /users", detail: "express" }],
      },
    },
  },
  DYNAMIC_EDGE_UNKNOWN: {
    files: { "a.ts": { gaps: [{ kind: "dynamic", text: "import(name)" }] } },
  },
  BROKEN_EXPORT_CHAIN: {
    files: {
      "index.ts": { exports: [{ name: "gone", kind: "broken" }] },
    },
  },
  CIRCULAR_REEXPORT: {
    files: {
      "index.ts": {
        imports: [{ to: "other.ts", kind: "reexport", typeOnly: true, names: ["a"] }],
        exports: ["b"],
      },
      "other.ts": {
        imports: [{ to: "index.ts", kind: "reexport", typeOnly: true, names: ["b"] }],
        exports: ["a"],
      },
    },
  },
  ORPHAN_EXPORT: {
    files: {
      "index.ts": { imports: [{ to: "a.ts", names: ["used"] }] },
      "a.ts": { exports: ["used", "unused"] },
    },
  },
  ENTRY_MISSING_HANDLER: {
    files: {
      "pages/about.tsx": {
        exports: ["meta"],
        entrypoints: [{ kind: "page", text: "/about", detail: "next" }],
      },
    },
  },
  NOT_REGISTERED: {
    files: {
      "index.ts": { imports: [{ to: "cats.ts", names: ["NAME"] }] },
      "cats.ts": {
        exports: ["Cats", "NAME"],
        symbols: [
          { name: "Cats", kind: "class" },
          { name: "Cats.all", kind: "method", parent: "Cats" },
        ],
        entrypoints: [{ kind: "route", text: "GET /cats", detail: "nestjs", symbol: "Cats.all" }],
      },
    },
  },
  CYCLE_RISK: {
    files: {
      "index.ts": { imports: [{ to: "b.ts", typeOnly: true, names: ["B"] }] },
      "b.ts": { imports: [{ to: "index.ts", names: ["A"] }], exports: ["B"] },
    },
  },
  CIRCULAR_DEPENDENCY: {
    files: { "index.ts": { imports: ["b.ts"] }, "b.ts": { imports: ["index.ts"] } },
  },
  LAYER_VIOLATION: {
    files: { "ui/index.ts": { imports: ["db/a.ts"] }, "db/a.ts": {} },
    rules: { forbidden: [{ name: "no-db", from: { path: "ui" }, to: { path: "db" } }] },
  },
  UNRESOLVED_IMPORT: {
    files: { "a.ts": { gaps: [{ kind: "unresolved", text: "./gone.js", line: 3 }] } },
  },
  UNUSED_DEPENDENCY: {
    files: { "package.json": { kind: "asset", state: "skipped" }, "a.ts": { packages: ["used"] } },
    options: { manifests: [{ ...MANIFEST, dependencies: ["used", "unused"] }] },
  },
  UNLISTED_DEPENDENCY: {
    files: { "a.ts": { packages: ["used", "unlisted", "node:fs"] } },
    options: { manifests: [{ ...MANIFEST, dependencies: ["used"] }] },
  },
};

function viewFor(kind: IssueKind): GraphView {
  const { files, options = {}, rules = {} } = CASES[kind];
  return tinyView(files, options, { rules });
}

describe.each(ISSUE_KINDS)("issue %s", (kind) => {
  it(`graph_issues finds the issue ${kind} when it is filtered by its kind`, async () => {
    const view = viewFor(kind);
    const result = await shown<{ issues: { kind: string; id: string }[]; stats: object }>(
      issues(view, { kind }),
    );
    expect(result.issues.map((issue) => issue.kind)).toEqual([kind]);
  });

  it(`graph_issues keeps the id of the issue ${kind} when other files are added`, () => {
    const { files, options = {}, rules = {} } = CASES[kind];
    const before = allIssues(viewFor(kind)).find((issue) => issue.kind === kind)!;
    const moved = tinyView({ "0-first.ts": {}, ...files }, options, { rules });
    const after = allIssues(moved).filter((issue) => issue.kind === kind);
    expect(after.map(({ id }) => id)).toEqual([before.id]);
  });

  it(`graph_issue_explain explains the issue ${kind}, and graph_issue_fixplan plans a fix`, async () => {
    const view = viewFor(kind);
    const { id } = allIssues(view).find((issue) => issue.kind === kind)!;
    const explained = await shown(issueExplain(view, { issueId: id }));
    expect(explained).toMatchObject({ issue: { id, kind } });
    expect(explained["impact"]).toMatch(/\w/u);
    expect(JSON.stringify(explained["suggestedFixes"])).toMatch(/"steps":\["\w/u);
    const plan = await shown<{ edits: object[] }>(issueFixplan(view, { issueIds: [id] }));
    expect(plan.edits.length).toBeGreaterThan(0);
  });

  it(`graph_issues hides the issue ${kind} if an annotation ignores its kind, path or id`, () => {
    const view = viewFor(kind);
    const found = allIssues(view).find((issue) => issue.kind === kind)!;
    const path = view.graph.files.path(found.file);
    for (const ignore of [{ kind }, { kind, path }, { issueId: found.id }]) {
      const quiet = { ...view, ignores: [{ id: "ignore-1", ...ignore }] };
      expect(allIssues(quiet).filter((issue) => issue.id === found.id)).toEqual([]);
    }
  });
});

function kindsIn(files: Record<string, TinyFile>, options: TinyOptions = {}): string[] {
  return allIssues(tinyView(files, options)).map(({ kind }) => kind);
}

describe("code without issues", () => {
  it("graph_issues accepts exports that a package entrypoint has or re-exports as used", () => {
    expect(
      kindsIn({
        "lib/door.ts": {
          exports: ["own", { name: "inner", from: "lib/inner.ts" }],
          imports: [{ to: "lib/inner.ts", kind: "reexport", names: ["inner"] }],
          entrypoints: [{ kind: "package", text: "lib", detail: "exports" }],
        },
        "lib/inner.ts": { exports: ["inner"] },
      }),
    ).toEqual([]);
  });

  it("graph_issues accepts exports that are imported as a namespace or dynamically as used", () => {
    expect(
      kindsIn({
        "index.ts": {
          imports: [
            { to: "a.ts", names: ["*"] },
            { to: "b.ts", kind: "dynamic", names: ["*"] },
          ],
        },
        "a.ts": { exports: ["x"] },
        "b.ts": { exports: ["y"] },
      }),
    ).toEqual([]);
  });

  it("graph_issues accepts exports behind a barrel file that is imported as a namespace as used", () => {
    const behind = {
      "barrel.ts": { imports: [{ to: "a.ts", kind: "reexport", names: ["*"] }] },
      "a.ts": { exports: ["x"] },
    } as const;
    const user = { imports: [{ to: "barrel.ts", names: ["*"] }] };
    expect(kindsIn({ "index.ts": user, ...behind })).toEqual([]);
    const named = { imports: [{ to: "barrel.ts", names: ["y"] }] };
    expect(kindsIn({ "index.ts": named, ...behind })).toContain("ORPHAN_EXPORT");
  });

  it("graph_issues accepts files that a test, a configuration or a script needs as used", () => {
    expect(
      kindsIn({
        "index.ts": {},
        "a.test.ts": { kind: "test", imports: [{ to: "helper.ts", names: ["x"] }] },
        "vitest.config.ts": { kind: "config", exports: ["default"] },
        "helper.ts": { exports: ["x"] },
        "scripts/build.ts": { exports: ["build"] },
        "main.mts": { imports: [{ to: "b.ts", names: ["y"] }] },
        "b.ts": { exports: ["y"] },
      }),
    ).toEqual([]);
  });

  it("graph_issues accepts a source file whose built file is referenced as used, and its exports", () => {
    expect(
      kindsIn({
        "bin/tool.js": {
          language: "javascript",
          gaps: [{ kind: "unsupported", text: "../dist/node/cli.js" }],
        },
        "index.ts": {},
        "src/node/cli.ts": { exports: ["run"] },
      }),
    ).toEqual([]);
  });

  it("graph_issues accepts files in a folder that a computed import names as used", () => {
    expect(
      kindsIn({
        "index.ts": { gaps: [{ kind: "dynamic", text: "import(`./locales/${name}.ts`)" }] },
        "locales/de.ts": { exports: ["default"] },
      }),
    ).toEqual(["DYNAMIC_EDGE_UNKNOWN"]);
  });

  it("graph_issues accepts all files of a package without a known entrypoint as used", () => {
    expect(
      kindsIn(
        {
          "packages/a/lib/x.ts": { exports: ["x"], imports: ["packages/a/lib/y.ts"] },
          "packages/a/lib/y.ts": { exports: ["y"], imports: ["packages/a/lib/x.ts"] },
          "main.ts": {},
        },
        { manifests: [{ ...MANIFEST, path: "packages/a/package.json", dependencies: [] }] },
      ),
    ).toEqual(["CIRCULAR_DEPENDENCY"]);
  });

  it("graph_issues summarises a cycle as the list of its files, and shortens a long cycle", () => {
    expect(cycleSummaries(2)).toEqual(["r0.ts → r1.ts → r0.ts"]);
    expect(cycleSummaries(8)).toEqual(["r0.ts → r1.ts → r2.ts → r3.ts → r4.ts → … 3 more → r0.ts"]);
  });

  it("graph_issues reports no dead file before the entrypoints are read", () => {
    expect(
      kindsIn({ "src/index.ts": {}, "src/a.ts": { exports: ["x"] } }, { phase: "modules" }),
    ).toEqual([]);
  });

  it("graph_issues accepts types of a JavaScript file and any name of a CommonJS file as used", () => {
    expect(
      kindsIn({
        "index.ts": {
          imports: [
            { to: "a.mjs", typeOnly: true, names: ["Options"] },
            { to: "b.cjs", names: ["anything"] },
          ],
        },
        "a.mjs": { language: "javascript", exports: ["default"] },
        "b.cjs": { language: "javascript" },
      }),
    ).not.toContain("BROKEN_EXPORT_CHAIN");
  });
});

describe("unlisted dependency", () => {
  const entry = { kind: "package", text: "app", detail: "package.json" } as const;
  const options = { manifests: [{ ...MANIFEST, dependencies: [] }] };
  const named = (path: string): Record<string, TinyFile> => ({
    "package.json": {
      kind: "asset",
      state: "skipped",
      gaps: [{ kind: "unsupported", text: `./${path}` }],
    },
    [path]: { language: "javascript", packages: ["unlisted"], entrypoints: [entry] },
  });

  it.each(["server.js", "bin/app.js"])(
    "graph_issues reports an unlisted dependency of %s, an entrypoint of the package",
    (path) => {
      expect(kindsIn(named(path), options)).toEqual(["UNLISTED_DEPENDENCY"]);
    },
  );

  it.each(["dist/server.js", "examples/server.js"])(
    "graph_issues does not report an unlisted dependency of %s",
    (path) => {
      expect(kindsIn(named(path), options)).toEqual([]);
    },
  );
});

const changedB: GraphView["changedSince"] = () =>
  Promise.resolve([{ path: "b.ts", status: "modified", lines: [] }]);

describe("list of issues", () => {
  const view = tinyView({
    "a.ts": {
      gaps: [
        { kind: "unresolved", text: "./x", line: 1 },
        { kind: "unresolved", text: "./z", line: 9 },
        { kind: "dynamic", text: "import(y)", line: 2 },
      ],
    },
    "b.ts": { gaps: [{ kind: "unresolved", text: "./y", line: 1 }] },
    "sub/c.ts": { gaps: [{ kind: "unresolved", text: "../x.js", line: 4 }] },
  });

  it("graph_issues reports a missing module once and counts its importers", async () => {
    const result = await shown<{ issues: { summary: string }[] }>(issues(view, { limit: 1 }));
    expect(result.issues[0]?.summary).toBe('"./x" does not resolve; 2 files import it');
    const inFolder = await shown(issues(view, { scope: "sub" }));
    expect(inFolder).toMatchObject({ stats: { total: 1 } });
  });

  it("graph_issues leaves out issues in generated and vendored files", async () => {
    const gaps = [{ kind: "unresolved" as const, text: "./gone" }];
    const made = tinyView({ "vendor/jquery.js": { kind: "generated", gaps } });
    expect(await shown(issues(made, {}))).toMatchObject({ stats: { total: 0 } });
  });

  it("graph_issues lists errors first and counts all issues", async () => {
    const result = await shown<{ issues: { severity: string; id: string }[]; stats: object }>(
      issues(view, {}),
    );
    expect(result.issues.map(({ severity }) => severity)).toEqual([
      "error",
      "error",
      "error",
      "info",
    ]);
    expect(new Set(result.issues.map(({ id }) => id)).size).toBe(4);
    expect(result.stats).toMatchObject({
      total: 4,
      returned: 4,
      bySeverity: { error: 3, info: 1 },
    });
  });

  it("graph_issues treats the severity filter as a minimum", async () => {
    expect(await shown(issues(view, { severity: "error" }))).toMatchObject({ stats: { total: 3 } });
    expect(await shown(issues(view, { severity: "info" }))).toMatchObject({ stats: { total: 4 } });
  });

  it("graph_issues groups issues by file or by kind", async () => {
    const byFile = await shown<{ groups: object }>(issues(view, { groupBy: "file" }));
    expect(Object.keys(byFile.groups)).toEqual(["a.ts", "b.ts"]);
    const byKind = await shown<{ groups: object }>(issues(view, { groupBy: "kind" }));
    expect(Object.keys(byKind.groups)).toEqual(["UNRESOLVED_IMPORT", "DYNAMIC_EDGE_UNKNOWN"]);
  });

  it("graph_issues lists only issues of changed files for changedSince", async () => {
    expect(
      await shown(issues({ ...view, changedSince: changedB }, { changedSince: "main" })),
    ).toMatchObject({
      stats: { total: 1 },
    });
  });

  it("graph_issue_explain rejects the id of an issue that does not exist", () => {
    expect(() => issueExplain(view, { issueId: "UI-nothing" })).toThrow("There is no issue");
  });
});
