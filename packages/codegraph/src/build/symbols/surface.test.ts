import { describe, expect, it } from "vitest";
import { surfaceOfFacts } from "./facts/facts-view.ts";
import { renumberLinks } from "./link/file-links.ts";
import { factsOf, linkTree } from "./testing/link-tree.ts";

const surface = (text: string): number => surfaceOfFacts(factsOf("a.ts", text));

describe("the surface of a file", () => {
  const text =
    "export function f(a: A): B { return g(a); } class A { m() { return 1; } } class B {}";

  it.each([
    ["where things stand", `// a comment\n\n${text}`],
    ["what a body does", text.replace("return g(a)", "log(); return g(a)")],
  ])("stays the same when only %s changes", (_, changed) => {
    expect(surface(changed)).toBe(surface(text));
  });

  it.each([
    ["a name", text.replace("function f", "function h")],
    ["a type", text.replace(": B", ": A")],
    ["a member", text.replace("m()", "n()")],
    ["what is exported", text.replace("export ", "")],
    ["a symbol's place among the others", text.replace("class B {}", "class C {} class B {}")],
    ["a type that is inferred", text.replace("return 1", "return new B()")],
  ])("changes with %s", (_, changed) => {
    expect(surface(changed)).not.toBe(surface(text));
  });

  it("tells type parameters and their constraints apart", () => {
    const texts = [
      "export declare function f<A, B>(x: A): B;",
      "export declare function f<A, B>(x: B): A;",
      "export declare function f<A extends string, B>(x: A): B;",
    ];
    expect(new Set(texts.map(surface)).size).toBe(3);
  });
});

describe("what links rest on", () => {
  it("is every file that was consulted, also for what others offer", () => {
    const { linked } = linkTree({
      "a.ts": 'import { make } from "./b"; make().open();',
      "b.ts":
        'import { Item } from "./c"; import { other } from "./d"; export const make = () => new Item(); other();',
      "c.ts": "export class Item { open() {} }",
      "d.ts": "export function other() {}",
    });
    expect(linked.dependsOn(0)).toEqual(new Set([1, 2]));
    expect(linked.dependsOn(1)).toEqual(new Set([2, 3]));
    expect(linked.dependsOn(2)).toEqual(new Set());
  });

  it("is told to every file that asks, not only to the first", () => {
    const use = 'import { each } from "./b"; each((x) => x.open());';
    const { linked } = linkTree({
      "a.ts": use,
      "b.ts": 'import { Item } from "./c"; export function each(run: (x: Item) => void) {}',
      "c.ts": "export class Item { open() {} }",
      "d.ts": use,
    });
    expect(linked.dependsOn(0)).toEqual(new Set([1, 2]));
    expect(linked.dependsOn(3)).toEqual(new Set([1, 2]));
  });

  it("keeps its meaning when files get other numbers", () => {
    const { linked } = linkTree({
      "a.ts": 'import { f } from "./b"; f();',
      "b.ts": "export function f() {}",
    });
    const moved = renumberLinks(linked.links[0]!, Int32Array.of(1, 2));
    expect(moved?.uses.filter((_, place) => place % 9 === 1)).toEqual(Int32Array.of(2));
    expect(renumberLinks(linked.links[0]!, Int32Array.of(0, -1))).toBeUndefined();
  });
});
