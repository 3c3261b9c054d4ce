import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";

interface Result {
  readonly exports: { name: string; usedBy?: number }[];
  readonly references: { path: string; line: number }[];
  readonly completeness: string;
  readonly why?: string[];
}

function open(files: Readonly<Record<string, string>>) {
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const ask = async (tool: string, args: object): Promise<Result> =>
    (await tools.call(tool, { ...args })).data.result as Result;
  const exportsOf = async (target: string): Promise<string[]> =>
    (await ask("module", { target })).exports.map(({ name, usedBy }) => `${name} ${usedBy ?? "?"}`);
  const placesOf = async (symbol: string): Promise<string[]> =>
    (await ask("references", { symbol })).references.map(({ path, line }) => `${path}:${line}`);
  return { ask, exportsOf, placesOf };
}

describe("users of an export", () => {
  const files = {
    "ns.ts": "export const one = 1;\nexport const two = () => 2;\nexport const three = 3;",
    "lazy.ts": "export const two = () => 2;\nexport const four = 4;",
    "named.ts": "export const used = 1;\nexport const unused = 2;",
    "a.ts": 'import * as ns from "./ns";\nns.two();\nns.two();',
    "b.ts": 'export const later = () => import("./lazy").then((m) => m.two());',
    "c.ts":
      'import { used } from "./named";\nimport * as ns from "./ns";\nns.one + ns.two() + used;',
  };

  it("the code graph counts the users of an export through namespace and lazy imports, and omits unknown counts", async () => {
    const { ask, exportsOf } = open(files);
    expect(await exportsOf("ns.ts")).toEqual(["one 1", "three ?", "two 2"]);
    expect(await exportsOf("lazy.ts")).toEqual(["four ?", "two 1"]);
    expect(await ask("module", { target: "ns.ts" })).toMatchObject({
      completeness: "lower-bound",
      why: ["it is imported as a whole, so exports without usedBy may be used"],
    });
  });

  it("the code graph shows 0 users of an export only where no other user is possible", async () => {
    const { ask, exportsOf } = open(files);
    expect(await exportsOf("named.ts")).toEqual(["unused 0", "used 1"]);
    expect(await ask("module", { target: "named.ts" })).toMatchObject({ completeness: "exact" });
  });
});

describe("CommonJS files", () => {
  const files = {
    "u.js":
      'function one() {}\nexports.one = one;\nexports.two = function two() {};\nmodule.exports["three"] = () => 3;',
    "object.js":
      "function five() {}\nmodule.exports = exports = { five, six: () => 6, get seven() { return 7; }, ...more };",
    "k.js": "class K { go() {} }\nmodule.exports = K;",
    "compiled.js":
      '"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.a = exports.b = void 0;\nexports.a = 1;\nObject.defineProperty(exports, "c", { get() {} });',
    "umd.js": "(function (f) { module.exports = f(); })(() => ({ hidden: 1 }));",
    "init.js": "function init() { exports.late = 1; }\ninit();",
    "bundle.js":
      "[function (module, exports) { module.exports = 1; exports.no = 2; }].forEach((f) => f({}, {}));",
    "both.js": "var exports = module.exports = {};\nexports.yes = 1;",
    "script.js": "var exports = {};\nexports.no = 1;",
    "i.js": [
      'const { two, three: other } = require("./u");',
      'const K = require("./k");',
      'require("./object").five();',
      'const umd = require("./umd"), late = require("./init");',
      "two();",
      "new K().go();",
    ].join("\n"),
  };

  it("the code graph lists the assigned exports of a CommonJS file with their users", async () => {
    const { exportsOf } = open(files);
    expect(await exportsOf("u.js")).toEqual(["one 0", "three 1", "two 1"]);
    expect(await exportsOf("object.js")).toEqual(["export= 0", "five 1", "seven 0", "six 0"]);
    expect(await exportsOf("k.js")).toEqual(["export= 1"]);
    expect(await exportsOf("compiled.js")).toEqual(["a 0", "b 0", "c 0"]);
    expect(await exportsOf("umd.js")).toEqual(["export= 1"]);
    expect(await exportsOf("both.js")).toEqual(["yes 0"]);
    for (const none of ["script.js", "bundle.js"]) expect(await exportsOf(none)).toEqual([]);
  });

  it("the code graph reports the exports of a CommonJS file as incomplete (a lower bound) when assignments cannot be read", async () => {
    const { ask } = open(files);
    expect(await ask("module", { target: "init.js" })).toMatchObject({
      exports: [],
      completeness: "lower-bound",
      why: ["the names that it exports could not be read"],
    });
    expect(await ask("module", { target: "u.js" })).toMatchObject({ completeness: "exact" });
  });

  it("the code graph finds references to CommonJS exports through named and whole imports", async () => {
    const { placesOf } = open(files);
    expect(await placesOf("two")).toEqual(["u.js:3", "i.js:1", "i.js:5"]);
    expect(await placesOf("K")).toEqual(["k.js:1", "i.js:2", "i.js:6", "k.js:2"]);
    expect(await placesOf("five")).toEqual(["object.js:1", "i.js:3", "object.js:2"]);
  });

  it("the code graph reports no broken or dead exports in CommonJS files", async () => {
    const { ask } = open({
      ...files,
      "package.json": '{ "main": "i.js" }',
      "alone.js": "exports.run = () => 1;",
      "m.mjs":
        'import u, { gone } from "./u.js";\nimport { hidden } from "./umd.js";\nu(gone, hidden);',
    });
    expect(await ask("issues", {})).toMatchObject({ issues: [] });
  });
});

describe("default exports", () => {
  it("the code graph finds all references to an export by each of its names", async () => {
    const { placesOf } = open({
      "b1.ts": 'export { default as dd } from "./impl";',
      "impl.ts":
        "export default function def() {}\nfunction twice() {}\nexport { twice, twice as again };",
      "main.ts": 'import { dd } from "./b1";\nimport { again } from "./impl";\ndd();\nagain();',
    });
    const expected = ["impl.ts:1", "b1.ts:1", "main.ts:1", "main.ts:3"];
    expect(await placesOf("def")).toEqual(expected);
    expect(await placesOf("impl.ts#default")).toEqual(expected);
    expect(await placesOf("impl.ts#twice")).toEqual(await placesOf("impl.ts#again"));
    expect(await placesOf("impl.ts#twice")).toContain("main.ts:2");
  });
});
