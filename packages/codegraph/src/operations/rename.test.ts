import { chmodSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { UNSAFE_RENAMES } from "../fixtures/unsafe-renames.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

const FILES = {
  "shape.ts": `/** A figure. */
export interface Shape {
  area(): number;
}
export class Square implements Shape {
  area() {
    return 4;
  }
}
export function total(shapes: Shape[]): number {
  return shapes.reduce((sum, shape) => sum + shape.area(), 0);
}
`,
  "index.ts": 'export { Square, total } from "./shape";\n',
  "use.ts": `import { Square as Box, total } from "./index";
export const all = { total, sum: total([new Box()]) };
const { area } = new Box();
area();
`,
  "lib.py": "def greet(name):\n    return name\n",
  "app.py": "from lib import greet as hello, greet\n\nhello('a')\ngreet('b')\n",
};

const PYTHON = `from typing import overload

class A:
    @property
    def x(self):
        return 1

    @x.setter
    def x(self, value):
        pass

    def run(self):
        self.x = 2

@overload
def f(a: int) -> int: ...
@overload
def f(a: str) -> str: ...
def f(a):
    return a

f(1)
`;

function openTree(files: Readonly<Record<string, string>>): { root: string; tools: GraphTools } {
  const root = temporaryTree(files);
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return { root, tools };
}

interface Plan {
  readonly edits: readonly { path: string; line: number; column: number; text?: string }[];
  readonly completeness: string;
}

async function plannedEdits(tools: GraphTools, symbol: string, to: string): Promise<string[]> {
  const { data } = await tools.call("rename", { symbol, to, maxTokens: 20_000 });
  const { edits } = data.result as Plan;
  return edits.map(({ path, line, column, text = "" }) =>
    `${path}:${line}:${column} ${text}`.trim(),
  );
}

describe("rename", () => {
  it("graph_rename lists the declaration, imports, exports, uses and shorthand properties to change", async () => {
    const { tools } = openTree(FILES);
    expect(await plannedEdits(tools, "shape.ts#total", "sumOf")).toEqual([
      "index.ts:1:18",
      "shape.ts:10:17",
      "use.ts:1:25",
      "use.ts:2:22 total: sumOf",
      "use.ts:2:34",
    ]);
  });

  it("graph_rename renames a member together with the interface member it implements, and keeps local names", async () => {
    const { tools } = openTree(FILES);
    expect(await plannedEdits(tools, "shape.ts#Square.area", "size")).toEqual([
      "shape.ts:3:3",
      "shape.ts:6:3",
      "shape.ts:11:52",
      "use.ts:3:9 size: area",
    ]);
  });

  it("renames all classes that implement an interface, starting from one of them", async () => {
    const { tools } = openTree({
      "shape.ts": FILES["shape.ts"],
      "disc.ts": `import type { Shape } from "./shape";
export class Disc implements Shape {
  area() {
    return 3;
  }
}
new Disc().area();
`,
    });
    expect(await plannedEdits(tools, "shape.ts#Square.area", "size")).toEqual([
      "disc.ts:3:3",
      "disc.ts:7:12",
      "shape.ts:3:3",
      "shape.ts:6:3",
      "shape.ts:11:52",
    ]);
  });

  it("graph_rename renames a Python import and keeps its local name", async () => {
    const { tools } = openTree(FILES);
    expect(await plannedEdits(tools, "lib.py#greet", "welcome")).toEqual([
      "app.py:1:17",
      "app.py:1:33",
      "app.py:4:1",
      "lib.py:1:5",
    ]);
  });

  it("renames all overloads, getters and setters of Python", async () => {
    const { tools } = openTree({ "a.py": PYTHON });
    const lines = PYTHON.split("\n").flatMap((line, at) =>
      /\b(?:x|f)\b/.test(line) ? [at + 1] : [],
    );
    const edits = [
      ...(await plannedEdits(tools, "a.py#A.x", "renamed")),
      ...(await plannedEdits(tools, "a.py#f", "renamed")),
    ];
    expect(edits.map((edit) => Number(edit.split(":")[1]))).toEqual(lines);
  });

  it("graph_rename rejects an invalid name, the current name and the rename of a file", async () => {
    const { tools } = openTree(FILES);
    for (const [symbol, to] of [
      ["total", "a b"],
      ["total", "total"],
      ["total", "class"],
      ["lib.py#greet", "lambda"],
      ["shape.ts", "other"],
    ]) {
      const { data } = await tools.call("rename", { symbol, to });
      expect(data.result).toMatchObject({ error: { code: "INVALID_INPUT" } });
    }
  });
});

function read(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}

describe("rename.apply", () => {
  it("graph_rename writes every edit and keeps file modes and line ends", async () => {
    const files = { ...FILES, "use.ts": FILES["use.ts"].replaceAll("\n", "\r\n") };
    const { root, tools } = openTree(files);
    chmodSync(join(root, "use.ts"), 0o640);
    const { data } = await tools.call("rename_apply", { symbol: "shape.ts#total", to: "sumOf" });
    expect(data.result).toMatchObject({ edits: 5, files: ["index.ts", "shape.ts", "use.ts"] });
    expect(read(root, "use.ts").split("\r\n").slice(0, 2)).toEqual([
      'import { Square as Box, sumOf } from "./index";',
      "export const all = { total: sumOf, sum: sumOf([new Box()]) };",
    ]);
    expect(statSync(join(root, "use.ts")).mode & 0o777).toBe(0o640);
    expect(read(root, "index.ts")).toBe('export { Square, sumOf } from "./shape";\n');
    const after = await tools.call("references", { symbol: "shape.ts#sumOf" });
    expect(after.success).toBe(true);
  });

  it.each([
    [
      "a value of unknown type has a member of the old name",
      { "b.js": "export const f = (x) => x.area();\n" },
      "shape.ts#Square.area",
    ],
    [
      "the new name is used in a file that would change",
      { "index.ts": 'export { Square, total } from "./shape";\nexport const size = 1;\n' },
      "shape.ts#total",
    ],
    ["a file cannot be parsed", { "b.ts": "total(((\n" }, "shape.ts#total"],
  ])("graph_rename writes nothing if %s", async (_name, more, symbol) => {
    const files = { ...FILES, ...more };
    const { root, tools } = openTree(files);
    const { data } = await tools.call("rename_apply", { symbol, to: "size" });
    expect(data.result).toMatchObject({
      error: { code: "NOT_AVAILABLE", details: { outcome: "not_applied" } },
    });
    for (const [path, text] of Object.entries(files)) expect(read(root, path)).toBe(text);
  });

  it.each(Object.entries(UNSAFE_RENAMES))(
    "writes nothing of a rename if %s",
    async (_name, one) => {
      const { root, tools } = openTree(one.files);
      const { data } = await tools.call("rename_apply", { symbol: one.symbol, to: one.to });
      const { error } = data.result as { error?: { message: string } };
      expect(error?.message).toContain(one.why);
      for (const [path, text] of Object.entries(one.files)) expect(read(root, path)).toBe(text);
    },
  );

  it("graph_rename writes no file if one of the files cannot be written, and leaves no temporary file behind", async () => {
    // This name is allowed, but the name of its temporary file is longer, which is too long for the
    // file system.
    const long = `${"m".repeat(230)}.ts`;
    const { root, tools } = openTree({
      ...FILES,
      [long]: 'import { total } from "./shape";\ntotal([]);\n',
    });
    const { data } = await tools.call("rename_apply", { symbol: "shape.ts#total", to: "sumOf" });
    expect(data.result).toMatchObject({ error: { details: { outcome: "not_applied" } } });
    for (const [path, text] of Object.entries(FILES)) expect(read(root, path)).toBe(text);
    expect(readdirSync(root).filter((name) => name.startsWith(".shape"))).toEqual([]);
  });
});

describe("source", () => {
  it("graph_source returns the code of a symbol with its comment, callers and callees", async () => {
    const { tools } = openTree(FILES);
    const { data } = await tools.call("source", { symbol: "shape.ts#total" });
    expect(data.result).toMatchObject({
      symbol: "total",
      path: "shape.ts",
      line: 10,
      source: FILES["shape.ts"].split("\n").slice(9, 12).join("\n"),
      callers: ["use.ts#all"],
      callees: ["shape.ts#Shape.area", "shape.ts#Square.area"],
      why: ["1 place uses a function as a value and may call it"],
    });
    const commented = await tools.call("source", { symbol: "shape.ts#Shape" });
    expect(commented.data.result).toMatchObject({ firstLine: 1, line: 2 });
  });

  it("graph_source pages through a long function to its end", async () => {
    const body = Array.from({ length: 120 }, (_, at) => `  const x${at} = ${at};`).join("\n");
    const { tools } = openTree({ "a.ts": `export function long() {\n${body}\n}\n` });
    const parts: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await tools.call("source", {
        symbol: "long",
        maxTokens: 300,
        ...(cursor !== undefined && { cursor }),
      });
      parts.push((data.result as { source: string }).source);
      cursor = data.meta.page?.cursor;
    } while (cursor !== undefined && parts.length < 50);
    expect(parts.join("\n")).toBe(`export function long() {\n${body}\n}`);
  });
});
