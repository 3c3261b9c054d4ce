import { symlinkSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCodeGraph } from "./index.ts";
import { graphEdges, temporaryTree, writeTree } from "./testing/temporary-tree.ts";

const edges = async (files: Record<string, string>) =>
  graphEdges((await openCodeGraph({ root: temporaryTree(files) })).graph);

describe("tsconfig.json", () => {
  it("import resolution reads a tsconfig.json with comments, trailing commas and extends", async () => {
    expect(
      await edges({
        "tsconfig.json": '{ // why\n "extends": "./config/base.json", "include": ["src"], }',
        "config/base.json": '{ "compilerOptions": { "paths": { "@/*": ["../src/*"], }, } }',
        "src/a.ts": 'import "@/deep/b";',
        "src/deep/b.ts": "",
      }),
    ).toEqual(["src/a.ts -import-> src/deep/b.ts"]);
  });

  it("import resolution uses the tsconfig.json of the nearest folder or the referenced project that includes the file", async () => {
    expect(
      await edges({
        "tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
        "tsconfig.app.json":
          '{ "compilerOptions": { "paths": { "lib": ["./src/lib.ts"] } }, "include": ["src"] }',
        "src/a.ts": 'import "lib";',
        "src/lib.ts": "",
        "tools/tsconfig.json": '{ "compilerOptions": { "paths": { "lib": ["./own.ts"] } } }',
        "tools/b.ts": 'import "lib";',
        "tools/own.ts": "",
      }),
    ).toEqual(["src/a.ts -import-> src/lib.ts", "tools/b.ts -import-> tools/own.ts"]);
  });

  it("import resolution applies the baseUrl of tsconfig.json", async () => {
    expect(
      await edges({
        "tsconfig.json": '{ "compilerOptions": { "baseUrl": "./src" } }',
        "src/a.ts": 'import "deep/b";',
        "src/deep/b.ts": "",
      }),
    ).toEqual(["src/a.ts -import-> src/deep/b.ts"]);
  });
});

describe("tsconfig.json with extends", () => {
  it("import resolution applies the paths of a tsconfig.json even if one of the configurations it extends is missing", async () => {
    expect(
      await edges({
        "tsconfig.json": `{ "extends": ["@absent/config/next.json", "./base"], // both
          "compilerOptions": { "paths": { "@/*": ["./src/*"], "exact": ["./src/b.ts",], } } }`,
        "base.json": '{ "compilerOptions": { "baseUrl": "src" } }',
        "src/a.ts": 'import "@/deep/b"; import "exact"; import "deep/c"; import "react";',
        "src/b.ts": "",
        "src/deep/b.ts": "",
        "src/deep/c.ts": "",
      }),
    ).toEqual([
      "src/a.ts -import-> src/b.ts",
      "src/a.ts -import-> src/deep/b.ts",
      "src/a.ts -import-> src/deep/c.ts",
    ]);
  });

  it("import resolution applies the settings that the tsconfig.json of a referenced project extends from a workspace package", async () => {
    expect(
      await edges({
        "package.json": '{ "workspaces": ["packages/*", "apps/*"] }',
        "packages/config/package.json": '{ "name": "@w/config" }',
        "packages/config/base.json":
          '{ "compilerOptions": { "paths": { "~/*": ["${configDir}/src/*"] } } }',
        "apps/web/package.json": '{ "name": "web" }',
        "apps/web/tsconfig.json": '{ "files": [], "references": [{ "path": "./app.json" }] }',
        "apps/web/app.json": '{ "extends": "@w/config/base.json", "include": ["src"] }',
        "apps/web/src/a.ts": 'import "~/b";',
        "apps/web/src/b.ts": "",
      }),
    ).toEqual(["apps/web/src/a.ts -import-> apps/web/src/b.ts"]);
  });

  it("import resolution stops at circular extends and ignores a tsconfig.json that is not JSON", async () => {
    expect(
      await edges({
        "tsconfig.json": '{ "extends": "./other.json" }',
        "other.json": '{ "extends": "./tsconfig.json" }',
        "sub/tsconfig.json": "{ nonsense",
        "sub/a.ts": 'import "@/b"; import "./b.js";',
        "sub/b.ts": "",
        "c.ts": 'import "@/b"; import "./sub/b.ts";',
      }),
    ).toEqual(["c.ts -import-> sub/b.ts", "sub/a.ts -import-> sub/b.ts"]);
  });
});

