import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryTree, writeTree } from "../build/testing/temporary-tree.ts";
import { SCIP_SAMPLE, scipSampleIndex } from "../fixtures/scip-sample.ts";
import { openGraphTools } from "../operations/index.ts";
import { SCIP_FILE } from "./index.ts";
import { simpleName } from "./symbol-names.ts";

interface Result {
  readonly references?: readonly { path: string; line: number; column: number }[];
  readonly completeness?: string;
  readonly error?: { readonly message: string };
}

/** A tree with an index that is newer than its files. */
function indexedTree(index: Uint8Array = scipSampleIndex()): string {
  const root = temporaryTree({ ...SCIP_SAMPLE, [SCIP_FILE]: "" });
  writeFileSync(join(root, SCIP_FILE), index);
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(root, SCIP_FILE), later, later);
  return root;
}

function openTools(root: string) {
  const tools = openGraphTools({ root, patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  return async (tool: string, args: object): Promise<Result> =>
    (await tools.call(tool, { ...args })).data.result as Result;
}

const GREET = { symbol: "a.ts#Greeter.greet", includeDeclaration: false };
const places = ({ references = [] }: Result) =>
  references.map(({ path, line, column }) => `${path}:${line}:${column}`);

describe("SCIP index", () => {
  it("a SCIP index replaces the references of the files that it covers", async () => {
    const own = await openTools(temporaryTree(SCIP_SAMPLE))("references", GREET);
    expect([places(own), own.completeness]).toEqual([["a.ts:8:15", "b.ts:4:52"], "lower-bound"]);
    const indexed = await openTools(indexedTree())("references", GREET);
    expect([places(indexed), indexed.completeness]).toEqual([
      ["a.ts:8:15", "b.ts:4:52", "b.ts:6:52"],
      "exact",
    ]);
  });

  it("a SCIP index distinguishes calls from other uses", async () => {
    const result = await openTools(indexedTree())("call_hierarchy", {
      symbol: "a.ts#Greeter.greet",
      direction: "incoming",
    });
    expect(JSON.stringify(result)).toContain("b.ts");
    expect(JSON.stringify(result)).not.toContain('"line":6');
  });

  it("a SCIP index is ignored for files that changed after it was written", async () => {
    const root = indexedTree();
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(join(root, SCIP_FILE), old, old);
    const result = await openTools(root)("references", GREET);
    expect([places(result), result.completeness]).toEqual([
      ["a.ts:8:15", "b.ts:4:52"],
      "lower-bound",
    ]);
  });

  it("the code graph keeps its own references for files that a SCIP index does not cover", async () => {
    const root = indexedTree();
    writeTree(root, { "c.ts": 'import { made } from "./a";\nmade.greet("c");\n' });
    expect(places(await openTools(root)("references", GREET))).toContain("c.ts:2:6");
  });

  it.each([
    ["text", Buffer.from("no index at all, but text")],
    ["cut off", scipSampleIndex().subarray(0, 200)],
    ["empty", new Uint8Array()],
  ])("a SCIP index that is %s returns an error with the next step", async (_, bytes) => {
    const { error } = await openTools(indexedTree(bytes))("references", GREET);
    expect(error).toMatchObject({
      message: expect.stringContaining(`${SCIP_FILE} cannot be used`) as unknown,
    });
  });
});

describe("SCIP symbol names", () => {
  it.each([
    ["scip-typescript npm sample 1.0.0 `a.ts`/Greeter#greet().", "greet"],
    ["scip-python python app 1 `app.db`/Session#", "Session"],
    ["scip-go gomod m v1 `m/a`/T#Name().", "Name"],
    ["x y z 1 f(+1).", "f"],
    ["local 4", ""],
  ])("the SCIP symbol %s ends with the name %j", (symbol, name) => {
    expect(simpleName(symbol)).toBe(name);
  });
});
