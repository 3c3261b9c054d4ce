import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../build/testing/temporary-tree.ts";
import { openGraphTools } from "./index.ts";
import type { GraphTools } from "./index.ts";

const FILES = {
  "src/a.ts": 'import { b } from "./b.ts";\nexport const a = b;\n',
  "src/b.ts": "export const b = 1;\nexport const unused = 2;\n",
};
const ADD_EDGE = { action: "addEdge", from: "src/a.ts", to: "src/b.ts" };

function open(files: Readonly<Record<string, string>> = FILES): GraphTools & { root: string } {
  const root = temporaryTree(files);
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return { ...tools, root };
}

async function readError(tools: GraphTools, tool: string, args: object): Promise<object> {
  const { data, success } = await tools.call(tool, { ...args });
  expect([tool, success]).toEqual([tool, false]);
  return Object(Reflect.get(Object(data.result), "error")) as object;
}

describe("annotations folder that cannot be used", () => {
  it.each([".waybill", ".waybill/graph"])(
    "the code graph answers without annotations, and refuses to write them, when %s is a file",
    async (path) => {
      const tools = open({ ...FILES, [path]: "mine" });
      for (const tool of ["digest", "issues", "tree"]) {
        expect(await tools.call(tool)).toMatchObject({ success: true });
      }
      expect(await tools.call("layers", { action: "list" })).toMatchObject({ success: true });
      expect(await readError(tools, "annotations", ADD_EDGE)).toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining(".waybill/graph cannot be written") as unknown,
        details: {
          outcome: "not_applied",
          hint: expect.stringContaining(".waybill/graph") as unknown,
        },
      });
      expect(readFileSync(join(tools.root, path), "utf8")).toBe("mine");
    },
  );

  it.each(["annotations.json", "layers.json"])(
    "the code graph returns INVALID_INPUT with the path when %s is a folder",
    async (name) => {
      const tools = open();
      mkdirSync(join(tools.root, ".waybill/graph", name), { recursive: true });
      expect(await readError(tools, "digest", {})).toMatchObject({
        code: "INVALID_INPUT",
        message: `.waybill/graph/${name} cannot be read: it is a folder`,
        details: { hint: expect.stringContaining("or move it away") as unknown },
      });
      expect(existsSync(join(tools.root, ".waybill/graph", name))).toBe(true);
    },
  );

  it("the code graph returns INVALID_INPUT with the path when annotations.json is a symbolic link to itself", async () => {
    const tools = open();
    mkdirSync(join(tools.root, ".waybill/graph"), { recursive: true });
    symlinkSync("annotations.json", join(tools.root, ".waybill/graph/annotations.json"));
    expect(await readError(tools, "digest", {})).toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("annotations.json cannot be read") as unknown,
    });
  });

  // Skipped for root, who may read every file.
  it.skipIf(process.getuid?.() === 0)(
    "the code graph names annotations.json in the error if the process may not read the file",
    async () => {
      const tools = open();
      mkdirSync(join(tools.root, ".waybill/graph"), { recursive: true });
      writeFileSync(join(tools.root, ".waybill/graph/annotations.json"), "{}");
      chmodSync(join(tools.root, ".waybill/graph/annotations.json"), 0);
      expect(await readError(tools, "digest", {})).toMatchObject({
        message: ".waybill/graph/annotations.json cannot be read: its permissions do not allow it",
      });
    },
  );
});

describe("invalid annotation", () => {
  it.each([
    [{ ...ADD_EDGE, from: "../x" }, "INVALID_INPUT"],
    [{ action: "addEdge", from: "src/a.ts" }, "MISSING_PARAMS"],
    [{ action: "addEntrypoint", path: "src/a.ts" }, "MISSING_PARAMS"],
    [{ action: "addIgnore" }, "MISSING_PARAMS"],
    [{ action: "remove", id: "edge-9" }, "NOT_FOUND"],
    [{ ...ADD_EDGE, from: "src/aa.ts" }, "NOT_FOUND"],
    [{ ...ADD_EDGE, to: "src/*.js" }, "NOT_FOUND"],
    [{ action: "addEntrypoint", path: "scr/a.ts", type: "job" }, "NOT_FOUND"],
    [{ action: "addIgnore", path: "scr" }, "NOT_FOUND"],
    [{ action: "addIgnore", issueId: "OE-nosuch" }, "NOT_FOUND"],
  ])("graph_annotations does not apply the invalid annotation %j", async (args, code) => {
    const tools = open();
    expect(await readError(tools, "annotations", args)).toMatchObject({
      code,
      details: { outcome: "not_applied" },
    });
    expect(existsSync(join(tools.root, ".waybill/graph/annotations.json"))).toBe(false);
  });
});

describe("annotations of existing files and issues", () => {
  it("graph_annotations suggests near names for a misspelled path in an annotation", async () => {
    const args = { action: "addEntrypoint", path: "scr/a.ts", type: "job" };
    expect(await readError(open(), "annotations", args)).toMatchObject({
      message: 'No file matches "scr/a.ts"; did you mean src/a.ts?',
      details: { did_you_mean: expect.arrayContaining(["src/a.ts"]) as unknown },
    });
  });

  it("graph_annotations ignores an issue by its id, even when the annotation is added twice", async () => {
    const tools = open({ ...FILES, "src/c.ts": 'import "./gone.ts";\n' });
    const { data } = await tools.call("issues", { kind: "UNRESOLVED_IMPORT" });
    const issueId = (data.result as { issues: { id: string }[] }).issues[0]!.id;
    for (const id of ["ignore-1", "ignore-2"]) {
      const added = await tools.call("annotations", { action: "addIgnore", issueId });
      expect(added.data.result).toMatchObject({ success: true, id });
    }
    expect(JSON.stringify((await tools.call("issues")).data.result)).not.toContain(issueId);
  });
});
