import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";
import { printType } from "../types/print-type.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

const SETTINGS = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023", "dom"],
    module: "nodenext",
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    paths: { "@waybill/core": [join(ROOT, "packages/core/src/index.ts")] },
  },
  files: ["waybill.d.ts", "right.ts", "wrong.ts"],
};

interface Said {
  /**
   * The compiler's messages about the generated types, and about a program that uses them
   * correctly.
   */
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

/** The compiler's messages about two programs that include the generated types. */
async function compile(world: World, right: string, wrong: string): Promise<Said> {
  await world.write("project/package.json", { type: "module" });
  await world.write("project/tsconfig.json", SETTINGS);
  for (const [name, program] of Object.entries({ right, wrong })) {
    const text = `import type { Waybill } from "@waybill/core";\n${program}`;
    await world.write(`project/${name}.ts`, text);
  }
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const run = promisify(execFile)(tsc, ["-p", world.project], { cwd: world.project });
  const said = await run.then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
  const lines = said.split("\n");
  return {
    right: lines.filter((line) => /^(?:right|waybill\.d)\.ts/.test(line)),
    wrong: lines.filter((line) => line.startsWith("wrong.ts")),
  };
}

it("the types that waybill types generates check the inputs and outputs of execute", async () => {
  const world = await makeWorld(onTestFinished);
  const { code } = await world.run(["types", "--out", "waybill.d.ts"]);
  expect(code).toBe(0);
  const right = `export async function use(waybill: Waybill) {
  const issue = await waybill.execute("issue.view", { owner: "octo", name: "hello", issueNumber: 1 });
  if (issue.ok) { const n: number = issue.data.number; const t: string = issue.data.title; void [n, t]; }
  const list = await waybill.execute("issue.list", { owner: "o", name: "n", state: "open" });
  const item = await waybill.execute("item.view", { id: 3 });
  if (item.ok) item.data.id satisfies number;
  void [await waybill.execute("user.me"), list];
}`;
  const wrong = `export function use(waybill: Waybill) {
  void waybill.execute("issue.view", { owner: "octo", name: "hello", issueNumber: "one" });
  void waybill.execute("issue.list", { owner: "o", name: "n", state: "gone" });
  void waybill.execute("item.view", {});
  void waybill.execute("issue.view", { repo: "octo/hello", number: 1 });
  void waybill.execute("issue.vew", { owner: "octo", name: "hello", issueNumber: 1 });
}`;
  const said = await compile(world, right, wrong);
  expect([said.right, said.wrong.length]).toEqual([[], 5]);
});

it("waybill types prints to stdout, and prints raw operations only with --all", async () => {
  const world = await makeWorld(onTestFinished);
  const { stdout } = await world.run(["types"]);
  expect(stdout).toContain('"issue.view": {');
  expect(stdout).not.toContain('"github.');
  await world.run(["types", "--all", "--out", "all.d.ts"]);
  const all = await readFile(join(world.project, "all.d.ts"), "utf8");
  expect(all.match(/^ {4}"github\./gm)?.length).toBeGreaterThan(1_000);
  expect(all.length).toBeLessThan(30_000_000);
});

it.each([
  [{ type: "string" }, "string"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
  [{ type: "array", items: { type: ["string", "null"] } }, "readonly (string | null)[]"],
  [{ type: "array" }, "readonly unknown[]"],
  [{ type: "object" }, "Record<string, unknown>"],
  [{ type: "object", additionalProperties: { type: "integer" } }, "Record<string, number>"],
  [
    { type: "object", required: ["a-b"], properties: { "a-b": true, c: { type: "boolean" } } },
    '{ "a-b": unknown; c?: boolean }',
  ],
  [
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    "{ a?: string; b?: string }",
  ],
  [{ anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
  [
    { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: "x" } } }] },
    '{ a?: 1 } & { b?: "x" }',
  ],
  [true, "unknown"],
  [false, "never"],
])("printType converts the schema %j to the type %s", (schema, type) => {
  expect(printType(schema)).toBe(type);
});

it("waybill types --code writes the globals of programs, and a wrong call does not compile", async () => {
  const world = await makeWorld(onTestFinished);
  await world.run(["types", "--code", "--out", "waybill.d.ts"]);
  const right = `export async function use() {
  const numbers: number[] = (await issue.list("octo/hello", { state: "open" })).map((i) => i.number);
  const { items, cursor } = await issue.list.page("octo/hello", { limit: 5 });
  const few: number = (await issue.list("octo/hello", { limit: 5 })).length;
  const total: number = (await search.issues({ query: "is:open" })).totalCount;
  const seen = await issue.view("octo/hello#3");
  const merged = [await pr.merge("octo/hello#6"), await pr.merge.status("octo/hello#6")];
  const found: string = (await waybill.search("issues"))[0]!.signature;
  return [numbers, items, cursor, few, total, seen.title, merged, found];
}`;
  const wrong = `export async function use() {
  await issue.vew("octo/hello#3");
  return (await issue.view("octo/hello#3")).autor;
}`;
  const said = await compile(world, right, wrong);
  expect([said.right, said.wrong.length]).toEqual([[], 2]);
});
