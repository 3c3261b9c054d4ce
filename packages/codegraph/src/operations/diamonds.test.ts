import { expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { DIAMONDS } from "../fixtures/diamonds.ts";
import { openGraphTools } from "./index.ts";

// Each of these answers would take practically forever, or fail, if every way were followed.
it.each(Object.entries(DIAMONDS))(
  "the code graph answers about a diamond of %s, through which very many paths lead",
  async (_name, diamond) => {
    const { files, symbol, uses, isOpen = false } = diamond;
    const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 600_000 });
    onTestFinished(() => tools.close());
    const { data } = await tools.call("references", { symbol, includeDeclaration: false });
    const { references, completeness } = data.result as {
      references: readonly { path: string; line: number; kind?: string }[];
      completeness: string;
    };
    const calls = references.filter(({ kind }) => kind !== "import");
    const lines = calls.map(({ path, line }) => files[path]!.split("\n")[line - 1]!.trim());
    expect({ lines, completeness }).toEqual({
      lines: uses,
      completeness: isOpen ? "lower-bound" : "exact",
    });
  },
);
