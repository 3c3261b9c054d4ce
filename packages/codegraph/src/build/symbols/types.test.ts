import { describe, expect, it } from "vitest";
import { linkTree } from "./testing/link-tree.ts";

const SERVICE = `
  export class Base<T> { value: T; save(): this { return this; } static make() { return new Base<string>(); } }
  export class Service extends Base<Item> { constructor(readonly item: Item) { super(); } find(): Promise<Item> { return null!; } }
  export class Item { open() {} parts: Part[] }
  export class Part { fit() {} }
  export interface Reader { read(): Item }
  export type Both = Reader & { extra(): Item };
  export const table: Map<string, Item> = new Map();
  export function isItem(x: unknown): x is Item { return true; }
  export function wrap<T>(type: new () => T): T { return new type(); }
  export function each(run: (item: Item, index: number) => void) {}
  export const options = { first: { go() {} }, item: new Item() };
`;

function targets(text: string): string[] {
  const names = "Base, Service, Item, Part, Reader, Both, table, isItem, wrap, each, options";
  const tree = linkTree({ "a.ts": `import { ${names} } from "./s"; ${text}`, "s.ts": SERVICE });
  return tree.uses("call").flatMap((use) => {
    const found = /-> s\.ts#(\S+) \((.*)\)/.exec(use);
    return use.startsWith("a.ts") && found ? [`${found[1]!} ${found[2]!}`] : [];
  });
}

