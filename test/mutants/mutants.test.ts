import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseMutants } from "../../scripts/mutants/choose-mutants.ts";
import { applyMutant, findMutants, insertProbes } from "../../scripts/mutants/find-mutants.ts";
import { capture, root, sourceFlags } from "../../scripts/run.mjs";
import { writeTree } from "../support/tree.ts";

const target = "packages/core/src/router";

describe("findMutants", () => {
  it.each([
    ["if (a) b();", ["if (true) b();", "if (false) b();", "if (a) ;"]],
    ["while (a) b();", ["while (false) b();", "while (a) ;"]],
    ["x = a < b;", ["x = (a <= b);", "x = (a >= b);", ";"]],
    ["x = a || b;", ["x = a;", "x = b;", ";"]],
    ["x = a ?? b;", ["x = a;", "x = b;", ";"]],
    ["x = !a;", ["x = a;", ";"]],
    ["x = true;", ["x = false;", ";"]],
    ["x = 41;", ["x = 42;", ";"]],
    ['x = "word";', ['x = "";', ";"]],
    ["x = `${a}-b`;", ["x = ``;", ";"]],
    ["x += 1;", ["(x -= 1);", "x += 2;", ";"]],
    ["x++;", ["x--;", ";"]],
    ["x = a?.b;", ["x = a.b;", ";"]],
    ["x = a?.[b];", ["x = a[b];", ";"]],
    ["x = a.filter(b);", ["x = a;", ";"]],
    ["x = a.some(b);", ["x = a.every(b);", ";"]],
    ["x = [a];", ["x = [];", ";"]],
    ["const f = () => a;", ["const f = () => undefined;"]],
    ["function f() { return a; }", ["function f() { return undefined; }"]],
    ["function f() { throw a; }", ["function f() { ; }"]],
  ])("the mutation tool makes the mutants of %s", (code, changed) => {
    const mutants = findMutants("a.ts", code).map((mutant) => applyMutant(code, mutant));
    expect(mutants.toSorted()).toEqual(changed.toSorted());
  });

  it.each([
    'import a from "a";',
    'export * from "a";',
    'type A = "b" | 1;',
    "interface A { readonly b: true }",
    'const a: Record<"b", 1> = b;',
    'const a = b as "c";',
    '"use strict";',
    "const a = { b };",
    'const a = fail("A sentence for people");',
  ])("the mutation tool makes no mutants of %s", (code) => {
    expect(findMutants("a.ts", code)).toEqual([]);
  });

  it("the mutation tool keeps the ids of mutants when lines are added before them", () => {
    const code = "f(a < b);\nf(a < b);";
    expect(idsIn(`// More.\n\n${code}`)).toEqual(idsIn(code));
    expect(new Set(idsIn(code)).size).toBe(idsIn(code).length);
  });
});

describe("insertProbes", () => {
  const code = `export const double = (n: number) => n * 2;
export function sign(n: number) {
  if (n < 0) return -1;
  return n > 0 ? 1 : 0;
}
export const limit = 10 + 1;`;

  it("the mutation tool records only the mutants whose code runs", async () => {
    expect(await linesHit("")).toEqual([6]);
    expect(await linesHit("double(2)")).toEqual([1, 6]);
    expect(await linesHit("sign(-1)")).toEqual([3, 6]);
    expect(await linesHit("sign(1)")).toEqual([3, 4, 6]);
  });

  async function linesHit(call: string): Promise<number[]> {
    const mutants = findMutants("a.ts", code);
    const hits = new Set<string>();
    Object.assign(globalThis, { recordMutant: (id: string) => hits.add(id) });
    const text = insertProbes(code, mutants).replaceAll(": number", "");
    await import(`data:text/javascript,${encodeURIComponent(`${text}\n${call};`)}`);
    const lines = mutants.filter(({ id }) => hits.has(id)).map(({ line }) => line);
    return [...new Set(lines)];
  }
});

describe("chooseMutants", () => {
  it("the mutation tool chooses equal mutants for an equal seed and different mutants for another seed", () => {
    expect(idsFor(1)).toEqual(idsFor(1));
    expect(idsFor(1)).not.toEqual(idsFor(2));
    expect(idsFor(1)).toHaveLength(20);
  });

  it("the mutation tool accepts a package, a folder, a file and a line as target", () => {
    const { files } = chooseMutants("core/router", 1, 1);
    expect(files).toEqual(chooseMutants(target, 1, 1).files);
    expect(chooseMutants("@waybill/core", 1, 1).files).toEqual(expect.arrayContaining([...files]));
    const [mutant] = chooseMutants(target, 1, 1).chosen;
    const line = `${mutant?.file}:${mutant?.line}`;
    expect(chooseMutants(line, 100, 1).chosen.map(({ id }) => id)).toContain(mutant?.id);
  });

  it("the mutation tool changes no test file, fixture or generated file", () => {
    const { files } = chooseMutants("github", 1, 1);
    expect(files.filter((file) => /\.test\.|fixtures|generated\//.test(file))).toEqual([]);
  });

  it("npm run mutants asks for a package, a folder or a file if its target is unknown", () => {
    expect(() => chooseMutants("core/nowhere", 1, 1)).toThrow("Name a package, a folder or a file");
  });
});

describe("npm run mutants", () => {
  const file = "test/mutants/sample.ts";

  it("npm run mutants reports which mutants the tests notice and leaves the file unchanged", async () => {
    const before = readFileSync(join(root, file), "utf8");
    const report = join(writeTree({}), "report.json");
    const words = [file, "--json", report, "--tests", "test/mutants/sample.test.ts"];
    const main = join(root, "scripts/mutants/main.ts");
    const { output } = await capture(process.execPath, [...sourceFlags, main, ...words]);
    expect(output).toContain("killed   test/mutants/sample.ts:3 condition: total >= 50 → false");
    expect(output).toContain("survived: test/mutants/sample.ts:3 number: 50 → 51");
    expect(output).toContain(
      "survived: test/mutants/sample.ts:3 comparison: total >= 50 → (total > 50)",
    );
    expect(output).toContain("5 of 7 killed");
    const again = [...sourceFlags, main, ...words, "--continue", "--seconds", "1"];
    expect((await capture(process.execPath, again)).output).toContain("5 of 7 killed");
    expect(readFileSync(join(root, file), "utf8")).toBe(before);
  });
});

function idsIn(code: string): string[] {
  return findMutants("a.ts", code).map(({ id }) => id);
}

function idsFor(seed: number): string[] {
  return chooseMutants(target, 20, seed).chosen.map(({ id }) => id);
}
