import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { originName } from "../git/repository-name.ts";
import type { CodeGraph } from "../graph/index.ts";
import { openCodeGraph } from "./index.ts";
import { graphEdges, git, temporaryTree } from "./testing/temporary-tree.ts";

const pathsOf = ({ files }: CodeGraph) =>
  Array.from({ length: files.count }, (_, id) => files.path(id));
const open = async (root: string) => (await openCodeGraph({ root, cache: false })).graph;
const gapsOf = ({ gaps, files }: CodeGraph) =>
  Array.from({ length: gaps.count }, (_, gap) => `${files.path(gaps.file(gap))} ${gaps.kind(gap)}`);

const statesOf = ({ files }: CodeGraph) =>
  Array.from({ length: files.count }, (_, id) => files.state(id));

describe("root folder", () => {
  it("the code graph of an empty root is empty", async () => {
    expect((await open(temporaryTree({}))).files.count).toBe(0);
  });

  it("the code graph rejects a root that is not a folder and says what to pass", async () => {
    const root = temporaryTree({ "a.ts": "" });
    await expect(openCodeGraph({ root: join(root, "a.ts") })).rejects.toThrow("pass the folder");
    await expect(openCodeGraph({ root: join(root, "gone") })).rejects.toThrow("pass the folder");
  });

  it("the code graph does not open the root when the caller has already cancelled", async () => {
    const root = temporaryTree({ "a.ts": "" });
    const signal = AbortSignal.abort(new Error("changed my mind"));
    await expect(openCodeGraph({ root, signal })).rejects.toThrow("changed my mind");
  });

  it("the code graph stops reading the root when the caller cancels", async () => {
    const files = Array.from({ length: 300 }, (_, at) => [`f${at}.ts`, "export {};"]);
    const root = temporaryTree(Object.fromEntries(files));
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error("enough"));
    await expect(openCodeGraph({ root, signal: controller.signal, onProgress })).rejects.toThrow(
      "enough",
    );
  });
});

