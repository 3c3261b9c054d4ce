import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LayerRules } from "@waybill/codegraph";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";
import { readView, violationsIn } from "./support/architecture.ts";
import { readPackages } from "./support/packages.ts";
import type { Package } from "./support/packages.ts";
import { publicNames, starViolations } from "./support/public-names.ts";
import { writeTree } from "./support/tree.ts";

const RULES = JSON.parse(
  readFileSync(join(root, ".waybill/graph/layers.json"), "utf8"),
) as LayerRules;

/** The violations of this repository's rules in files under packages/. */
async function complaintsAbout(files: Readonly<Record<string, string>>): Promise<string[]> {
  return violationsIn(await readView(treeWith(files)), RULES);
}

const complaintsInCore = (files: Readonly<Record<string, string>>): Promise<string[]> =>
  complaintsAbout(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`core/src/${path}`, text])),
  );

describe("package rules", () => {
  it("the architecture check reports an import of a package in a higher layer", async () => {
    const files = {
      "core/src/index.ts": 'export const a = 1;\nimport "@waybill/cli";',
      "cli/src/index.ts": 'import "@waybill/core/package.json";',
    };
    expect(await complaintsAbout(files)).toEqual([
      "packages/core/src/index.ts:2 core-import-below → packages/cli/src/index.ts",
    ]);
  });

  it("the architecture check reports an import of a package in the importer's own layer, even of a type", async () => {
    const files = {
      "mcp/src/index.ts": 'export type { A } from "@waybill/adapters/a";',
      "adapters/src/a.ts": "export type A = 1;",
    };
    expect(await complaintsAbout(files)).toEqual([
      "packages/mcp/src/index.ts:1 adapters-mcp-import-below → packages/adapters/src/a.ts",
    ]);
  });

  it("the architecture check reports a package without a layer", async () => {
    expect(await complaintsAbout({ "novelty/src/index.ts": "export {};" })).toEqual([
      "packages/novelty/src/index.ts packages-have-a-layer → packages/novelty/src/index.ts",
    ]);
  });

  it.each([
    'import zod from "zod";',
    'import type { Z } from "zod/v4";',
    'export { z } from "zod";',
    'await import("zod");',
    'type Z = import("zod").Z;',
  ])("the architecture check reports an undeclared dependency: %s", async (line) => {
    const files = { "state/src/index.ts": `import "node:fs";\nimport "declared";\n${line}` };
    expect(await complaintsAbout(files)).toEqual([
      "packages/state/src/index.ts:3 dependencies-are-declared → node_modules/zod",
    ]);
  });

  it("the architecture check reports a relative path into another package", async () => {
    const files = { "cli/src/index.ts": 'import "../../core/src/a.ts";', "core/src/a.ts": "" };
    expect(await complaintsAbout(files)).toEqual([
      "packages/cli/src/index.ts:1 packages-reach-each-other-by-name → packages/core/src/a.ts",
    ]);
  });

  it("the architecture check does not apply package rules to test files", async () => {
    const text = 'import "zod";';
    expect(
      await complaintsAbout({ "core/src/a.test.ts": text, "core/src/a.test-d.ts": text }),
    ).toEqual([]);
  });
});

