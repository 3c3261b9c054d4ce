import { expect, it } from "vitest";
import { withTree } from "./grammars.ts";

// This test has its own file, because it tests the first use of a grammar in a process.
it("two grammars are loaded at one time without being mixed up", async () => {
  const kinds = await Promise.all([
    withTree("python", "def f():\n    pass\n", (root) => root.namedChildren[0]?.type),
    withTree("go", "package p\n\nfunc f() {}\n", (root) => root.namedChildren[1]?.type),
    withTree("python", "class A:\n    pass\n", (root) => root.namedChildren[0]?.type),
  ]);
  expect(kinds).toEqual(["function_definition", "function_declaration", "class_definition"]);
});
