import { describe, expect, it } from "vitest";
import { compilePattern, compileScope, escapePattern } from "./index.ts";

const cases: readonly [string, string, boolean][] = [
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/a/b.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/a/b/c.ts", true],
  ["**/*.test.ts", "a.test.ts", true],
  ["**/*.test.ts", "x/y/a.test.ts", true],
  ["src/**", "src/a/b.ts", true],
  ["src/**", "srcx/a.ts", false],
  ["src/a**z.ts", "src/a/z.ts", false],
  ["src/a**z.ts", "src/abcz.ts", true],
  ["src/?.ts", "src/a.ts", true],
  ["src/?.ts", "src/ab.ts", false],
  ["src/[a-c].ts", "src/b.ts", true],
  ["src/[!a-c].ts", "src/b.ts", false],
  ["src/[!a-c].ts", "src/d.ts", true],
  ["src/{a,b/*}.ts", "src/b/x.ts", true],
  ["src/{a,b/*}.ts", "src/c.ts", false],
  ["{a,{b,c}}/x", "c/x", true],
  ["packages/(*)/src/(**)", "packages/core/src/a/b.ts", true],
  ["src/(a|b).ts", "src/b.ts", true],
  ["src/\\(shop\\)/*", "src/(shop)/page.tsx", true],
  ["", "", true],
  ["ä*", "äö", true],
];

describe("pattern", () => {
  it.each(cases)('the path pattern "%s" matches "%s": %s', (pattern, path, expected) => {
    expect(compilePattern(pattern).matches(path)).toBe(expected);
  });

  it("a path pattern captures the parts in parentheses", () => {
    const pattern = compilePattern("packages/(*)/src/(**)/*.ts");
    expect(pattern.captures("packages/core/src/a/b/c.ts")).toEqual(["core", "a/b"]);
    expect(pattern.captures("packages/core/c.ts")).toBeUndefined();
  });

  it("a path pattern captures by its first alternative that matches", () => {
    expect(compilePattern("(a|ab)(c|bcd)").captures("abcd")).toEqual(["a", "bcd"]);
  });

  it.each([
    ...["src/{a", "src/(a", "src/[a", "src/a)", "src/a}", "a\\"].map((one) => [one, one] as const),
    ["of 600 characters", "x".repeat(600)] as const,
  ])("the path pattern %s is rejected with a clear message", (_name, pattern) => {
    expect(() => compilePattern(pattern)).toThrow("The pattern");
  });

  it("a path pattern with 40 nested braces is rejected", () => {
    expect(() => compilePattern("{".repeat(40) + "a" + "}".repeat(40))).toThrow(
      "must not nest deeper than 8 levels",
    );
  });

  it("path patterns with catastrophic backtracking are matched without blocking", () => {
    const bomb = compilePattern(`${"*a".repeat(100)}b`);
    expect(bomb.matches("a".repeat(5_000))).toBe(false);
    const nested = compilePattern(`${"{a,a*}".repeat(40)}b`);
    expect(nested.matches("a".repeat(2_000))).toBe(false);
    expect(compilePattern(`(${"(*)".repeat(7)})!`).captures("a".repeat(2_000))).toBeUndefined();
  });

  it("a path pattern matches a long string after its cache of states overflows", () => {
    const pattern = compilePattern(`**a${"?".repeat(12)}`);
    let seed = 7;
    const text = Array.from({ length: 20_000 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % 3 === 0 ? "a" : "b";
    }).join("");
    expect(pattern.matches(text)).toBe(text.at(-13) === "a");
  });
});

describe("scope", () => {
  it("a scope matches as a path prefix that ends at a folder name", () => {
    const scope = compileScope("src/co");
    expect(scope.matches("src/co/a.ts")).toBe(true);
    expect(scope.matches("src/core/a.ts")).toBe(false);
    expect(scope.matches("src/co")).toBe(true);
  });

  it.each([".", "./", ""])('the scope "%s" matches every file', (text) => {
    expect(compileScope(text).matches("src/a.ts")).toBe(true);
  });

  it("brackets and parentheses in a scope are matched as real folder names", () => {
    expect(compileScope("app/(shop)/[id]").matches("app/(shop)/[id]/page.tsx")).toBe(true);
  });

  it("a scope with a star is matched as a glob", () => {
    expect(compileScope("src/**/a.ts").matches("src/x/a.ts")).toBe(true);
    expect(compileScope("src/*").matches("src/x/a.ts")).toBe(false);
  });
});

it("special characters are escaped when a path is written as a pattern", () => {
  const path = "app/(shop)/[id]/{a}*?.ts";
  expect(compilePattern(escapePattern(path)).matches(path)).toBe(true);
});