describe("unusual files", () => {
  it.skipIf(process.platform === "win32")(
    "the code graph reads the other files of a tree that contains the longest path that the system allows",
    async () => {
      const root = temporaryTree({ "a.ts": "" });
      let folder = root;
      while (folder.length < 3_900) folder = join(folder, "n".repeat(150));
      folder = join(folder, "n".repeat(4_093 - folder.length - 1));
      mkdirSync(folder, { recursive: true });
      expect(pathsOf(await open(root))).toEqual(["a.ts"]);
    },
  );

  it("the code graph counts huge files without parsing them", async () => {
    const minified = `export const x=[${"1,".repeat(2_600_000)}1];`;
    const graph = await open(
      temporaryTree({ "big.min.js": minified, "a.js": 'import "./big.min.js";' }),
    );
    expect(graph.files.state(graph.files.find("big.min.js")!)).toBe("skipped");
    expect(gapsOf(graph)).toEqual(["big.min.js unsupported"]);
    expect(graphEdges(graph)).toEqual(["a.js -import-> big.min.js"]);
  });

  it("the code graph reports files that are not text or not UTF-8", async () => {
    const graph = await open(
      temporaryTree({
        "binary.ts": new Uint8Array([0, 1, 2, 255]),
        "latin.ts": Buffer.concat([Buffer.from('import "./b"; // caf'), Buffer.from([0xe9])]),
        "b.ts": "",
      }),
    );
    expect(gapsOf(graph)).toEqual(["binary.ts unreadable", "latin.ts unreadable"]);
    expect(graph.files.state(graph.files.find("latin.ts")!)).toBe("partial");
    expect(graphEdges(graph)).toEqual(["latin.ts -import-> b.ts"]);
  });

  it("the code graph keeps calls of require and import() of a file with Flow types that cannot be parsed", async () => {
    const graph = await open(
      temporaryTree({
        "a.js": `// @flow
// require("./commented.js");
let [b, c] = [require("./b.js"), require("./b.js")];
const later = () => import("./c.js");
const cast = ((b.first(0): any): number);
mock.require("./commented.js");
`,
        "b.js": "exports.first = 1;",
        "c.js": "",
        "commented.js": "",
      }),
    );
    expect(graphEdges(graph)).toEqual([
      "a.js -dynamic-> c.js",
      "a.js -require-> b.js",
      "a.js -require-> b.js",
    ]);
    expect(graph.imports.confidence(1)).toBe("likely");
  });

  it("the code graph keeps the readable imports of a file with syntax errors, and marks them as likely", async () => {
    const graph = await open(
      temporaryTree({
        "a.ts": 'import { b } from "./b";\nconst x = ;\nexport * from "./c";',
        "b.ts": "",
        "c.ts": "",
      }),
    );
    expect(gapsOf(graph)).toEqual(["a.ts syntax"]);
    expect(graph.gaps.line(0)).toBe(2);
    expect(graphEdges(graph)).toEqual(["a.ts -import-> b.ts", "a.ts -reexport-> c.ts"]);
    expect(graph.imports.confidence(1)).toBe("likely");
  });

  it("the code graph reads JavaScript files with Flow types", async () => {
    const graph = await open(
      temporaryTree({
        "a.js": "// @flow\nimport type { B } from './b';\nconst x: B = 1;",
        "b.js": "",
      }),
    );
    expect(graphEdges(graph)).toEqual(["a.js -import type-> b.js"]);
  });

  it
    .skipIf(process.platform === "win32")
    .each([
      ".gitignore",
      "below/.gitignore",
      ".waybill/graph/cache/graph.bin",
      ".git",
      ".git/HEAD",
      ".git/config",
    ])("the code graph is built if %s is a link to an endless device", async (name) => {
    const root = temporaryTree({ "a.ts": 'import "./below/b";', "below/b.ts": "" });
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync("/dev/zero", join(root, name));
    const { graph } = await openCodeGraph({ root });
    expect(graphEdges(graph)).toEqual(["a.ts -import-> below/b.ts"]);
    expect(originName(root)).toBeUndefined();
  });

  it("the code graph counts files of other languages as not parsed", async () => {
    const { files } = await open(temporaryTree({ "a.swift": "import b", "b.png": "x" }));
    expect([files.state(0), files.language(0), files.kind(0)]).toEqual([
      "skipped",
      "other",
      "asset",
    ]);
  });

  it("the code graph distinguishes two files whose names differ only in case", async () => {
    const graph = await open(
      temporaryTree({ "a.ts": 'import "./Name";\nimport "./name";', "Name.ts": "", "name.ts": "" }),
    );
    expect(graphEdges(graph)).toEqual(["a.ts -import-> Name.ts", "a.ts -import-> name.ts"]);
  });

  it("the code graph contains the files beside a package.json that is not JSON or not an object", async () => {
    const graph = await open(
      temporaryTree({
        "package.json": "{ oops",
        "x/package.json": "[]",
        "a.ts": 'import "./b";',
        "b.ts": "",
      }),
    );
    expect(graphEdges(graph)).toEqual(["a.ts -import-> b.ts"]);
    expect(graph.info.manifests).toEqual([]);
  });
});

describe("symbolic links", () => {
  it("the code graph does not follow symbolic links that loop or leave the root", async () => {
    const outside = temporaryTree({ "secret.ts": "" });
    const root = temporaryTree({
      "a.ts": 'import "./out/secret";\nimport "../x";',
      "sub/b.ts": "",
    });
    symlinkSync("..", join(root, "sub/loop"));
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(outside, "secret.ts"), join(root, "secret.ts"));
    const graph = await open(root);
    expect(pathsOf(graph)).toEqual(["a.ts", "sub/b.ts"]);
    expect(graphEdges(graph)).toEqual([]);
  });
});

it.each([
  ["tags that never end", '<script "'],
  ["script tags without an end tag", "<script>"],
  ["script tags that name other files", "<script src=./a></script>\n"],
  ["comments that never end", "<!-- <script src=./a></script>\n"],
])("the code graph reads a component file full of %s", async (_, text) => {
  const root = temporaryTree({ "a.vue": text.repeat(40_000) });
  expect(pathsOf(await open(root))).toEqual(["a.vue"]);
});

it.each([
  ["brackets", "[", 50_000],
  ["functions", "x = function () {\n", 5_000],
  ["template strings", "`${", 20_000],
])(
  "the code graph skips a file with %s that nest too deeply for a parser",
  async (_, text, times) => {
    const root = temporaryTree({ "deep.ts": text.repeat(times), "a.ts": 'import "./deep";' });
    const { files, gaps } = await open(root);
    expect(files.state(files.find("deep.ts")!)).toBe("skipped");
    expect([gaps.text(0), gaps.detail(0)]).toEqual(["too deep", "brackets nest deeper than 1000"]);
  },
);

