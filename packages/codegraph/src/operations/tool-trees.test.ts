import { expect, it, onTestFinished } from "vitest";
import { openCodeGraph } from "../build/index.ts";
import { git, graphEdges, temporaryTree } from "../build/testing/temporary-tree.ts";
import {
  BUNDLED_TREE,
  CALLS_TREE,
  CHAIN_TREE,
  JEST_TESTS,
  JEST_TREE,
  MIXED_TREE,
  PARTIAL_TREE,
  REACHED_TREE,
  WITH_CALLS,
} from "../fixtures/tool-trees.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

function open(files: Readonly<Record<string, string>>): GraphTools {
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return tools;
}

it("the code graph makes no edge and no gap for a call of a require function that the file declares", async () => {
  const opened = await openCodeGraph({ root: temporaryTree(BUNDLED_TREE), cache: false });
  onTestFinished(() => opened.close());
  expect(graphEdges(opened.graph)).toEqual(["own.js -require-> real.js"]);
  expect(opened.graph.gaps.count).toBe(0);
});

it("the code graph lists the tests that find a file by Jest's module paths and name mapper", async () => {
  const tools = open(JEST_TREE);
  const { data } = await tools.call("tests", { target: "lib/my-utils.js" });
  expect((data.result as { tests: string[] }).tests.toSorted()).toEqual(JEST_TESTS);
});

it("the code graph lists every affected test of a file, on all pages of the list", async () => {
  const tools = open(REACHED_TREE);
  const names = Object.keys(REACHED_TREE).filter((path) => path.startsWith("test/t"));
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await tools.call("impact", {
      target: "src/a.ts",
      include: ["affectedTests"],
      limit: 50,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(...(page.data.result as { affectedTests: string[] }).affectedTests);
    cursor = "page" in page.data.meta ? page.data.meta.page?.cursor : undefined;
  } while (cursor !== undefined);
  expect(found.toSorted()).toEqual(names.toSorted());
});

it("the code graph suggests a call hierarchy only for symbols that can be called", async () => {
  const tools = open(CALLS_TREE);
  for (const [name, isExpected] of Object.entries(WITH_CALLS)) {
    const { data } = await tools.call("references", { symbol: `a.ts#${name}` });
    const next = "nextQuerySuggestion" in data.meta ? data.meta.nextQuerySuggestion : [];
    const isSuggested = JSON.stringify(next).includes("call_hierarchy");
    expect({ name, isSuggested }).toEqual({ name, isSuggested: isExpected });
  }
});

it("the code graph does not compare Python imports with a package.json", async () => {
  const tools = open(MIXED_TREE);
  const { data } = await tools.call("issues", { kind: "UNLISTED_DEPENDENCY" });
  expect(JSON.stringify(data.result)).not.toContain("asgiref");
});

it("the code graph counts every dependent file of a long chain once", async () => {
  const tools = open(CHAIN_TREE);
  const { data: last } = await tools.call("impact", { target: "f19.ts" });
  expect(last.result).toMatchObject({
    riskAssessment: { level: "low", reason: "nothing depends on it", factors: [] },
  });
  const { data } = await tools.call("impact", { target: "f0.ts" });
  const { riskAssessment, transitiveImpact } = data.result as {
    riskAssessment: { factors: string[] };
    transitiveImpact: Record<string, number>;
  };
  expect(riskAssessment.factors).toContain("19 affected files");
  expect(Object.values(transitiveImpact).reduce((sum, count) => sum + count)).toBe(19);
});

it("the code graph counts the files that a sparse checkout leaves out", async () => {
  const root = temporaryTree(PARTIAL_TREE);
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "commit", "-qm", "one");
  git(root, "sparse-checkout", "set", "src");
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const { data } = await tools.call("impact", { target: "src/a.ts" });
  expect(data.result).toMatchObject({
    completeness: "lower-bound",
    why: ["a sparse checkout leaves out 2 files"],
  });
});
