import { describe, expect, it } from "vitest";
import { factsSurface } from "./facts/facts-view.ts";
import { hashOfText } from "./facts/hashes.ts";
import { surfaceChange } from "./facts/surface-change.ts";
import { renumberLinks } from "./link/file-links.ts";
import { readSymbols, linkTree } from "./testing/link-tree.ts";

const hashes = (...names: string[]): Set<number> => new Set(names.map(hashOfText));
const surface = (text: string): number => factsSurface(readSymbols("a.ts", text));

describe("surface of a file: what other files see of it", () => {
  const text =
    "export function f(a: A): B { return g(a); } class A { m() { return 1; } } class B {}";

  it.each([
    ["the position of code", `// a comment\n\n${text}`],
    ["the body of a function", text.replace("return g(a)", "log(); return g(a)")],
  ])("the exported surface of a file is unchanged when only %s changes", (_, changed) => {
    expect(surface(changed)).toBe(surface(text));
  });

  it.each([
    ["a name", text.replace("function f", "function h")],
    ["a type", text.replace(": B", ": A")],
    ["a member", text.replace("m()", "n()")],
    ["the export of a name", text.replace("export ", "")],
    ["the order of symbols", text.replace("class B {}", "class C {} class B {}")],
    ["an inferred type", text.replace("return 1", "return new B()")],
  ])("the exported surface of a file is different when %s changes", (_, changed) => {
    expect(surface(changed)).not.toBe(surface(text));
  });

  it("the exported surface of a file is different for different type parameters and constraints", () => {
    const texts = [
      "export declare function f<A, B>(x: A): B;",
      "export declare function f<A, B>(x: B): A;",
      "export declare function f<A extends string, B>(x: A): B;",
    ];
    expect(new Set(texts.map(surface)).size).toBe(3);
  });
});

describe("change of what other files see of a file", () => {
  const text = "export class A { m() { return 1; } }\nexport const b = 1;\nclass C {}";
  const change = (now: string) =>
    surfaceChange(readSymbols("a.ts", text), readSymbols("a.ts", now));

  it.each([
    ["only a body changes", text.replace("return 1", "log(); return 1"), false, []],
    ["an export is added at the end", `${text}\nexport function d() {}`, false, ["d"]],
    ["a local function is added at the end", `${text}\nfunction d() {}`, false, []],
    ["an export becomes local", text.replace("export const", "const"), true, ["b"]],
    ["a member is added", text.replace("m()", "m(), n()"), true, ["A", "b"]],
    ["an export is added at the start", `export class D {}\n${text}`, true, ["A", "b", "D"]],
  ])(
    "the code graph knows which exported names changed for other files when %s",
    (_, now, isMoved, names) => {
      const seen = change(now.replace("m(), n()", "m() { return 2; } n()"));
      expect(seen.isMoved).toBe(isMoved);
      expect(new Set(seen.names)).toEqual(hashes(...names));
      expect(seen.hasOtherStars).toBe(false);
    },
  );

  it("the code graph links other files again after an interface is merged or a star export is added", () => {
    expect(change(`${text}\ninterface A { n(): void }`).isMoved).toBe(true);
    expect(change(`${text}\nexport * from "./other";`).hasOtherStars).toBe(true);
  });
});

describe("dependencies of links", () => {
  it("the code graph records every file and name that was needed to link a file", () => {
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

  it("the code graph records the dependencies for every file that uses a shared type, not only for the first", () => {
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

  it("renumbered files keep their recorded links to each other, and links to a deleted file are dropped", () => {
    const { linked } = linkTree({
      "a.ts": 'import { f } from "./b"; f();',
      "b.ts": "export function f() {}",
    });
    const moved = renumberLinks(linked.links[0]!, Int32Array.of(1, 2));
    expect(moved?.uses.filter((_, place) => place % 9 === 1)).toEqual(Int32Array.of(2, 2));
    expect(renumberLinks(linked.links[0]!, Int32Array.of(0, -1))).toBeUndefined();
  });
});