describe("files that git ignores", () => {
  const files = {
    ".gitignore": "/dist/\n*.log\n!keep.log\nnested/**/gen\n",
    "sub/.gitignore": "local.ts\n",
    "a.ts": 'import "./dist/x";',
    "dist/x.ts": "",
    "sub/dist/y.ts": "",
    "sub/local.ts": "",
    "drop.log": "",
    "keep.log": "",
    "nested/deep/gen/z.ts": "",
    "hidden.ts": "",
    "node_modules/p/index.ts": "",
  };
  const kept = [".gitignore", "a.ts", "keep.log", "sub/.gitignore", "sub/dist/y.ts"];

  it("the code graph leaves out ignored files in a repository", async () => {
    const root = temporaryTree(files);
    git(root, "init", "-q");
    writeFileSync(join(root, ".git/info/exclude"), "hidden.ts\n");
    const graph = await open(root);
    expect(pathsOf(graph)).toEqual(kept);
    expect(gapsOf(graph)).toEqual(["a.ts unsupported"]);
  });

  it("the code graph leaves out files that .gitignore names where there is no repository", async () => {
    const root = temporaryTree(files);
    expect(pathsOf(await open(root))).toEqual(kept.toSpliced(2, 0, "hidden.ts"));
  });

  it("the code graph leaves out Yarn's program file and the packages that Yarn stores in a repository", async () => {
    const root = temporaryTree({
      "a.ts": "",
      ".yarn/releases/yarn-4.12.0.cjs": "require(process.env.PLUGIN);",
      ".yarn/sdks/typescript/lib/tsc.js": "",
      ".yarn/cache/p.js": "",
      "app/.pnp.cjs": "",
      ".pnp.loader.mjs": "",
      ".yarn/plugins/own.cjs": 'require("../../a.ts");',
    });
    expect(pathsOf(await open(root))).toEqual([".yarn/plugins/own.cjs", "a.ts"]);
  });

  it("the code graph leaves out submodules and nested checkouts", async () => {
    const root = temporaryTree({ "a.ts": "", "inner/b.ts": "" });
    git(join(root, "inner"), "init", "-q");
    expect(pathsOf(await open(root))).toEqual(["a.ts"]);
    git(root, "init", "-q");
    expect(pathsOf(await open(root))).toEqual(["a.ts"]);
  });

  it("the code graph applies .gitignore in a git worktree and in a subfolder of a repository", async () => {
    const root = temporaryTree({ ".gitignore": "*.log\n", "pkg/a.ts": "", "pkg/x.log": "" });
    git(root, "init", "-q");
    git(root, "add", ".");
    git(root, "commit", "-qm", "one");
    expect(pathsOf(await open(join(root, "pkg")))).toEqual(["a.ts"]);
    const tree = join(temporaryTree({}), "tree");
    git(root, "worktree", "add", "-q", tree);
    expect(pathsOf(await open(tree))).toEqual([".gitignore", "pkg/a.ts"]);
  });
});

describe("deeply nested code", () => {
  const deep = `export const deep = a${".a()".repeat(6_000)};`;

  it("the code graph marks a file that nests too deeply for the stack as partial, and still reads the symbols of other files", async () => {
    const root = temporaryTree({ "a.ts": deep, "b.ts": "export function b() {}" });
    const opened = await openCodeGraph({ root, cache: false });
    await opened.ready;
    expect(statesOf(opened.graph)).toEqual(["partial", "parsed"]);
    expect([...opened.graph.symbols.inFile(1)]).toHaveLength(2);
    writeFileSync(join(root, "a.ts"), "export const deep = 1;");
    expect(statesOf(await opened.refresh())).toEqual(["parsed", "parsed"]);
    writeFileSync(join(root, "a.ts"), deep);
    expect(statesOf(await opened.refresh())).toEqual(["partial", "parsed"]);
  });
});

describe("programs in the git configuration", () => {
  it("the code graph does not run a program that the git configuration of the workspace names", async () => {
    const root = temporaryTree({ "a.ts": "" });
    git(root, "init", "-q");
    const marker = join(root, "ran");
    const program = join(root, "evil.sh");
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    mkdirSync(join(root, ".git/hooks"), { recursive: true });
    git(root, "config", "core.fsmonitor", program);
    git(root, "config", "core.pager", program);
    expect(pathsOf(await open(root))).toEqual(["a.ts", "evil.sh"]);
    expect(existsSync(marker)).toBe(false);
  });
});