const aliasTo = (place: string) => `export default { resolve: { alias: { "@": "./${place}" } } };`;
const settings = (place: string) => `export default { kit: { alias: { $ui: "${place}" } } };`;

describe("SvelteKit aliases", () => {
  const files = {
    "tsconfig.json": '{ "extends": "./.svelte-kit/tsconfig.json" }',
    "src/routes/+page.ts":
      'import { a } from "$lib/a"; import { b } from "$lib"; import "./$types"; import "$app/state";',
    "src/lib/a.ts": "export const a = 1;",
    "src/lib/index.ts": "export const b = 1;",
  };
  const withKit = { "package.json": '{ "devDependencies": { "@sveltejs/kit": "2.0.0" } }' };

  it("import resolution finds $lib and generated SvelteKit modules", async () => {
    const { graph } = await openCodeGraph({ root: temporaryTree({ ...files, ...withKit }) });
    expect(graphEdges(graph)).toEqual([
      "src/routes/+page.ts -import-> src/lib/a.ts",
      "src/routes/+page.ts -import-> src/lib/index.ts",
    ]);
    expect(graph.gaps.count).toBe(0);
    expect(graph.packages.text(0)).toBe("@sveltejs/kit");
  });

  it("import resolution applies the aliases of svelte.config.js", async () => {
    expect(
      await edges({
        ...withKit,
        "svelte.config.js": `export default { kit: { adapter: adapter(), alias: {
          $routes: './src/routes', '$ui/*': 'src/ui/*', "$one": "src/one.ts" } } };`,
        "src/routes/store.ts": "export const s = 1;",
        "src/ui/button.ts": "export const button = 1;",
        "src/one.ts": "export const one = 1;",
        "src/a.ts": 'import "$routes/store"; import "$ui/button"; import "$one"; import "$none/x";',
      }),
    ).toEqual([
      "src/a.ts -import-> src/one.ts",
      "src/a.ts -import-> src/routes/store.ts",
      "src/a.ts -import-> src/ui/button.ts",
    ]);
  });

  it("import resolution follows a SvelteKit alias to its new folder after svelte.config.js changes", async () => {
    const root = temporaryTree({
      ...withKit,
      "svelte.config.js": settings("src/old"),
      "src/old/a.ts": "",
      "src/new/a.ts": "",
      "src/main.ts": 'import "$ui/a";',
    });
    const opened = await openCodeGraph({ root, cache: false });
    await opened.ready;
    expect(graphEdges(opened.graph)).toEqual(["src/main.ts -import-> src/old/a.ts"]);
    writeTree(root, { "svelte.config.js": settings("src/new/") });
    expect(graphEdges(await opened.refresh())).toEqual(["src/main.ts -import-> src/new/a.ts"]);
  });

  it("import resolution applies no SvelteKit alias in a package that does not use SvelteKit", async () => {
    expect(await edges({ ...files, "package.json": "{}" })).toEqual([]);
  });
});

