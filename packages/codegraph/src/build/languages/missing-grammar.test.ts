import { expect, it, onTestFinished, vi } from "vitest";
import { openGraphTools } from "../../operations/index.ts";
import { temporaryTree } from "../testing/temporary-tree.ts";

const GRAMMAR = "@lumis-sh/wasm-kotlin";

// The grammar is installed here, so the lookup of its package has to fail.
vi.mock("node:module", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:module")>();
  const createRequire = (from: string | URL): NodeJS.Require => {
    const require = original.createRequire(from);
    const resolve = (name: string): string => {
      if (name.startsWith(GRAMMAR)) throw new Error(`Cannot find module '${name}'`);
      return require.resolve(name);
    };
    return Object.assign((name: string): unknown => require(name), require, { resolve });
  };
  return { ...(original as object), createRequire };
});

it("the code graph finds only words in a Kotlin file if the Kotlin grammar is not installed", async () => {
  const files = { "a.kt": "class Store { fun save() {} }\n" };
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const { data } = await tools.call("symbols", { target: "a.kt" });
  expect(data.result).toMatchObject({
    symbols: [],
    completeness: "lower-bound",
    why: [expect.stringContaining(GRAMMAR)],
  });
});
