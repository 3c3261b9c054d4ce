import { describe, expect, it } from "vitest";
import { linkTree } from "./testing/link-tree.ts";

const callsIn = (text: string): string[] => linkTree({ "a.ts": text }).uses("call");

describe("scopes", () => {
  it("the code graph resolves calls of functions that are declared later", () => {
    expect(callsIn("f(); function f() { g(); } const g = () => f();")).toEqual([
      "a.ts# -> a.ts#f (exact, scope)",
      "a.ts#f -> a.ts#g (exact, scope)",
      "a.ts#g -> a.ts#f (exact, scope)",
    ]);
  });

  it.each([
    ["a parameter", "function g(f) { f(); }"],
    ["a destructured parameter", "const g = ({ a: [f] }) => f();"],
    ["a default parameter", "const g = (f = 1) => f();"],
    ["a caught error", "try {} catch (f) { f(); }"],
    ["a block's variable", "{ let f = 1; f(); }"],
    ["a loop's variable", "for (const f of []) f();"],
    ["a `var` in a block below", "function g() { f(); if (1) { for (;;) { var f = 1; } } }"],
    ["a variable declared below", "function g() { f(); const f = 1; }"],
  ])("the code graph does not resolve a name that is hidden by %s", (_, text) => {
    expect(callsIn(`function f() {} ${text}`).filter((use) => use.includes("a.ts#f ("))).toEqual(
      [],
    );
  });

  it("the code graph resolves an outer name after the end of a block that hid the name", () => {
    const text = "function f() {} function g() { { const f = 1; } f(); }";
    expect(callsIn(text)).toEqual(["a.ts#g -> a.ts#f (exact, scope)"]);
  });

  it("the code graph does not resolve a name outside the function that declares it", () => {
    const text = "function f() {} function g() { const h = () => 1; h(); } h(); f();";
    expect(callsIn(text)).toEqual([
      "a.ts# -> a.ts#f (exact, scope)",
      "a.ts#g -> a.ts#g.h (exact, scope)",
    ]);
  });

  it("the code graph resolves each name in a file of 3,000 functions", () => {
    const count = 3_000;
    const callee = (index: number): number => (index * 7 + 1) % count;
    const lines = Array.from(
      { length: count },
      (_, index) => `export function f${index}(a) { return f${callee(index)}(a) || a() }`,
    );
    const calls = callsIn([...lines, "a();"].join("\n"));
    const expected = lines.map(
      (_, index) => `a.ts#f${index} -> a.ts#f${callee(index)} (exact, scope)`,
    );
    expect(calls.toSorted()).toEqual(expected.toSorted());
  });

  it("the code graph distinguishes a type and a value of the same name", () => {
    const tree = linkTree({ "a.ts": "interface X { a: 1 } const X = 1; let x: X; use(X);" });
    expect(tree.uses("reference")).toHaveLength(2);
    expect(new Set(tree.uses("reference"))).toEqual(
      new Set(["a.ts#x -> a.ts#X (exact, scope)", "a.ts# -> a.ts#X (exact, scope)"]),
    );
  });

  it("the code graph records a reference, not a call, for a function that is used as a value", () => {
    const { uses } = linkTree({ "a.ts": "function f() {} const list = [f]; run(f);" });
    expect(uses("reference")).toEqual([
      "a.ts# -> a.ts#f (exact, scope)",
      "a.ts#list -> a.ts#f (exact, scope)",
    ]);
  });

  it("the code graph counts a JSX element as a call of its component", () => {
    const { uses } = linkTree({
      "a.tsx":
        'import * as ui from "./ui"; const App = () => <ui.Box on={f}><p/></ui.Box>; function f() {}',
      "ui.tsx": "export const Box = () => null;",
    });
    expect(uses("call")).toEqual(["a.tsx#App -> ui.tsx#Box (exact, scope)"]);
    expect(uses("reference")).toContain("a.tsx#App -> a.tsx#f (exact, scope)");
  });

  it("the code graph resolves names in expressions that nest deeper than the stack", () => {
    const sum = Array.from({ length: 20_000 }, () => "f()").join(" + ");
    expect(callsIn(`function f() {} const x = ${sum};`)).toHaveLength(20_000);
    const nested = `${"[".repeat(3000)}f()${"]".repeat(3000)}`;
    expect(() => callsIn(`function f() {} const x = ${nested};`)).not.toThrow();
  });
});