describe("calls of members", () => {
  it.each([
    ["an annotation", "function f(x: Item) { x.open(); }", ["Item.open declared, type"]],
    ["`new`", "const x = new Item(); x.open();", ["Item exact, scope", "Item.open declared, type"]],
    ["a field", "class A { x: Item; f() { this.x.open(); } }", ["Item.open declared, type"]],
    [
      "a parameter property",
      "class A { constructor(private s: Item) {} f() { this.s.open(); } }",
      ["Item.open declared, type"],
    ],
    [
      "a promise that is awaited",
      "async function f(s: Service) { (await s.find()).open(); }",
      ["Service.find declared, type", "Item.open declared, type"],
    ],
    [
      "a return type",
      "function f(): Item { return null!; } f().open();",
      ["Item.open declared, type"],
    ],
    [
      "a tuple element beside an alias that contains itself twice",
      "type Wide<T> = Wide<[T]> | Wide<T[]> | Item; function f(x: [Wide<string>, Part]) { x[1].fit(); }",
      ["Part.fit declared, type"],
    ],
    [
      "the default of a type parameter that depends on another one",
      "function f<T, R = T>(x: T): R { return null!; } f(new Item()).open();",
      ["Item exact, scope", "Item.open declared, type"],
    ],
    [
      "an inferred return type",
      "const f = () => new Item(); f().open();",
      ["Item exact, scope", "Item.open declared, type"],
    ],
    ["inheritance", "function f(s: Service) { s.save(); }", ["Base.save declared, inheritance"]],
    [
      "`this` as a return type",
      "function f(s: Service) { s.save().find(); }",
      ["Base.save declared, inheritance", "Service.find declared, type"],
    ],
    [
      "a type argument of the base class",
      "function f(s: Service) { s.value.open(); }",
      ["Item.open declared, type"],
    ],
    [
      "an array element",
      "function f(i: Item) { i.parts[0].fit(); for (const p of i.parts) p.fit(); }",
      ["Part.fit declared, type", "Part.fit declared, type"],
    ],
    [
      "destructuring",
      "function f({ item }: Service) { item.open(); const { parts: [p] } = item; p.fit(); }",
      ["Item.open declared, type", "Part.fit declared, type"],
    ],
    [
      "an interface",
      "function f(r: Reader) { r.read().open(); }",
      ["Reader.read declared, type", "Item.open declared, type"],
    ],
    [
      "an intersection",
      "function f(b: Both) { b.read(); b.extra(); }",
      ["Reader.read declared, type", "Both.extra declared, type"],
    ],
    [
      "`typeof`",
      "const x = new Item(); function f(y: typeof x) { y.open(); }",
      ["Item exact, scope", "Item.open declared, type"],
    ],
    ["a cast", "(whatever as Item).open();", ["Item.open declared, type"]],
    [
      "an optional chain",
      "function f(x?: Item) { x?.open(); x!.open(); }",
      ["Item.open declared, type", "Item.open declared, type"],
    ],
    [
      "a static member",
      "Base.make().save();",
      ["Base.make declared, type", "Base.save declared, type"],
    ],
    [
      "the language's own types",
      "table.get('a')!.open(); [...table.values()].map((x) => x.open());",
      ["Item.open declared, type", "Item.open declared, type"],
    ],
    [
      "an inferred type argument",
      "wrap(Item).open();",
      ["wrap exact, scope", "Item.open declared, type"],
    ],
    [
      "the parameter of a callback",
      "each((x) => x.open());",
      ["each exact, scope", "Item.open declared, type"],
    ],
    [
      "an object's members",
      "options.first.go(); options.item.open();",
      ["options.go declared, type", "Item.open declared, type"],
    ],
    [
      "a type guard",
      "function f(x: unknown) { if (isItem(x)) x.open(); }",
      ["isItem exact, scope", "Item.open declared, type"],
    ],
    [
      "`instanceof`",
      "function f(x: unknown) { if (!(x instanceof Item)) return; x.open(); }",
      ["Item.open declared, type"],
    ],
    [
      "`super`",
      "class A extends Item { open() { super.open(); } constructor() { super(); } }",
      ["Item.open declared, type", "Item exact, scope"],
    ],
    ["a union", "function f(x: Item | Part | null) { x.open(); }", ["Item.open declared, type"]],
    [
      "an indexed type",
      "function f(x: Service['item']) { x.open(); }",
      ["Item.open declared, type"],
    ],
    [
      "ReturnType and InstanceType",
      "function f(x: ReturnType<Reader['read']>, y: InstanceType<typeof Item>) { x.open(); y.open(); }",
      ["Item.open declared, type", "Item.open declared, type"],
    ],
  ])("the code graph resolves the call of a member by %s", (_, text, expected) => {
    expect(targets(text).toSorted()).toEqual(expected.toSorted());
  });

  it.each([
    ["a value that is cast to any", "(new Item() as any).open();"],
    ["a variable of the type any", "const x: any = new Item(); x.open();"],
    ["a parameter without a type", "function f(x) { x.open(); }"],
    ["a value whose type lacks the member", "function f(x: Part) { x.open(); }"],
    [
      "an instance of a parameter with the name of the class",
      "function f(Item) { new Item().open(); }",
    ],
  ])("the code graph does not resolve a call of Item.open on %s", (_, text) => {
    expect(targets(text).filter((target) => target.startsWith("Item.open"))).toEqual([]);
  });

  it("the code graph stops resolving types that contain themselves", () => {
    const text = `
      type T = T; function f(x: T) { x.a(); }
      class A extends B {} class B extends A {} function g(a: A) { a.m(); }
      const h = () => h().x(); const i = i; interface J<T> { next: J<J<T>> } function k(j: J<1>) { j.next.next.next.m(); }
    `;
    expect(linkTree({ "a.ts": text }).uses("call")).toEqual(["a.ts#h -> a.ts#h (exact, scope)"]);
  });

  it("the code graph records what classes and interfaces inherit from", () => {
    const { uses } = linkTree({
      "a.ts":
        "class A {} interface I {} class B extends A implements I {} interface J extends I {}",
    });
    expect(uses("inherit")).toEqual([
      "a.ts#B -> a.ts#A (exact, scope)",
      "a.ts#B -> a.ts#I (exact, scope)",
      "a.ts#J -> a.ts#I (exact, scope)",
    ]);
  });
});
