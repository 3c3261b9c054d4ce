import { describe, expect, it } from "vitest";
import { folderViolations, nodeViolations } from "./support/core-rules.ts";
import { cycleViolations } from "./support/cycles.ts";
import {
  escapeViolations,
  layerViolations,
  undeclaredViolations,
} from "./support/package-rules.ts";
import { readPackages } from "./support/packages.ts";
import type { Package } from "./support/packages.ts";
import { publicNames, starViolations } from "./support/public-names.ts";
import { writeTree } from "./support/tree.ts";

describe("package rules", () => {
  it("report an import of a package above", () => {
    const packages = packagesWith({
      "core/src/index.ts": 'export const a = 1;\nimport "@waybill/cli";',
      "cli/src/index.ts": 'import "@waybill/core";',
    });
    expect(layerViolations(packages)).toEqual([
      'packages/core/src/index.ts:2 imports "@waybill/cli": core may only import packages below it, and cli is not',
    ]);
  });

  it("report an import of a sibling, even of a type", () => {
    const packages = packagesWith({
      "mcp/src/index.ts": 'export type { A } from "@waybill/local/a";',
      "local/src/a.ts": "",
    });
    expect(layerViolations(packages)).toEqual([
      'packages/mcp/src/index.ts:1 imports "@waybill/local/a": mcp may only import packages below it, and local is not',
    ]);
  });

  it("report a package without a layer", () => {
    const packages = packagesWith({ "novelty/src/index.ts": "" });
    expect(layerViolations(packages)).toEqual(["packages/novelty has no place in the layers yet"]);
  });

  it.each([
    'import zod from "zod";',
    'import type { Z } from "zod/v4";',
    'export { z } from "zod";',
    'await import("zod");',
    'type Z = import("zod").Z;',
  ])("report an undeclared dependency: %s", (line) => {
    const packages = packagesWith({
      "core/src/index.ts": `import "node:fs";\nimport "declared";\n${line}`,
    });
    expect(undeclaredViolations(packages)).toEqual([
      expect.stringMatching(/^packages\/core\/src\/index\.ts:3 .* zod is not a dependency in/),
    ]);
  });

  it("report a path into another package", () => {
    const packages = packagesWith({
      "core/src/index.ts": 'import "../../cli/src/main.ts";',
      "cli/src/main.ts": "",
    });
    expect(escapeViolations(packages)).toEqual([
      'packages/core/src/index.ts:1 imports "../../cli/src/main.ts": other packages are imported by name, not by path',
    ]);
  });

  it("leave tests alone", () => {
    const text = 'import "zod";';
    const packages = packagesWith({ "core/src/a.test.ts": text, "core/src/a.test-d.ts": text });
    expect(undeclaredViolations(packages)).toEqual([]);
  });
});

describe("core rules", () => {
  it("report an import of a folder above", () => {
    const core = coreWith({ "envelope/a.ts": 'import type { R } from "../registry/index.ts";' });
    expect(folderViolations(core)).toEqual([
      'packages/core/src/envelope/a.ts:1 imports "../registry/index.ts": envelope may only import folders below it',
    ]);
  });

  it("report a folder that imports the entry of the package", () => {
    const core = coreWith({ "testing/index.ts": 'import "../index.ts";' });
    expect(folderViolations(core)).toEqual([
      expect.stringContaining("testing may only import folders below it"),
    ]);
  });

  it("report an import around index.ts", () => {
    const core = coreWith({ "registry/a.ts": 'import "../envelope/codes.ts";' });
    expect(folderViolations(core)).toEqual([
      expect.stringContaining("envelope is imported through its index.ts only"),
    ]);
  });

  it("report a folder without a layer", () => {
    const core = coreWith({ "index.ts": 'import "./novelty/index.ts";' });
    expect(folderViolations(core)).toEqual([
      expect.stringContaining("novelty has no place in the layers yet"),
    ]);
  });

  it("allow a folder its own files and the doors of those below", () => {
    const core = coreWith({ "registry/a.ts": 'import "./b.ts";\nimport "../envelope/index.ts";' });
    expect(folderViolations(core)).toEqual([]);
  });

  it.each(["node:fs", "fs", "fs/promises"])("report the Node module %s", (name) => {
    expect(nodeViolations(coreWith({ "a.ts": `await import("${name}");` }))).toEqual([
      `packages/core/src/a.ts:1 imports "${name}": core runs in browsers too, so it uses no Node module`,
    ]);
  });
});

describe("cycle rule", () => {
  it("reports the import that closes a circle", () => {
    const core = coreWith({
      "a.ts": 'import "./b.ts";',
      "b.ts": '\nimport type { C } from "./c.ts";',
      "c.ts": 'export * from "./a.ts";',
      "d.ts": 'import "./a.ts";\nimport "./b.ts";',
    });
    const [a, b, c] = ["a", "b", "c"].map((name) => `packages/core/src/${name}.ts`);
    expect(cycleViolations(core)).toEqual([
      `${c}:1 closes a circle of imports: ${a} → ${b} → ${c} → ${a}`,
    ]);
  });

  it("reports a file that imports itself", () => {
    expect(cycleViolations(coreWith({ "a.ts": 'import "./a.ts";' }))).toHaveLength(1);
  });
});

describe("public name rules", () => {
  it("report a star export", () => {
    const core = coreWith({ "index.ts": '\nexport * from "./a.ts";' });
    expect(starViolations(core)).toEqual([
      "packages/core/src/index.ts:2 exports everything of a module: public names are listed one by one",
    ]);
  });

  it("list values and types of each entry", () => {
    const text =
      'export { b, type T } from "./a.ts";\nexport type { S } from "./a.ts";\nexport const a = 1;';
    expect(publicNames(coreWith({ "index.ts": text }))).toEqual({
      "@waybill/core": { values: ["a", "b"], types: ["S", "T"] },
    });
  });
});

/** Packages as the rules see them, from files by their path under packages/. */
function packagesWith(files: Readonly<Record<string, string>>): Package[] {
  const tree: Record<string, string> = {};
  for (const [path, text] of Object.entries(files)) {
    const [folder = ""] = path.split("/");
    tree[`packages/${path}`] = text;
    tree[`packages/${folder}/package.json`] = manifestOf(folder);
  }
  return readPackages(writeTree(tree));
}

function coreWith(sources: Readonly<Record<string, string>>): Package {
  const files = Object.entries(sources).map(([path, text]) => [`core/src/${path}`, text] as const);
  const [core] = packagesWith(Object.fromEntries(files));
  if (!core) throw new Error("the tree holds no package");
  return core;
}

function manifestOf(folder: string): string {
  return JSON.stringify({
    name: `@waybill/${folder}`,
    exports: { ".": { "@waybill/source": "./src/index.ts" }, "./package.json": "./package.json" },
    dependencies: { declared: "1.0.0" },
  });
}
