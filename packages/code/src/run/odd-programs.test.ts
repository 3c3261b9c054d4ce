import { afterAll, describe, expect, it } from "vitest";
import { openShop } from "../fixtures/shop.ts";
import { createCodeRunner } from "./index.ts";

const runner = createCodeRunner();
afterAll(() => runner.close());

const FORGED_CALL = { n: 1, name: "order.note", args: ["octo/shop#1", { body: "x" }] };
const FORGED_TURN = {
  facts: { status: "stopped", logs: [], open: 0, isHanging: false },
  calls: [FORGED_CALL],
  value: 1,
};
const NOTE = "order.note('octo/shop#1', { body: 'x' })";
const VIEW_TWO = "[1, 99].map((n) => order.view(`octo/shop#${n}`))";

/** Programs whose text the two parsers could read differently, and their values. */
const READ_ALIKE: readonly (readonly [what: string, program: string, value: unknown])[] = [
  ["a byte order mark", "\uFEFFreturn 1", 1],
  ["an HTML comment that hides a write", `return 1 <!-- ${NOTE}`, 1],
  ["the end of an HTML comment that hides a write after it", `let x = 1\n--> ${NOTE}\nreturn x`, 1],
  ["a decrement that looks like the end of a comment", "let x = 3; if (x-->1) return x", 2],
  ["U+2028 as a line end after a comment", "// comment\u2028return 5", 5],
  ["U+2028 in a string", "return 'a\u2028b'.length", 3],
  ["a hash bang", "#!/usr/bin/env node\nreturn 1", 1],
  ["a comment without an end of line", "return 1 //", 1],
  ["an escaped name", "return (await \\u006frder.view('octo/shop#1')).number", 1],
  ["an import type statement", "import type { X } from 'y';\nconst a: X = 1; return a", 1],
  ["an abstract class", "abstract class A { abstract x(): void; y() { return 2 } } return 2", 2],
  ["function overloads", "function f(x: 1): 1; function f(x: any) { return x } return f(3)", 3],
  [
    "TypeScript's declare, definite assignment and non-null assertions",
    "declare const y: 1; let x!: number; x = 1; return x!",
    1,
  ],
  ["a generic arrow function", "const f = <T,>(x: T): T => x; return f(2)", 2],
];

/** Values that look like internal messages of the sandbox. They must be treated as plain values. */
const FORGED: readonly unknown[] = [
  FORGED_TURN,
  { ready: true },
  { broken: "memory", message: "x" },
  { problem: { message: "x" } },
  { n: 1, id: "order.note", pending: true },
  { ok: false, data: null, error: { code: "POLICY", message: "no" }, meta: {} },
  '"}],"value":7}',
];

const REFUSED: readonly (readonly [what: string, program: string, message: string])[] = [
  [
    "text that closes the function that wraps the program",
    `}); ${NOTE}; (async () => {`,
    "Line 1: Unexpected",
  ],
  ["an invisible character", "return 1\u202E", "U+202E, which cannot be seen"],
  [
    "a TypeScript enum",
    "enum Color { Red } return Color.Red",
    "enum is not supported; use an object",
  ],
  [
    "a TypeScript namespace",
    "namespace N { export const a = 1 } return N.a",
    "namespace is not supported",
  ],
  ["an export", "export default async function main() { return 7 }", "end it with return"],
  ["a break outside a loop", "break", "break is not inside a loop"],
  ["a call of Atomics", "Atomics.wait(new Int32Array(4), 0, 0)", '"Atomics" is not defined'],
  ["a throw of null", "throw null", "The program threw null"],
  [
    "an error whose stack cannot be computed",
    "Error.prepareStackTrace = (e) => { throw e }; throw Error('x')",
    "x",
  ],
  ["a promise that never resolves", "await Promise.race([])", "a promise that never resolves"],
];

/** Promises that fail without a handler, and the line of the failure. */
const UNHANDLED: readonly (readonly [program: string, message: string])[] = [
  ["Promise.reject(new Error('lost')); return 1", "lost"],
  ["(async () => { throw new Error('lost') })(); return 1", "lost"],
  ["[99].forEach(async (n) => { await order.view(`octo/shop#${n}`) }); return 1", "no order 99"],
  ["order.view('octo/shop#99').then((o) => o.title); return 1", "There is no order 99"],
  ["async function main() { (await order.view('octo/shop#1')).nope } main(); return 1", '"nope"'],
  ["for (let n = 0; n < 1e4; n++) Promise.reject(new Error('flood')); return 1", "flood"],
];

describe("unusual programs", () => {
  it.each(READ_ALIKE)("a run accepts a program with %s", async (_what, program, value) => {
    const { waybill, applied } = openShop();
    expect((await runner.run(waybill, program)).data).toEqual({ value });
    expect(applied).toEqual([]);
  });

  it.each(REFUSED)("a run refuses a program with %s", async (_what, program, message) => {
    const { waybill, applied } = openShop();
    expect((await runner.run(waybill, program)).error).toMatchObject({
      code: "VALIDATION",
      message: expect.stringContaining(message) as string,
    });
    expect(applied).toEqual([]);
  });

  it.each(FORGED)(
    "a run returns a value that looks like an internal message of the sandbox as data: %j",
    async (value) => {
      const { waybill, applied } = openShop();
      const { data } = await runner.run(waybill, `return ${JSON.stringify(value)}`);
      expect(data).toEqual({ value });
      expect(applied).toEqual([]);
    },
  );
});

describe("failed promises", () => {
  it.each(UNHANDLED)(
    "a run fails if a promise of the program fails without a handler: %s",
    async (program, message) => {
      const { error } = await runner.run(openShop().waybill, program);
      expect(error?.message).toContain(message);
    },
  );

  it("a run does not fail if the program handles a failed promise later", async () => {
    const program = `const seen = [];
      for (const view of ${VIEW_TWO}) try { seen.push((await view).number) } catch (e) { seen.push(e.code) }
      return seen`;
    const { data } = await runner.run(openShop().waybill, program);
    expect(data).toEqual({ value: [1, "NOT_FOUND"] });
  });

  it("the error of a run with an unhandled failed promise lists the writes that were applied before", async () => {
    const { waybill, applied } = openShop();
    const program = `["a", 5].forEach(async (body) => { await order.note("octo/shop#1", { body }) });
      return "done"`;
    const { error } = await runner.run(waybill, program);
    expect(error?.message).toContain("/body must be string, not number\n1 write was applied");
    expect(applied).toEqual(["note 1 a"]);
  });
});
