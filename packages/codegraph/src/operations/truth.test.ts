import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { TRUTH_TREES } from "../fixtures/truth-trees.ts";
import { openGraphTools } from "./index.ts";

interface Result {
  readonly references: readonly { path: string; line: number; column: number; kind?: string }[];
  readonly completeness: string;
}

describe.each(Object.entries(TRUTH_TREES))("%s", (_name, { files, uses, more = {}, open = [] }) => {
  it("every use is found, at the place of the name", async () => {
    const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
    onTestFinished(() => tools.close());
    for (const [symbol, places] of Object.entries(uses)) {
      const { data } = await tools.call("references", {
        symbol,
        includeDeclaration: false,
        limit: 100,
        maxTokens: 50_000,
      });
      const result = data.result as Result;
      const found = result.references
        .filter(({ kind }) => kind !== "register")
        .map(({ path, line, column }) => `${path}:${line}:${column}`);
      const expected = [...places, ...(more[symbol] ?? [])];
      expect({ symbol, uses: found.toSorted() }).toEqual({ symbol, uses: expected.toSorted() });
      const completeness = open.includes(symbol) ? "lower-bound" : "exact";
      expect({ symbol, completeness: result.completeness }).toEqual({ symbol, completeness });
    }
  });
});