describe("core rules", () => {
  it("the architecture check reports an import of a higher folder in core", async () => {
    const files = {
      "envelope/a.ts": 'import type { R } from "../registry/index.ts";',
      "registry/index.ts": "export type R = 1;",
    };
    expect(await complaintsInCore(files)).toEqual([
      "packages/core/src/envelope/a.ts:1 core-envelope-imports-below → packages/core/src/registry/index.ts",
    ]);
  });

  it("the architecture check reports a folder of core that imports the entry of the package", async () => {
    expect(
      await complaintsInCore({ "testing/index.ts": 'import "../index.ts";', "index.ts": "" }),
    ).toEqual([
      "packages/core/src/testing/index.ts:1 core-testing-imports-below → packages/core/src/index.ts",
    ]);
  });

  it("the architecture check reports an import in core that bypasses index.ts", async () => {
    const files = { "registry/a.ts": 'import "../envelope/codes.ts";', "envelope/codes.ts": "" };
    expect(await complaintsInCore(files)).toEqual([
      expect.stringContaining("core-folders-have-doors"),
    ]);
  });

  it("the architecture check reports a folder of core without a layer", async () => {
    const files = { "index.ts": 'import "./novelty/index.ts";', "novelty/index.ts": "" };
    expect(await complaintsInCore(files)).toEqual([
      expect.stringContaining("core-folders-have-a-layer"),
    ]);
  });

  it("the architecture check accepts imports of a folder's own files and of lower index.ts files", async () => {
    const files = {
      "registry/a.ts": 'import "./b.ts";\nimport "../envelope/index.ts";',
      "registry/b.ts": "",
      "envelope/index.ts": "",
    };
    expect(await complaintsInCore(files)).toEqual([]);
  });

  it.each(["node:fs", "fs", "fs/promises"])(
    "the architecture check reports the Node module %s in core",
    async (name) => {
      expect(await complaintsInCore({ "a.ts": `await import("${name}");` })).toEqual([
        `packages/core/src/a.ts:1 core-runs-in-browsers → ${name.replace("node:", "")}`,
      ]);
    },
  );
});

describe("circular imports", () => {
  it("the architecture check reports each import of a circle, including imports of types", async () => {
    const files = {
      "a.ts": 'import "./b.ts";',
      "b.ts": '\nimport type { C } from "./c.ts";',
      "c.ts": 'export * from "./a.ts";',
      "d.ts": 'import "./a.ts";\nimport "./b.ts";',
    };
    const [a, b, c] = ["a", "b", "c"].map((name) => `packages/core/src/${name}.ts`);
    expect(await complaintsInCore(files)).toEqual([
      `${a}:1 no-circles → ${b}`,
      `${b}:2 no-circles → ${c}`,
      `${c}:1 no-circles → ${a}`,
    ]);
  });

  it("the architecture check reports a file that imports its own path", async () => {
    expect(await complaintsInCore({ "a.ts": 'import "./a.ts";' })).toHaveLength(1);
  });
});

describe("public name rules", () => {
  it("the architecture check reports a star export in a package entry", () => {
    const core = coreWith({ "index.ts": '\nexport * from "./a.ts";' });
    expect(starViolations(core)).toEqual([
      "packages/core/src/index.ts:2 exports everything of a module: public names are listed one by one",
    ]);
  });

  it("the architecture check lists the values and types of each package entry", () => {
    const text =
      'export { b, type T } from "./a.ts";\nexport type { S } from "./a.ts";\nexport const a = 1;';
    expect(publicNames(coreWith({ "index.ts": text }))).toEqual({
      "@waybill/core": { values: ["a", "b"], types: ["S", "T"] },
    });
  });
});

/** Creates a workspace with these files under packages/. */
function treeWith(files: Readonly<Record<string, string>>): string {
  const tree: Record<string, string> = {
    "package.json": JSON.stringify({ private: true, workspaces: ["packages/*"] }),
  };
  for (const [path, text] of Object.entries(files)) {
    const [folder = ""] = path.split("/");
    tree[`packages/${path}`] = text;
    tree[`packages/${folder}/package.json`] = getManifest(folder);
  }
  return writeTree(tree);
}

function coreWith(sources: Readonly<Record<string, string>>): Package {
  const files = Object.entries(sources).map(([path, text]) => [`core/src/${path}`, text] as const);
  const [found] = readPackages(treeWith(Object.fromEntries(files)));
  if (!found) throw new Error("the tree holds no package");
  return found;
}

function getManifest(folder: string): string {
  return JSON.stringify({
    name: `@waybill/${folder}`,
    exports: { ".": { "@waybill/source": "./src/index.ts" }, "./package.json": "./package.json" },
    dependencies: { declared: "1.0.0" },
  });
}
