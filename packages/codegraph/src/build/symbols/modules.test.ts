import { describe, expect, it } from "vitest";
import { linkTree } from "./testing/link-tree.ts";

const callsOf = (tree: Record<string, string>): string[] => linkTree(tree).uses("call");

describe("imported names", () => {
  it("the code graph follows imported names through barrels, renames and star exports to the definition", () => {
    const tree = {
      "a.ts": 'import { one, two as second, Three } from "./barrel"; one(); second(); new Three();',
      "barrel/index.ts": 'export { uno as one } from "../b"; export * from "./more";',
      "barrel/more.ts": 'import { Three } from "../b"; export * from "../c"; export { Three };',
      "b.ts": "export function uno() {} export class Three {}",
      "c.ts": "export const two = () => 2;",
    };
    expect(callsOf(tree)).toEqual([
      "a.ts# -> b.ts#uno (exact, scope)",
      "a.ts# -> c.ts#two (exact, scope)",
      "a.ts# -> b.ts#Three (exact, scope)",
    ]);
  });

  it("the code graph resolves names from default, namespace and dynamic imports and from require", () => {
    const tree = {
      "a.ts": `
        import d from "./d"; import * as ns from "./b";
        d(); ns.f();
        async function g() { const { f } = await import("./b"); f(); (await import("./b")).f(); }
        const b = require("./b"); b.f();
      `,
      "b.ts": "export function f() {}",
      "d.ts": "export default () => 1;",
    };
    expect(callsOf(tree)).toEqual([
      "a.ts# -> d.ts#default (exact, scope)",
      "a.ts# -> b.ts#f (exact, scope)",
      "a.ts# -> b.ts#f (exact, scope)",
      "a.ts#g -> b.ts#f (exact, scope)",
      "a.ts#g -> b.ts#f (exact, scope)",
    ]);
  });

  it("the code graph resolves names through barrels that re-export each other", () => {
    const tree = {
      "a.ts": 'import { f, g } from "./b"; f(); g();',
      "b.ts": 'export * from "./c"; export { g } from "./c";',
      "c.ts": 'export * from "./b"; export { g } from "./b"; export function f() {}',
    };
    expect(callsOf(tree)).toEqual(["a.ts# -> c.ts#f (exact, scope)"]);
  });

  it("the code graph resolves the members of an `export =` object", () => {
    const tree = {
      "a.ts": 'import b = require("./b"); b.f();',
      "b.ts": "const all = { f() {} }; export = all;",
    };
    expect(callsOf(tree)).toEqual(["a.ts# -> b.ts#all.f (declared, type)"]);
  });

  it("the code graph resolves names from CommonJS assignments", () => {
    const tree = {
      "a.js": 'const { f, g } = require("./b"); const c = require("./c"); f(); g(); c(); c.d();',
      "b.js": "function f() {} module.exports = { f, g() {} };",
      "c.js": "module.exports = function run() {}; module.exports.d = () => 1;",
    };
    expect(callsOf(tree)).toEqual([
      "a.js# -> b.js#f (exact, scope)",
      "a.js# -> b.js#default.g (exact, scope)",
      "a.js# -> c.js#default (declared, type)",
      "a.js# -> c.js#d (declared, type)",
    ]);
  });

  it("the code graph returns the symbol behind an exported name of a module", () => {
    const { linked, nameOf } = linkTree({
      "a.ts": 'export { f as g } from "./b"; export default 1;',
      "b.ts": "export function f() {}",
    });
    expect(nameOf(linked.exported(0, "g")!)).toBe("b.ts#f");
    expect(nameOf(linked.exported(0, "default")!)).toBe("a.ts#default");
    expect(linked.exported(0, "missing")).toBeUndefined();
  });
});
