import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { git, temporaryTree, writeTree } from "../build/testing/temporary-tree.ts";
import { runGraphTool } from "./index.ts";

type Args = Readonly<Record<string, unknown>>;

async function askGraph(root: string, tool: string, args: Args) {
  return runGraphTool(tool, args, { root, patienceMs: 60_000 });
}

function committed(files: Readonly<Record<string, string>>): string {
  const root = temporaryTree(files);
  git(root, "init", "-q");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "all");
  return root;
}

const CHAIN = {
  "package.json": '{ "name": "x", "devDependencies": { "vitest": "4" } }',
  "core.ts": "export const core = 1;\nexport const spare = 2;",
  "mid.ts": 'import { core } from "./core.ts";\nexport const mid = core;',
  "mid.test.ts": 'import { mid } from "./mid.ts";\nmid;',
  "other.test.ts": "export {};",
};

function withoutCore(): string {
  const root = committed(CHAIN);
  rmSync(join(root, "core.ts"));
  return root;
}

describe("a deleted file", () => {
  it("graph_tests lists the tests of the files that imported a deleted file", async () => {
    const { data } = await askGraph(withoutCore(), "tests", { since: "HEAD" });
    expect(data.result).toMatchObject({ tests: ["mid.test.ts"], testsTotal: 1 });
  });

  it("graph_impact shows the impact of a deleted file, with the files that imported it as direct dependents", async () => {
    const include = ["directDependents", "keyPaths", "riskAssessment"];
    const { data } = await askGraph(withoutCore(), "impact", { changedSince: "HEAD", include });
    expect(data.result).toMatchObject({
      directDependents: ["mid.ts"],
      keyPaths: [["mid.test.ts", "mid.ts", "core.ts"]],
    });
    expect(JSON.stringify(data.result)).toContain("core");
  });

  it("graph_changes suggests an explanation of the new issue that a deleted file causes", async () => {
    const root = withoutCore();
    const { data } = await askGraph(root, "changes", { since: "HEAD" });
    expect(data.result).toMatchObject({ newIssuesTotal: 1, changed: [{ path: "core.ts" }] });
    const [next] = data.meta.nextQuerySuggestion!;
    expect(next).toMatchObject({ tool: "graph_issue_explain", reason: "the first new issue" });
    const explained = await askGraph(root, next!.tool, next!.args);
    expect(explained).toMatchObject({ success: true });
    expect(JSON.stringify(explained.data.result)).toContain("./core.ts");
  });
});

describe("an edit without a new issue", () => {
  it("graph_changes suggests the impact of the first changed file after an edit without a new issue", async () => {
    const root = committed(CHAIN);
    writeTree(root, { "core.ts": "export const core = 3;\nexport const spare = 2;" });
    const { data } = await askGraph(root, "changes", { since: "HEAD" });
    expect(data.result).toMatchObject({ newIssuesTotal: 0, fixedIssuesTotal: 0 });
    expect(data.meta.nextQuerySuggestion).toEqual([
      {
        tool: "graph_impact",
        args: { target: "core.ts" },
        reason: "files that the first change affects",
      },
    ]);
  });
});

describe("paths of impact", () => {
  it("graph_impact lists at most three paths of impact, each from an entrypoint", async () => {
    const pages = Object.fromEntries(
      ["a", "b", "c", "d"].map((name) => [
        `pages/${name}.tsx`,
        'import { title } from "../title.ts";\nexport default () => title;',
      ]),
    );
    const root = temporaryTree({
      "package.json": '{ "name": "x", "dependencies": { "next": "15" } }',
      "title.ts": 'export const title = "";',
      "plain.ts": 'import "./title.ts";',
      ...pages,
    });
    const { data } = await askGraph(root, "impact", { target: "title.ts", include: ["keyPaths"] });
    expect((data.result as { keyPaths: string[][] }).keyPaths).toEqual([
      ["pages/a.tsx", "title.ts"],
      ["pages/b.tsx", "title.ts"],
      ["pages/c.tsx", "title.ts"],
    ]);
  });
});

describe("the runner of a test", () => {
  it.each([
    ["vitest", ["vitest", "run", "a.test.ts"]],
    ["jest", ["jest", "a.test.ts"]],
    ["@playwright/test", ["playwright", "test", "a.test.ts"]],
    ["mocha", ["mocha", "a.test.ts"]],
    ["ava", ["ava", "a.test.ts"]],
  ])(
    "graph_tests names the command of %s for a test if the package lists that runner",
    async (name, args) => {
      const root = temporaryTree({
        "package.json": JSON.stringify({ name: "x", devDependencies: { [name]: "1" } }),
        "a.ts": "export const a = 1;",
        "a.test.ts": 'import { a } from "./a.ts";\na;',
      });
      const { data } = await askGraph(root, "tests", { target: "a.ts" });
      expect((data.result as { run: object[] }).run).toMatchObject([{ args }]);
    },
  );
});

const withFunction = (): string =>
  temporaryTree({ "a.ts": "/** Why. */\nexport function a() {}\na();" });

describe("the place of a symbol", () => {
  it("a code graph question accepts a file URL as the path of a symbol", async () => {
    const root = withFunction();
    const path = pathToFileURL(join(root, "a.ts")).href;
    const { data } = await askGraph(root, "source", { path, line: 2, column: 17 });
    expect(data.result).toMatchObject({ symbol: "a", path: "a.ts", firstLine: 1 });
    expect(data.meta.nextQuerySuggestion).toEqual([
      {
        tool: "graph_references",
        args: { symbol: "a.ts#a" },
        reason: "every place that names it",
      },
    ]);
  });

  it.each([
    ["path", { line: 2 }],
    ["line", { path: "a.ts" }],
  ])("a code graph question requires a %s if no symbol is given", async (missing, args) => {
    const { data } = await askGraph(withFunction(), "references", args);
    expect(data.result).toMatchObject({
      error: { code: "MISSING_PARAMS", details: { errors: [{ path: [missing] }] } },
    });
  });

  it.each(["C:\\a.ts", "C:/a.ts", "../a.ts", "/etc/passwd"])(
    "a code graph question rejects a path outside the root: %s",
    async (path) => {
      const { data } = await askGraph(withFunction(), "source", { path, line: 2 });
      expect(data.result).toMatchObject({ error: { code: "INVALID_INPUT" } });
    },
  );
});

describe("a package that no manifest lists", () => {
  it("graph_issue_fixplan plans to add an unlisted package to package.json", async () => {
    const root = temporaryTree({
      "package.json": '{ "name": "x", "dependencies": { "other": "1" } }',
      "a.ts": 'import pad from "left-pad";\npad();',
    });
    const { data } = await askGraph(root, "issues", { kind: "UNLISTED_DEPENDENCY" });
    const { issues } = data.result as { issues: { id: string }[] };
    const plan = await askGraph(root, "issue_fixplan", { issueIds: issues.map(({ id }) => id) });
    expect(JSON.stringify(plan.data.result)).toContain(JSON.stringify('"left-pad"').slice(1, -1));
    expect(JSON.stringify(plan.data.result)).toContain("package.json");
  });
});
