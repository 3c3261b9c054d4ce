import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

function open(files: Readonly<Record<string, string>>): GraphTools {
  const tools = openGraphTools({ root: temporaryTree(files), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return tools;
}

const FILES = {
  "src/impl.ts":
    "export function track() {}\nexport default function named() {}\nexport class Dep {\n  track() { return this.#seen(); }\n  #seen() { return track(); }\n}\nexport const deep = { inner() { track(); new Dep().track(); } };\n",
  "src/barrel.ts": 'export * as all from "./impl.ts";\nexport * from "./impl.ts";\n',
  "src/main.ts":
    'import { all, track, Dep } from "./barrel.ts";\nimport local from "./impl.ts";\ntrack(); local(); all.track(); new Dep().track();\nall.deep.inner(); track();\n',
};

async function readError(tools: GraphTools, tool: string, args: object): Promise<object> {
  const { data } = await tools.call(tool, { ...args });
  return Object(Reflect.get(Object(data.result), "error")) as object;
}

async function candidatesAt(tools: GraphTools, path: string, line: number): Promise<string[]> {
  const error = await readError(tools, "definition", { path, line });
  return (Reflect.get(error, "details") as { candidates?: string[] } | undefined)?.candidates ?? [];
}

describe("candidates for a line", () => {
  it("each candidate that the code graph offers for an ambiguous name resolves to exactly the symbol that the candidate names", async () => {
    const tools = open(FILES);
    const offered = new Set<string>();
    for (const [path, text] of Object.entries(FILES)) {
      for (let line = 1; line <= text.split("\n").length; line++) {
        for (const each of await candidatesAt(tools, path, line)) offered.add(each);
      }
    }
    expect([...offered]).toEqual(
      expect.arrayContaining(["src/impl.ts", "src/impl.ts#track", "src/impl.ts#Dep.track"]),
    );
    for (const symbol of offered) {
      for (const tool of ["definition", "references", "call_hierarchy"]) {
        const { success, data } = await tools.call(tool, { symbol });
        expect([tool, symbol, success]).toEqual([tool, symbol, true]);
        if (tool !== "definition") continue;
        const name = symbol.slice(symbol.indexOf("#") + 1);
        expect([symbol, data.result]).toMatchObject([symbol, { symbol: name.split("/").at(-1) }]);
      }
    }
  });

  it("the code graph resolves a private member by name", async () => {
    const tools = open(FILES);
    for (const symbol of ["src/impl.ts#Dep.#seen", "Dep.#seen"]) {
      const { data } = await tools.call("definition", { symbol });
      expect(data.result).toMatchObject({ symbol: "Dep.#seen", definitions: [{ line: 5 }] });
    }
  });
});

describe("folder as a target", () => {
  it.each(["src", "src/", "./src"])(
    "the code graph says that %s is a folder, and which inputs take a folder",
    async (target) => {
      const tools = open(FILES);
      expect(await readError(tools, "module", { target })).toMatchObject({
        code: "NOT_FOUND",
        message: '"src" is a folder without an index file',
        details: { hint: expect.stringContaining('{"scope": "src"}') as unknown },
      });
      expect(await tools.call("impact", { target })).toMatchObject({ success: true });
    },
  );

  it("a code graph question suggests only targets that the question accepts", async () => {
    const tools = open({ ...FILES, "src/impl/a.ts": "", "src/impl/b.ts": "" });
    const error = await readError(tools, "impact", { target: "src/imp1" });
    const { did_you_mean: near = [] } = Reflect.get(error, "details") as {
      did_you_mean?: string[];
    };
    for (const target of near) {
      expect(await tools.call("impact", { target })).toMatchObject({ success: true });
    }
  });
});