describe("bundler aliases", () => {
  const files = {
    "package.json": "{}",
    "src/a.ts": "",
    "src/ui/index.ts": "",
    "src/one.ts": "",
    "main.ts": 'import "@/a"; import "ui"; import "~one"; import "react"; import "@/none";',
  };
  const expected = [
    "main.ts -import-> src/a.ts",
    "main.ts -import-> src/one.ts",
    "main.ts -import-> src/ui/index.ts",
  ];

  it.each([
    [
      "vite.config.ts",
      `export default defineConfig({ resolve: { alias: {
        "@": fileURLToPath(new URL("./src", import.meta.url)),
        ui: path.resolve(__dirname, "src", "ui"), "~one": "/src/one.ts",
        made: make("src"), react: "preact" } } });`,
    ],
    [
      "vite.config.mts",
      `export default { resolve: { alias: [
        { find: "@", replacement: new URL("./src", import.meta.url).pathname },
        { find: "ui", replacement: join(import.meta.dirname, "./src/ui") },
        { find: "~one", replacement: resolve("src/one") },
        { find: /^x/, replacement: "/src" }, ...others ] } };`,
    ],
    [
      "webpack.config.js",
      `module.exports = (env) => ({ resolve: { alias: {
        "@": path.join(__dirname, \`src\`), ui$: path.resolve(process.cwd(), "src/ui"),
        "~one": "./src/one" } } });`,
    ],
  ])("import resolution applies the aliases in %s", async (name, text) => {
    expect(await edges({ ...files, [name]: text })).toEqual(expected);
  });

  it.each([
    [
      "jest.config.js",
      `module.exports = { moduleNameMapper: { "^@/(.*)$": "<rootDir>/src/$1", "^ui$": "<rootDir>/src/ui",
        "\\\\.css$": "identity-obj-proxy", "^~one$": ["<rootDir>/src/one.ts"] } };`,
    ],
    [
      "jest.config.json",
      '{ "moduleNameMapper": { "^@(.*)$": "<rootDir>/src$1", "^~one": "./src/one" }, "modulePaths": ["<rootDir>/src"] }',
    ],
    [
      "package.json",
      '{ "jest": { "moduleDirectories": ["node_modules", "src"], "moduleNameMapper": { "^@/(.+)": "<rootDir>/src/$1", "^~one$": "<rootDir>/src/one" } } }',
    ],
    [
      "vitest.config.ts",
      'export default { test: { alias: { "@": "./src", ui: "./src/ui", "~one": "./src/one" } } };',
    ],
  ])("import resolution applies the aliases in the test runner's %s", async (name, text) => {
    expect(await edges({ ...files, [name]: text })).toEqual(expected);
  });

  it.each([
    ["cannot be parsed", "export default { resolve: { alias: {"],
    ["lead out of the tree", 'export default { resolve: { alias: { "@": "../../src" } } };'],
    ["are computed", "export default { resolve: { alias: aliases() } };"],
    ["are in another section", 'export default { other: { alias: { "@": "./src" } } };'],
  ])("import resolution ignores bundler aliases that %s", async (_name, text) => {
    expect(await edges({ ...files, "vite.config.ts": text })).toEqual([]);
  });

  it("import resolution applies bundler aliases only to their own package, and exact aliases only to the exact name", async () => {
    expect(
      await edges({
        "package.json": '{ "workspaces": ["p/*"] }',
        "p/one/package.json": '{ "name": "one" }',
        "p/one/vite.config.ts": 'export default { resolve: { alias: { "@": "./src" } } };',
        "p/one/src/a.ts": 'import "@/b";',
        "p/one/src/b.ts": "",
        "p/two/package.json": '{ "name": "two" }',
        "p/two/webpack.config.js": 'module.exports = { resolve: { alias: { x$: "./src/x" } } };',
        "p/two/src/a.ts": 'import "@/b"; import "x"; import "x/y";',
        "p/two/src/x/index.ts": "",
        "p/two/src/x/y.ts": "",
      }),
    ).toEqual([
      "p/one/src/a.ts -import-> p/one/src/b.ts",
      "p/two/src/a.ts -import-> p/two/src/x/index.ts",
    ]);
  });

  it("import resolution follows a bundler alias to its new folder after the configuration changes", async () => {
    const root = temporaryTree({ ...files, "lib/a.ts": "", "vite.config.ts": aliasTo("src") });
    const opened = await openCodeGraph({ root, cache: false });
    await opened.ready;
    expect(graphEdges(opened.graph)).toEqual(["main.ts -import-> src/a.ts"]);
    writeTree(root, { "vite.config.ts": aliasTo("lib/") });
    expect(graphEdges(await opened.refresh())).toEqual(["main.ts -import-> lib/a.ts"]);
  });
});

