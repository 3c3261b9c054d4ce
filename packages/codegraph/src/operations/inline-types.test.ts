import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./tools.ts";

const PACKAGE = '{ "name": "x", "type": "module", "devDependencies": { "vitest": "4.1.0" } }';
const RUNNER = 'import { it } from "vitest"; it("runs", () => undefined);\n';
const FILES = {
  "package.json": PACKAGE,
  "src/a.ts": "export type A = number;\n",
  "src/user.ts": 'import { type A } from "./a.ts";\nexport const user: A = 1;\n',
  "src/inline.test.ts": `${RUNNER}import { type A } from "./a.ts";\nexport type Own = A;\n`,
  "src/over.test.ts": `${RUNNER}import { user } from "./user.ts";\nuser;\n`,
  "src/statement.test.ts": `${RUNNER}import type { A } from "./a.ts";\nexport type Own = A;\n`,
};
const LOADING = ["src/inline.test.ts", "src/over.test.ts"];

async function affectedTests(more: Readonly<Record<string, string>>): Promise<unknown> {
  const root = temporaryTree({ ...FILES, ...more });
  const tools = openGraphTools({ root, patienceMs: 30_000 });
  onTestFinished(() => tools.close());
  const reply = await tools.call("tests", { target: "src/a.ts" });
  return (reply.data.result as { readonly tests: unknown }).tests;
}

function config(options: object, more: object = {}): string {
  return JSON.stringify({ ...more, compilerOptions: options });
}

describe("affected tests of a file whose types are imported", () => {
  it.each([
    ["no tsconfig.json", {}],
    [
      "strict in tsconfig.json",
      { "tsconfig.json": config({ strict: true, isolatedModules: true }) },
    ],
    [
      "preserveValueImports in tsconfig.json",
      { "tsconfig.json": config({ preserveValueImports: true }) },
    ],
    [
      "a tsconfig.json that overrides verbatimModuleSyntax of its base",
      {
        "base.json": config({ verbatimModuleSyntax: true }),
        "tsconfig.json": config({ verbatimModuleSyntax: false }, { extends: "./base" }),
      },
    ],
  ])("a test with `import { type A }` is not among the affected tests with %s", async (_, more) => {
    expect(await affectedTests(more)).toEqual([]);
  });

  it.each([
    [
      "verbatimModuleSyntax in tsconfig.json",
      { "tsconfig.json": config({ verbatimModuleSyntax: true, strict: true }) },
    ],
    [
      "importsNotUsedAsValues in tsconfig.json",
      { "tsconfig.json": config({ importsNotUsedAsValues: "preserve" }) },
    ],
    [
      "verbatimModuleSyntax in the base of a referenced project",
      {
        "tsconfig.json": '{ "files": [], "references": [{ "path": "./app.json" }] }',
        "app.json": '{ "extends": "./base.json" }',
        "base.json": config({ verbatimModuleSyntax: true }),
      },
    ],
    [
      "verbatimModuleSyntax in an installed base that git ignores",
      {
        ".gitignore": "node_modules\n",
        "tsconfig.json": '{ "extends": "@tsconfig/any/tsconfig.json" }',
        "node_modules/@tsconfig/any/tsconfig.json": config({ verbatimModuleSyntax: true }),
      },
    ],
    [
      "a base that is not installed and may set verbatimModuleSyntax",
      { "tsconfig.json": '{ "extends": "@tsconfig/any/tsconfig.json" }' },
    ],
  ])("a test with `import { type A }` is among the affected tests with %s", async (_, more) => {
    expect(await affectedTests(more)).toEqual(LOADING);
  });

  it("a test with `import { type A }` is not among the affected tests if the installed base of tsconfig.json does not set verbatimModuleSyntax", async () => {
    const more = {
      "tsconfig.json": '{ "extends": "@tsconfig/any" }',
      "node_modules/@tsconfig/any/tsconfig.json": config({ strict: true }),
    };
    expect(await affectedTests(more)).toEqual([]);
  });

  it("tests with `import { type A }` or `export { type A }` are among the affected tests when Node itself runs them", async () => {
    const node = 'import { it } from "node:test"; it("runs", () => undefined);\n';
    expect(
      await affectedTests({
        "package.json": '{ "name": "x", "type": "module" }',
        "src/again.ts": 'export { type A } from "./a.ts";\n',
        "src/types.ts": 'export type { A } from "./a.ts";\n',
        "src/again.test.ts": `${node}import "./again.ts";\n`,
        "src/types.test.ts": `${node}import "./types.ts";\n`,
        "src/inline.test.ts": `${node}import { type A } from "./a.ts";\nexport type Own = A;\n`,
        "src/over.test.ts": `${node}import { user } from "./user.ts";\nuser;\n`,
        "src/statement.test.ts": `${node}import type { A } from "./a.ts";\nexport type Own = A;\n`,
      }),
    ).toEqual(["src/inline.test.ts", "src/again.test.ts", "src/over.test.ts"]);
  });
});
