import { symlinkSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCodeGraph } from "./index.ts";
import { graphEdges, temporaryTree, writeTree } from "./testing/temporary-tree.ts";

const edges = async (files: Record<string, string>) =>
  graphEdges((await openCodeGraph({ root: temporaryTree(files) })).graph);

describe("TypeScript configuration", () => {
  it("TypeScript configuration is read with comments, trailing commas and what it extends", async () => {
    expect(
      await edges({
        "tsconfig.json": '{ // why\n "extends": "./config/base.json", "include": ["src"], }',
        "config/base.json": '{ "compilerOptions": { "paths": { "@/*": ["../src/*"], }, } }',
        "src/a.ts": 'import "@/deep/b";',
        "src/deep/b.ts": "",
      }),
    ).toEqual(["src/a.ts -import-> src/deep/b.ts"]);
  });

  it("TypeScript configuration is that of the nearest folder, or of the project that includes the file", async () => {
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

  it("TypeScript configuration may name a base for all paths", async () => {
    expect(
      await edges({
        "tsconfig.json": '{ "compilerOptions": { "baseUrl": "./src" } }',
        "src/a.ts": 'import "deep/b";',
        "src/deep/b.ts": "",
      }),
    ).toEqual(["src/a.ts -import-> src/deep/b.ts"]);
  });
});

describe("TypeScript configuration that extends what is not there", () => {
  it("TypeScript configuration that extends what is not there still counts with its own names and bases, and those that it does reach", async () => {
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

  it("TypeScript configuration that extends what is not there may extend a package of the tree, or be one that others refer to", async () => {
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

  it("TypeScript configuration that extends what is not there is not followed in circles, and one that is no JSON says nothing", async () => {
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

describe("names that SvelteKit gives", () => {
  const files = {
    "tsconfig.json": '{ "extends": "./.svelte-kit/tsconfig.json" }',
    "src/routes/+page.ts":
      'import { a } from "$lib/a"; import { b } from "$lib"; import "./$types"; import "$app/state";',
    "src/lib/a.ts": "export const a = 1;",
    "src/lib/index.ts": "export const b = 1;",
  };
  const withKit = { "package.json": '{ "devDependencies": { "@sveltejs/kit": "2.0.0" } }' };

  it("names that SvelteKit gives are those of its library and of what it makes", async () => {
    const { graph } = await openCodeGraph({ root: temporaryTree({ ...files, ...withKit }) });
    expect(graphEdges(graph)).toEqual([
      "src/routes/+page.ts -import-> src/lib/a.ts",
      "src/routes/+page.ts -import-> src/lib/index.ts",
    ]);
    expect(graph.gaps.count).toBe(0);
    expect(graph.packages.text(0)).toBe("@sveltejs/kit");
  });

  it("names that SvelteKit gives are those that its settings add", async () => {
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

  it("names that SvelteKit gives lead elsewhere once the settings say so", async () => {
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

  it("names that SvelteKit gives mean nothing where it is not used", async () => {
    expect(await edges({ ...files, "package.json": "{}" })).toEqual([]);
  });
});

describe("names that the settings of a bundler give", () => {
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
  ])("names that the settings of a bundler give are read from %s", async (name, text) => {
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
  ])(
    "names that the settings of a bundler give are read from the test runner's %s",
    async (name, text) => {
      expect(await edges({ ...files, [name]: text })).toEqual(expected);
    },
  );

  it.each([
    ["cannot be parsed", "export default { resolve: { alias: {"],
    ["lead out of the tree", 'export default { resolve: { alias: { "@": "../../src" } } };'],
    ["are worked out", "export default { resolve: { alias: aliases() } };"],
    ["stand elsewhere", 'export default { other: { alias: { "@": "./src" } } };'],
  ])("names that the settings of a bundler give are none where they %s", async (_name, text) => {
    expect(await edges({ ...files, "vite.config.ts": text })).toEqual([]);
  });

  it("names that the settings of a bundler give are those of the package that imports, and an exact one has nothing below", async () => {
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

  it("names that the settings of a bundler give lead elsewhere once the settings say so", async () => {
    const root = temporaryTree({ ...files, "lib/a.ts": "", "vite.config.ts": aliasTo("src") });
    const opened = await openCodeGraph({ root, cache: false });
    await opened.ready;
    expect(graphEdges(opened.graph)).toEqual(["main.ts -import-> src/a.ts"]);
    writeTree(root, { "vite.config.ts": aliasTo("lib/") });
    expect(graphEdges(await opened.refresh())).toEqual(["main.ts -import-> lib/a.ts"]);
  });
});

describe("packages of the workspace", () => {
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

  it("packages of the workspace are found without an installation, by the source of what they build", async () => {
    expect(await edges(files)).toEqual(expected);
  });

  it("packages of the workspace are found through the links of an installation", async () => {
    const root = temporaryTree(files);
    mkdirSync(join(root, "node_modules/@w"), { recursive: true });
    symlinkSync(join(root, "packages/lib"), join(root, "node_modules/@w/lib"));
    expect(graphEdges((await openCodeGraph({ root })).graph)).toEqual(expected);
  });

  it("packages of the workspace are named by pnpm, and a fixture of the same name is none of them", async () => {
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

  it("packages of the workspace may be linked by a folder, and may name themselves", async () => {
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

  it("packages of the workspace have imports of their own", async () => {
    expect(
      await edges({
        "package.json": '{ "imports": { "#x": "./src/x.ts", "#dist/*": "./dist/*.js" } }',
        "src/a.ts": 'import "#x";\nimport "#dist/y";',
        "src/x.ts": "",
        "src/y.ts": "",
      }),
    ).toEqual(["src/a.ts -import-> src/x.ts", "src/a.ts -import-> src/y.ts"]);
  });

  it("packages of the workspace may give their own names to other packages, installed or not, and to those here", async () => {
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

  it("packages of the workspace choose by how they are loaded", async () => {
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

/** Where an import by another package of the workspace leads: a package, an edge or a gap. */
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

describe("paths that packages of the workspace do not have", () => {
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
    ["that its exports take out", { exports }, source, "@w/lib/sub/own/x"],
    ["when only the package is exported", { exports: "./index.ts" }, source, "@w/lib/nope"],
    ["that is no file of it", { main: "./index.js" }, source, "@w/lib/nope"],
    ["that is no file beside its index", {}, source, "@w/lib/deep/nope.js"],
  ])("does not resolve a path %s", async (_name, lib, files, specifier) => {
    expect(await lead(lib, files, specifier)).toBe("unresolved");
  });

  it.each([
    ["is built", { exports }, source, "@w/lib/built"],
    ["is built by a pattern", { exports }, source, "@w/lib/sub/x"],
    ["is built into a folder", { exports }, source, "@w/lib/old/x.js"],
    ["lies where builds put files", {}, source, "@w/lib/dist/x"],
    ["may be compiled", {}, source, "@w/lib/theme.css"],
    ["may be there when it is built", { main: "./dist/main.js" }, {}, "@w/lib/nope"],
    [
      "stands in a folder of its own",
      { exports },
      { ...source, "p/lib/src/button/public_api.ts": "" },
      "@w/lib/button",
    ],
    ["may be published", { publishConfig: { directory: "dist" } }, source, "@w/lib/nope"],
  ])(
    "paths that packages of the workspace do not have are left to the package when something %s",
    async (_name, lib, files, specifier) => {
      expect(await lead(lib, files, specifier)).toBe("@w/lib");
    },
  );

  it("paths that packages of the workspace do not have are not those of what is installed in its place", async () => {
    const files = { ...source, "node_modules/@w/lib/nope.js": "", ".gitignore": "node_modules" };
    expect(await lead({}, files, "@w/lib/nope")).toBe("@w/lib");
  });
});

describe("relative names", () => {
  it("relative names prefer the source to what is built beside it, and folders by their package.json", async () => {
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
