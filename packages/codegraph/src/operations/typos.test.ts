import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { GRAPH_TOOLS } from "../query/index.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

const FILES = {
  "package.json": JSON.stringify({ name: "x", dependencies: { lodash: "4.0.0" } }),
  "src/ui/view.ts": 'import "../db/store.ts";\nimport "lodash";\nimport "./gone.ts";\n',
  "src/db/store.ts": "export const store = 1;\n",
};

function open(): GraphTools {
  const tools = openGraphTools({ root: temporaryTree(FILES), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return tools;
}

/** The required inputs of each tool. */
const NEEDED: Readonly<Record<string, object>> = {
  path: { from: "src/ui/view.ts", to: "src/db/store.ts" },
  module: { target: "src/ui/view.ts" },
  impact: { target: "src/ui/view.ts" },
  annotations: { action: "list" },
  layers: { action: "check" },
  search: { query: "view" },
  symbols: { target: "store" },
  references: { symbol: "store" },
  definition: { symbol: "store" },
  call_hierarchy: { symbol: "store" },
  source: { symbol: "store" },
  rename: { symbol: "store", to: "other" },
  rename_apply: { symbol: "store", to: "other" },
  issue_explain: { issueId: "UI-1" },
  issue_fixplan: { issueIds: ["UI-1"] },
};

/**
 * The `changes` tool is left out, because it may be asked about deleted files; see changes.test.ts.
 */
const ABOUT_TODAY = GRAPH_TOOLS.filter((tool) => tool !== "changes");

describe("scope without files", () => {
  it.each(ABOUT_TODAY)(
    "the code graph question %s returns NOT_FOUND with a suggestion for a misspelled scope",
    async (tool) => {
      const { data } = await open().call(tool, { ...NEEDED[tool], scope: "src/iu" });
      expect(data.result).toMatchObject({
        error: {
          code: "NOT_FOUND",
          message: 'No file matches "src/iu"; did you mean src/ui?',
          details: { did_you_mean: expect.arrayContaining(["src/ui"]) as unknown },
        },
      });
    },
  );
});

async function check(rules: object): Promise<object> {
  return Object((await open().call("layers", { action: "check", rules })).data.result) as object;
}

describe("rules with misspelled paths", () => {
  it("graph_layers lists the rule patterns that match no file", async () => {
    const result = await check({
      forbidden: [
        { name: "a", from: { path: ["src/ui", "src/iu"] }, to: { path: "src/bd/**" } },
        { name: "b", module: { path: "lib", numberOfDependentsLessThan: 1 } },
      ],
      allowed: [{ from: { path: "src/.*" }, to: {} }],
      required: [{ name: "c", module: { path: "src/*.tsx" }, to: { path: "scr/db" } }],
    });
    expect(result).toMatchObject({
      unmatched: [
        { rule: "a", part: "from", pattern: "src/iu" },
        { rule: "a", part: "to", pattern: "src/bd/**" },
        { rule: "b", part: "module", pattern: "lib" },
        { rule: "allowed[0]", part: "from", pattern: "src/.*" },
        { rule: "c", part: "module", pattern: "src/*.tsx" },
        { rule: "c", part: "to", pattern: "scr/db" },
      ],
    });
  });

  it("graph_layers does not list patterns for packages, unresolved imports, captures, folders and exceptions as unmatched", async () => {
    const to = [
      "node_modules/left-pad",
      "left-pad",
      "fs/promises",
      "./gone.ts",
      "example.com/module",
      "@app/old",
      "**/internal/**",
    ];
    const result = await check({
      forbidden: [
        { name: "a", from: { path: "src", pathNot: "src/gone" }, to: { path: to } },
        { name: "b", from: { path: "src/(*)/**" }, to: { path: "src/$1/private" } },
        { name: "c", scope: "folder", from: { path: "src/*" }, to: { circular: true } },
      ],
    });
    expect(result).not.toHaveProperty("unmatched");
  });

  it("graph_layers lists at most 10 unmatched patterns with their total", async () => {
    const path = Array.from({ length: 40 }, (_, at) => `gone/${at}`);
    const result = await check({ forbidden: [{ name: "a", from: { path } }] });
    expect(result).toMatchObject({ unmatchedTotal: 40 });
    expect(Reflect.get(result, "unmatched")).toHaveLength(10);
  });

  it.each([
    { from: { path: "^src/ui" } },
    { to: { path: ["src/db", "store\\.ts$"] } },
    { to: { pathNot: "^src" } },
    { to: { circular: true, via: "^src" } },
  ])("graph_layers rejects a rule path that looks like a regular expression: %j", async (rule) => {
    expect(await check({ forbidden: [{ name: "a", ...rule }] })).toMatchObject({
      error: {
        code: "INVALID_INPUT",
        message: expect.stringContaining("looks like a regular expression") as unknown,
        details: { hint: expect.stringContaining("Paths are prefixes or globs") as unknown },
      },
    });
  });

  it("the code graph accepts a folder and a function whose names contain $", async () => {
    const rules = {
      exoticRequireStrings: ["$"],
      forbidden: [{ name: "a", from: { path: "src/$" }, to: { exoticRequire: "load$" } }],
    };
    const { data } = await open().call("layers", { action: "check", rules });
    expect(JSON.stringify(data.result)).not.toContain("regular expression");
  });
});
