import { describe, expect, it, onTestFinished } from "vitest";
import { openCodeGraph } from "../build/index.ts";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { TRUTH_TREES } from "../fixtures/truth-trees.ts";
import { openGraphTools } from "./index.ts";

interface Result {
  readonly references: readonly { path: string; line: number; column: number; kind?: string }[];
  readonly completeness: string;
}

describe.each(Object.entries(TRUTH_TREES))("%s", (_name, tree) => {
  const { files, uses, more = {}, open = [], edges } = tree;
  it.runIf(edges)(
    "the code graph resolves every import as the language's own tools do",
    async () => {
      const opened = await openCodeGraph({ root: temporaryTree(files), cache: false });
      onTestFinished(() => opened.close());
      const { imports, files: known } = opened.graph;
      const found = Array.from({ length: imports.count }, (_, edge) => {
        return `${known.path(imports.from(edge))} -> ${known.path(imports.to(edge))}`;
      });
      expect(found.toSorted()).toEqual(edges);
    },
  );

  it.runIf(tree.renames)(
    "graph_rename changes the places that the language's own tools change",
    async () => {
      const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
      onTestFinished(() => tools.close());
      for (const [symbol, places] of Object.entries(tree.renames ?? {})) {
        const { data } = await tools.call("rename", { symbol, to: "renamed", maxTokens: 50_000 });
        const { edits } = data.result as { edits: Result["references"] };
        expect(edits.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual(places);
      }
    },
  );

  it("the code graph finds every reference that the language's own tools find", async () => {
    const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
    onTestFinished(() => tools.close());
    for (const symbol of new Set([...Object.keys(uses), ...open])) {
      const places = uses[symbol];
      const { data } = await tools.call("references", {
        symbol,
        includeDeclaration: false,
        limit: 500,
        maxTokens: 200_000,
      });
      const result = data.result as Result;
      const found = result.references
        .filter(({ kind }) => kind !== "register")
        .map(({ path, line, column }) => `${path}:${line}:${column}`);
      // The fixture may omit the uses of a symbol whose answer may be incomplete.
      const expected = places ? [...places, ...(more[symbol] ?? [])] : found;
      expect({ symbol, uses: found.toSorted() }).toEqual({ symbol, uses: expected.toSorted() });
      const completeness = open.includes(symbol) ? "lower-bound" : "exact";
      expect({ symbol, completeness: result.completeness }).toEqual({ symbol, completeness });
    }
  });
});