describe("workspace packages", () => {
  const lib = JSON.stringify({
    name: "@w/lib",
    exports: {
      ".": { types: "./dist/index.d.ts", import: "./dist/index.js" },
      "./sub/*": "./dist/sub/*.js",
    },
  });
  const files = {
    "package.json": '{ "workspaces": ["packages/*"] }',
    "packages/lib/package.json": lib,
    "packages/lib/src/index.ts": "export const x = 1;",
    "packages/lib/src/sub/one.ts": "",
    "packages/app/package.json": '{ "name": "app" }',
    "packages/app/a.ts": 'import "@w/lib";\nimport "@w/lib/sub/one";',
  };
  const expected = [
    "packages/app/a.ts -import-> packages/lib/src/index.ts",
    "packages/app/a.ts -import-> packages/lib/src/sub/one.ts",
  ];

  it("import resolution finds the sources of workspace packages without an installation", async () => {
    expect(await edges(files)).toEqual(expected);
  });

  it("import resolution finds the sources of workspace packages through the symbolic links of an installation", async () => {
    const root = temporaryTree(files);
    mkdirSync(join(root, "node_modules/@w"), { recursive: true });
    symlinkSync(join(root, "packages/lib"), join(root, "node_modules/@w/lib"));
    expect(graphEdges((await openCodeGraph({ root })).graph)).toEqual(expected);
  });

  it("import resolution finds the packages of pnpm-workspace.yaml and ignores a fixture with the same package name", async () => {
    const { "package.json": _, ...rest } = files;
    expect(
      await edges({
        ...rest,
        "pnpm-workspace.yaml": "# all\npackages:\n  - 'packages/*'\n\ncatalog:\n  x: 1\n",
        "packages/lib/deep/fixtures/lib/package.json": '{ "name": "@w/lib", "main": "wrong.ts" }',
        "packages/lib/deep/fixtures/lib/wrong.ts": "",
      }),
    ).toEqual(expected);
  });

  it("import resolution finds a package linked with file: and a package that imports its own name", async () => {
    expect(
      await edges({
        "package.json": '{ "workspaces": [], "dependencies": { "near": "file:./near" } }',
        "near/package.json": '{ "name": "near", "main": "main.js" }',
        "near/main.js": 'import "near/other.js";',
        "near/other.js": "",
        "a.js": 'import "near";',
      }),
    ).toEqual(["a.js -import-> near/main.js", "near/main.js -import-> near/other.js"]);
  });

  it("import resolution applies the imports field of a package.json", async () => {
    expect(
      await edges({
        "package.json": '{ "imports": { "#x": "./src/x.ts", "#dist/*": "./dist/*.js" } }',
        "src/a.ts": 'import "#x";\nimport "#dist/y";',
        "src/x.ts": "",
        "src/y.ts": "",
      }),
    ).toEqual(["src/a.ts -import-> src/x.ts", "src/a.ts -import-> src/y.ts"]);
  });

  it("import resolution applies the imports field to other packages, built-in modules and workspace packages", async () => {
    const { graph } = await openCodeGraph({
      root: temporaryTree({
        "package.json": '{ "workspaces": ["p/*"] }',
        "p/a/package.json": JSON.stringify({
          imports: {
            "#lo": "lodash",
            "#lo/*": "@x/lo/*",
            "#dep": { node: "@w/c", default: "@w/c" },
            "#fs": { node: "node:fs", default: "./src/fs.ts" },
            "#os": "node:os",
            "#gone": "./src/gone.ts",
          },
        }),
        "p/a/src/a.ts":
          'import "#lo";\nimport "#lo/x";\nimport "#dep";\nimport "#fs";\nimport "#os";\nimport "#gone";',
        "p/a/src/fs.ts": "",
        "p/a/src/lodash.ts": "",
        "p/c/package.json": '{ "name": "@w/c", "main": "lib/main.js" }',
        "p/c/src/main.ts": "",
      }),
    });
    expect(graphEdges(graph)).toEqual([
      "p/a/src/a.ts -import-> p/a/src/fs.ts",
      "p/a/src/a.ts -import-> p/c/src/main.ts",
    ]);
    const { packages, gaps } = graph;
    const names = [...packages.inFile(graph.files.find("p/a/src/a.ts")!)];
    expect(names.map((row) => packages.text(row))).toEqual(["lodash", "@x/lo", "os"]);
    const unknown = [...gaps.inFile(graph.files.find("p/a/src/a.ts")!)];
    expect(unknown.map((gap) => gaps.text(gap))).toEqual(["#gone"]);
  });

  it("import resolution selects the export condition by import or require", async () => {
    expect(
      await edges({
        "package.json":
          '{ "name": "me", "exports": { "import": "./a.mjs", "require": "./a.cjs" } }',
        "a.mjs": "",
        "a.cjs": "",
        "b.mjs": 'import "me";',
        "c.cjs": 'require("me");',
      }),
    ).toEqual(["b.mjs -import-> a.mjs", "c.cjs -require-> a.cjs"]);
  });
});

