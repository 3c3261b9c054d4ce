import { describe, expect, it } from "vitest";
import { factsSurface } from "./facts/facts-view.ts";
import { hashOfText } from "./facts/hashes.ts";
import { surfaceChange } from "./facts/surface-change.ts";
import { renumberLinks } from "./link/file-links.ts";
import { readSymbols, linkTree } from "./testing/link-tree.ts";

const hashes = (...names: string[]): Set<number> => new Set(names.map(hashOfText));
const surface = (text: string): number => factsSurface(readSymbols("a.ts", text));

describe("the surface of a file", () => {
  const text =
    "export function f(a: A): B { return g(a); } class A { m() { return 1; } } class B {}";

  it.each([
    ["where things stand", `// a comment\n\n${text}`],
    ["what a body does", text.replace("return g(a)", "log(); return g(a)")],
  ])("the surface of a file stays the same when only %s changes", (_, changed) => {
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

describe("what others see of an edit", () => {
  const text = "export class A { m() { return 1; } }\nexport const b = 1;\nclass C {}";
  const change = (now: string) =>
    surfaceChange(readSymbols("a.ts", text), readSymbols("a.ts", now));

  it.each([
    ["nothing, of what bodies do", text.replace("return 1", "log(); return 1"), false, []],
    ["a name that came, where all else stays", `${text}\nexport function d() {}`, false, ["d"]],
    ["nothing, of what is not exported and stands behind", `${text}\nfunction d() {}`, false, []],
    ["a name that went", text.replace("export const", "const"), true, ["b"]],
    ["a name that means something else", text.replace("m()", "m(), n()"), true, ["A", "b"]],
    ["names that have other numbers", `export class D {}\n${text}`, true, ["A", "b", "D"]],
  ])("is %s", (_, now, isMoved, names) => {
    const seen = change(now.replace("m(), n()", "m() { return 2; } n()"));
    expect(seen.isMoved).toBe(isMoved);
    expect(new Set(seen.names)).toEqual(hashes(...names));
    expect(seen.hasOtherStars).toBe(false);
  });

  it("is also what is put into what was there, and what is passed on as a whole", () => {
    expect(change(`${text}\ninterface A { n(): void }`).isMoved).toBe(true);
    expect(change(`${text}\nexport * from "./other";`).hasOtherStars).toBe(true);
  });
});

describe("what links rest on", () => {
  it("is every file that was consulted, also for what others offer, and every name", () => {
    const { linked } = linkTree({
      "a.ts": 'import { make } from "./b"; make().open();',
      "b.ts":
        'import { Item } from "./c"; import { other } from "./d"; export const make = () => new Item(); other();',
      "c.ts": "export class Item { open() {} }",
      "d.ts": "export function other() {}",
    });
    expect(new Set(linked.dependsOn(0).files)).toEqual(new Set([1, 2]));
    expect(new Set(linked.dependsOn(0).names)).toEqual(hashes("make", "Item"));
    expect(new Set(linked.dependsOn(1).files)).toEqual(new Set([2]));
    expect(new Set(linked.dependsOn(1).names)).toEqual(hashes("Item", "other"));
    expect(linked.dependsOn(2)).toEqual({ files: new Uint32Array(), names: new Int32Array() });
  });

  it("is told to every file that asks, not only to the first", () => {
    const use = 'import { each } from "./b"; each((x) => x.open());';
    const { linked } = linkTree({
      "a.ts": use,
      "b.ts": 'import { Item } from "./c"; export function each(run: (x: Item) => void) {}',
      "c.ts": "export class Item { open() {} }",
      "d.ts": use,
    });
    expect(new Set(linked.dependsOn(0).files)).toEqual(new Set([1, 2]));
    expect(new Set(linked.dependsOn(3).files)).toEqual(new Set([1, 2]));
  });

  it("keeps its meaning when files get other numbers", () => {
    const { linked } = linkTree({
      "a.ts": 'import { f } from "./b"; f();',
      "b.ts": "export function f() {}",
    });
    const moved = renumberLinks(linked.links[0]!, Int32Array.of(1, 2));
    expect(moved?.uses.filter((_, place) => place % 9 === 1)).toEqual(Int32Array.of(2, 2));
    expect(renumberLinks(linked.links[0]!, Int32Array.of(0, -1))).toBeUndefined();
  });
});
