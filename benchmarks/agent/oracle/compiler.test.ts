import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { askCompiler } from "./compiler.ts";

function codeBase(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-compiler-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const FILES = {
  "a.ts": "export function one(): number {\n  return 1;\n}\n",
  "b.ts": 'export { one } from "./a.js";\n',
  "c.ts": 'import { one } from "./b.js";\nexport function two() {\n  return one() + one();\n}\n',
  "d.ts": 'export const late = () => import("./c.js");\n',
};

it("the compiler oracle returns what TypeScript resolves for each question about code", () => {
  const folder = codeBase(FILES);
  const ask = (question: string, file: string, symbol?: string) =>
    askCompiler(folder, { question, file, symbol });
  expect(ask("imports", "c.ts")).toEqual(["b.ts"]);
  expect(ask("importers", "a.ts")).toEqual(["b.ts"]);
  expect(ask("dependents", "a.ts")).toBe(3);
  expect(ask("distance", "d.ts", "a.ts")).toBe(3);
  expect(ask("distance", "a.ts", "d.ts")).toBeNull();
  expect(ask("referencing-files", "a.ts", "one")).toEqual(["b.ts", "c.ts"]);
  expect(ask("definition", "b.ts", "one")).toBe("a.ts:1");
  expect(ask("callers", "a.ts", "one")).toEqual(["two"]);
});

it("the compiler oracle rejects an unknown question about code", () => {
  const folder = codeBase(FILES);
  expect(() => askCompiler(folder, { question: "weather", file: "a.ts" })).toThrow("weather");
});