/** The result of an import from another package of the workspace: a package, an edge or a gap. */
async function lead(lib: object, files: Record<string, string>, specifier: string) {
  const { graph } = await openCodeGraph({
    root: temporaryTree({
      "package.json": '{ "workspaces": ["p/*"] }',
      "p/lib/package.json": JSON.stringify({ name: "@w/lib", ...lib }),
      "p/app/package.json": '{ "name": "app" }',
      "p/app/a.ts": `import ${JSON.stringify(specifier)};`,
      ...files,
    }),
  });
  const { gaps, packages } = graph;
  for (const gap of gaps.inFile(graph.files.find("p/app/a.ts")!)) return gaps.kind(gap);
  return packages.count > 0 ? packages.text(0) : graphEdges(graph)[0];
}

describe("missing paths of workspace packages", () => {
  const source = { "p/lib/index.ts": "" };
  const exports = {
    ".": "./dist/index.js",
    "./built": { node: { require: "./dist/built.cjs" } },
    "./sub/*": "./dist/sub/*.js",
    "./sub/own/*": null,
    "./old/": "./dist/old/",
  };

  it.each([
    ["that its exports do not name", { exports }, source, "@w/lib/nope"],
    ["that its exports exclude", { exports }, source, "@w/lib/sub/own/x"],
    ["when only the package is exported", { exports: "./index.ts" }, source, "@w/lib/nope"],
    ["that is not one of its files", { main: "./index.js" }, source, "@w/lib/nope"],
    ["that is not a file beside its index", {}, source, "@w/lib/deep/nope.js"],
  ])(
    "import resolution finds no file for a path of a workspace package %s",
    async (_name, lib, files, specifier) => {
      expect(await lead(lib, files, specifier)).toBe("unresolved");
    },
  );

  it.each([
    ["is a built file", { exports }, source, "@w/lib/built"],
    ["is a built file of a pattern", { exports }, source, "@w/lib/sub/x"],
    ["is in a built folder", { exports }, source, "@w/lib/old/x.js"],
    ["is in an output folder", {}, source, "@w/lib/dist/x"],
    ["may be a compiled file", {}, source, "@w/lib/theme.css"],
    ["may exist after a build", { main: "./dist/main.js" }, {}, "@w/lib/nope"],
    [
      "has its own folder",
      { exports },
      { ...source, "p/lib/src/button/public_api.ts": "" },
      "@w/lib/button",
    ],
    [
      "may exist in the published package",
      { publishConfig: { directory: "dist" } },
      source,
      "@w/lib/nope",
    ],
  ])(
    "import resolution attributes an import to the workspace package when the path %s",
    async (_name, lib, files, specifier) => {
      expect(await lead(lib, files, specifier)).toBe("@w/lib");
    },
  );

  it("import resolution attributes an import to the installed package when the workspace package does not have the path", async () => {
    const files = { ...source, "node_modules/@w/lib/nope.js": "", ".gitignore": "node_modules" };
    expect(await lead({}, files, "@w/lib/nope")).toBe("@w/lib");
  });
});

describe("relative imports", () => {
  it("import resolution prefers a source file over the built file beside the source, and resolves folders by their package.json", async () => {
    expect(
      await edges({
        "a.ts": 'import "./b.js";\nimport "./c";\nimport "./d.vue?raw";\nimport ".";',
        "b.ts": "",
        "b.js": "",
        "c/package.json": '{ "main": "./lib/main.js" }',
        "c/lib/main.js": "",
        "d.vue": "",
        "index.ts": "",
      }),
    ).toEqual([
      "a.ts -import-> b.ts",
      "a.ts -import-> c/lib/main.js",
      "a.ts -import-> d.vue",
      "a.ts -import-> index.ts",
    ]);
  });
});
