import { expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";

async function askSymbols(target: string): Promise<unknown> {
  const root = temporaryTree({
    "src/router.ts": "export class Router {}\n",
    "src/script.lua": "function greet() end\n",
    "src/LICENSE": "Free.\n",
  });
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const { data } = await tools.call("symbols", { target });
  return data.result;
}

it.each(["src/nope.ts", "nope.ts", "src/nope.lua", "nope.zig", "Nope.java"])(
  "graph_symbols returns NOT_FOUND for %s, which is not in the tree",
  async (target) => {
    expect(await askSymbols(target)).toMatchObject({ error: { code: "NOT_FOUND" } });
  },
);

it.each([
  ["src/script.lua", ".lua files are not parsed: the language is not supported"],
  ["src/LICENSE", "such files are not parsed: the language is not supported"],
])("graph_symbols says that the language of %s is not supported", async (target, reason) => {
  expect(await askSymbols(target)).toMatchObject({
    symbols: [],
    completeness: "lower-bound",
    why: [reason],
  });
});
