import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { tinyGraph } from "../fixtures/tiny-graph.ts";
import { RULES_FILE } from "../settings/index.ts";
import { checkRules, loadRules, parseRules, suggestRules } from "./index.ts";

describe("the file of rules", () => {
  it("is not needed", async () => {
    expect(await loadRules(temporaryTree({}))).toEqual({});
  });

  it.each([
    ["{", "is not JSON"],
    ['{"forbiden": []}', "cannot be used"],
    ['{"forbidden": [{"from": {}}]}', "cannot be used"],
    ['{"forbidden": [{"name": "r", "from": {"path": "src/{a"}}]}', "without its }"],
  ])("that says %s is refused with a sentence", async (text, message) => {
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

  it("say where, and how bad, worst first", async () => {
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

it("suggestions hold in the graph they are drawn from", () => {
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
