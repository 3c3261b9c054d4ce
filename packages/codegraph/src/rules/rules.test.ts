import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCodeGraph } from "../build/index.ts";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { tinyGraph } from "../fixtures/tiny-graph.ts";
import { RULES_FILE } from "../settings/index.ts";
import { checkRules, loadRules, parseRules, suggestRules } from "./index.ts";

describe("rules file", () => {
  it("the layer rules are empty without a rules file", async () => {
    expect(await loadRules(temporaryTree({}))).toEqual({});
  });

  it.each([
    ["{", "is not JSON"],
    ['{"forbiden": []}', "cannot be used"],
    ['{"forbidden": [{"from": {}}]}', "cannot be used"],
    ['{"forbidden": [{"name": "r", "from": {"path": "src/{a"}}]}', "without its }"],
  ])("a rules file with %s is rejected, and the error explains why", async (text, message) => {
    const root = temporaryTree({});
    mkdirSync(dirname(join(root, RULES_FILE)), { recursive: true });
    writeFileSync(join(root, RULES_FILE), text);
    await expect(loadRules(root)).rejects.toThrow(message);
  });
});

describe("violations", () => {
  const graph = tinyGraph({
    "ui/a.ts": { imports: [{ to: "db/b.ts", line: 12 }] },
    "db/b.ts": {},
  });

  it("graph_layers lists violations with place and severity, worst first", async () => {
    const rules = await parseRules(
      {
        forbidden: [
          { name: "mild", severity: "info", from: { path: "ui" }, to: { path: "db" } },
          { name: "hard", severity: "error", comment: "no", from: { path: "ui" }, to: {} },
        ],
      },
      "rules",
    );
    expect(checkRules(graph, rules)).toEqual([
      {
        rule: "hard",
        severity: "error",
        sourceFile: "ui/a.ts",
        targetFile: "db/b.ts",
        description: "no",
        line: 12,
      },
      expect.objectContaining({ rule: "mild", description: "ui/a.ts must not depend on db/b.ts" }),
    ]);
    expect(checkRules(graph, rules)).toBe(checkRules(graph, rules));
  });
});

describe("packages in rules", () => {
  it("graph_layers reports a package that is neither listed nor installed as unresolved", async () => {
    const root = temporaryTree({
      "package.json": '{ "dependencies": { "listed": "1" } }',
      "node_modules/there/package.json": '{ "name": "there" }',
      "a.ts": "import 'listed';\nimport 'there';\nimport 'lost';\n",
    });
    const { graph } = await openCodeGraph({ root, cache: false });
    const rules = { forbidden: [{ name: "r", to: { couldNotResolve: true } }] };
    expect(checkRules(graph, rules, root)).toMatchObject([{ targetFile: "node_modules/lost" }]);
  });

  it("graph_layers calls a package npm-unknown where there is no package.json", async () => {
    const root = temporaryTree({ "a.ts": "import 'x';\n" });
    const { graph } = await openCodeGraph({ root, cache: false });
    const rules = { forbidden: [{ name: "r", to: { dependencyTypes: ["npm-unknown"] } }] } as const;
    expect(checkRules(graph, rules, root)).toMatchObject([{ targetFile: "node_modules/x" }]);
  });
});

it("a line with both require and a require function of the rules file breaks the rules for both functions", async () => {
  const root = temporaryTree({
    "a.js": "typeof require === 'function' ? require('./b.js') : need('./b.js');\n",
    "b.js": "",
    [RULES_FILE]: '{ "exoticRequireStrings": ["need"] }',
  });
  const { graph } = await openCodeGraph({ root, cache: false });
  const to = [{ exoticallyRequired: true }, { exoticallyRequired: false }] as const;
  const forbidden = to.map((part, at) => ({ name: `r${at}`, to: part }));
  expect(checkRules(graph, { forbidden }).map(({ rule }) => rule)).toEqual(["r0", "r1"]);
});

it("graph_layers suggests only layer rules that the graph already follows", () => {
  const graph = tinyGraph({
    "src/ui/a.ts": { imports: ["src/db/a.ts", "src/db/b.ts"] },
    "src/ui/b.ts": { imports: ["src/db/a.ts"] },
    "src/db/a.ts": {},
    "src/db/b.ts": { imports: ["src/db/a.ts"] },
  });
  const suggested = suggestRules(graph);
  expect(suggested.map(({ rule }) => rule.name)).toEqual(["no-circular", "src-db-not-to-src-ui"]);
  expect(checkRules(graph, { forbidden: suggested.map(({ rule }) => rule) })).toEqual([]);
});
