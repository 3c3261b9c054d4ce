import { expect, it } from "vitest";
import { withTree } from "./grammars.ts";

it("reads two languages whose first files are met at the same time", async () => {
  const [go, python] = await Promise.all([
    withTree("go", "package a\nfunc f() {}\n", ({ type, hasError }) => [type, hasError]),
    withTree("python", "def f(): pass\n", ({ type, hasError }) => [type, hasError]),
  ]);
  expect(go).toEqual(["source_file", false]);
  expect(python).toEqual(["module", false]);
});
