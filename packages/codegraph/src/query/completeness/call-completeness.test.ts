import { expect, it, onTestFinished } from "vitest";
import { temporaryTree } from "../../build/testing/temporary-tree.ts";
import { openGraphTools } from "../../operations/index.ts";

const TREE = {
  "calls.ts": `export function plain() {}
export function passed() {}
export function viaPlain() {
  plain();
}
[1].forEach(passed);
`,
  "run.ts": "export class Job {\n  run() {}\n}\nexport const start = (job: Job) => job.run();\n",
  "open.ts": `export function open(value: any) {
  value.run();
}
export function beside(value: any) {
  return [value.run, value.stop()];
}
`,
  "hostile.ts": `export function hostile(value: any) {
  value${" ".repeat(30_000)};
  const ${"a".repeat(60_000)} = 1;
  value .
    run
    <string>(1);
}
`,
  "far.ts": 'import { open } from "./open";\nexport function far() {\n  open(1);\n}\n',
  "card.tsx": `export function Card() {
  return null;
}
export const page = <Card></Card>;
`,
  "db.py": "def get_db():\n    return 1\n",
  "app.py": "from db import get_db\n\ndef page(db=Depends(get_db)):\n    return db\n",
};

async function readWhy(symbol: string, input: object = {}, tool = "call_hierarchy") {
  const tools = openGraphTools({ root: temporaryTree(TREE), patienceMs: 60_000 });
  onTestFinished(() => tools.close());
  const { data } = await tools.call(tool, { symbol, ...input });
  const { completeness, why } = data.result as { completeness: string; why?: string[] };
  return why ?? completeness;
}

const AS_VALUE = ["1 place uses a function as a value and may call it"];
const UNKNOWN = ["1 call was not resolved and may lead to a declaration of that name"];

it.each(["calls.ts#plain", "calls.ts#viaPlain", "card.tsx#Card"])(
  "the call hierarchy of %s is reported as complete (exact), because every use of the function is a call",
  async (symbol) => {
    expect(await readWhy(symbol)).toBe("exact");
  },
);

it("callers are reported as incomplete (a lower bound) if the function is passed as a value", async () => {
  expect(await readWhy("calls.ts#passed")).toEqual(AS_VALUE);
  expect(await readWhy("calls.ts#passed", {}, "source")).toEqual(AS_VALUE);
  expect(await readWhy("db.py#get_db")).toEqual(AS_VALUE);
  expect(await readWhy("calls.ts#passed", { direction: "outgoing" })).toBe("exact");
});

it("callees are reported as incomplete (a lower bound) if a call on a value of unknown type may mean a declared method", async () => {
  expect(await readWhy("open.ts#open")).toEqual(UNKNOWN);
  expect(await readWhy("open.ts#beside")).toBe("exact");
  expect(await readWhy("far.ts#far", { depth: 1 })).toBe("exact");
  expect(await readWhy("far.ts#far", { depth: 2 })).toEqual(UNKNOWN);
});

it("the call hierarchy of a function with thousands of spaces and a very long name is returned", async () => {
  expect(await readWhy("hostile.ts#hostile", { direction: "outgoing" })).toEqual(UNKNOWN);
});
