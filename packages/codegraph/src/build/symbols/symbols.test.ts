import { describe, expect, it } from "vitest";
import { linkTree } from "./testing/link-tree.ts";

function symbolNames(text: string): string[] {
  const { symbols } = linkTree({ "a.ts": text });
  return [...symbols.inFile(0)].slice(1).map((symbol) => {
    const parent = symbols.parent(symbol);
    const owner =
      parent === undefined || symbols.kind(parent) === "module" ? "" : `${symbols.name(parent)}.`;
    return `${symbols.exported(symbol) ? "export " : ""}${symbols.kind(symbol)} ${owner}${symbols.name(symbol)}`;
  });
}

describe("symbols of a file", () => {
  it("the code graph lists functions, classes and their members, types, enums, variables and namespaces", () => {
    const text = `
      export class A<T> extends B implements C {
        static count = 0;
        #secret: string;
        constructor(private readonly name: string, plain: number) { super(); }
        get size() { return 1; }
        set size(value) {}
        run = () => 1;
        async go(): Promise<void> {}
      }
      export interface C { field: string; method(): void; readonly f: () => void }
      export type D = { part: string };
      enum E { One, Two = "two" }
      namespace N { export function inner() {} }
      export const f = () => 1, { g, h: [i] } = f();
      let j;
      export default function () {}
    `;
    expect(symbolNames(text)).toEqual([
      "export class A",
      "property A.count",
      "property A.#secret",
      "constructor A.constructor",
      "property A.name",
      "accessor A.size",
      "method A.run",
      "method A.go",
      "export interface C",
      "property C.field",
      "method C.method",
      "property C.f",
      "export type D",
      "property D.part",
      "enum E",
      "enumMember E.One",
      "enumMember E.Two",
      "namespace N",
      "function N.inner",
      "export function f",
      "export constant g",
      "export constant i",
      "variable j",
      "export function default",
    ]);
  });

  it("the code graph lists a local name of a function only if the name is, or contains, a function or a class", () => {
    const text =
      "function f() { const a = 1; const b = () => a; function c() {} class D {} const e = { g() {} }; }";
    expect(symbolNames(text)).toEqual([
      "function f",
      "function f.b",
      "function f.c",
      "class f.D",
      "constant f.e",
      "method e.g",
    ]);
  });

  it("the code graph lists overloads and getter/setter pairs as one symbol", () => {
    const text = `
      export function f(a: string): void;
      export function f(a: number): void;
      export function f(a: unknown) {}
      class A { m(): void; m(a?: string) {} get x() { return 1 } set x(v) {} }
    `;
    expect(symbolNames(text)).toEqual([
      "export function f",
      "class A",
      "method A.m",
      "accessor A.x",
    ]);
  });

  it("the code graph gives a symbol its range and its declaration without the body", () => {
    const text =
      "export\n  async function f(\n    a: string,\n  ): Promise<void> {\n  return;\n}\n";
    const { symbols } = linkTree({ "a.ts": text });
    const [, f] = symbols.inFile(0);
    expect(symbols.range(f!)).toEqual({ line: 2, column: 3, endLine: 6, endColumn: 2 });
    expect(symbols.detail(f!)).toBe("async function f( a: string, ): Promise<void>");
  });

  it("the code graph starts a symbol after its decorators and cuts its declaration to 160 characters", () => {
    const text = `class A {\n  @dec()\n  m(${"a: string, ".repeat(40)}) {}\n}`;
    const { symbols } = linkTree({ "a.ts": text });
    const [, , m] = symbols.inFile(0);
    expect(symbols.range(m!)).toMatchObject({ line: 3, column: 3 });
    expect(symbols.detail(m!)).toHaveLength(160);
  });

  it("the code graph adds a module symbol for an empty file", () => {
    const { symbols } = linkTree({ "dir/a.ts": "" });
    expect([...symbols.inFile(0)].map((symbol) => symbols.name(symbol))).toEqual(["a.ts"]);
  });
});
