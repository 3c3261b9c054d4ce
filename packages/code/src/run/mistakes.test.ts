import { afterAll, describe, expect, it } from "vitest";
import { createWaybill, defineOperation } from "@waybill/core";
import { openShop } from "../fixtures/shop.ts";
import { createCodeRunner } from "./index.ts";

const runner = createCodeRunner();
afterAll(() => runner.close());

/** Mistakes of models, and the messages for them. */
const MISTAKES: readonly (readonly [mistake: string, program: string, message: string])[] = [
  [
    "no await before a method of the result",
    'order.list("octo/shop").filter((o) => o.state === "OPEN")',
    "Line 1: order.list(…) returns a promise. Put await before it: (await order.list(…)).filter",
  ],
  [
    "await on the method and not on the call",
    'await order.list("octo/shop").map((o) => o.number)',
    "Line 1: order.list(…) returns a promise. Put await before it: (await order.list(…)).map",
  ],
  [
    "no await before a call that is kept in a variable",
    'const list = order.list("octo/shop");\nreturn list.length',
    "Line 2: order.list(…) returns a promise. Put await before it: (await order.list(…)).length",
  ],
  [
    "a loop over a promise",
    'for (const o of order.list("octo/shop")) console.log(o)',
    "Line 1: order.list(…) returns a promise. Put await before it: (await order.list(…))",
  ],
  [
    "a promise as an input",
    'await order.note("octo/shop#1", { body: order.view("octo/shop#1") })',
    "Line 1: The input.body is a promise. Put await before it.",
  ],
  [
    ".items of a list, which is an array",
    'return (await order.list("octo/shop")).items.length',
    'Line 1: order.list returns an array, and "items" is not a member of an array. Use the array itself',
  ],
  [
    "the member items of a list",
    'const { items } = await order.list("octo/shop")',
    'Line 1: order.list returns an array, and "items" is not a member of an array.',
  ],
  [
    ".data of a result",
    'return (await order.view("octo/shop#1")).data.title',
    'Line 1: "data" is not a member of what order.view returns. It has number, title, state, author, labels.',
  ],
  [
    "a member name of another API",
    'return (await order.view("octo/shop#1")).user.login',
    'Line 1: "user" is not a member of what order.view returns. It has number, title, state',
  ],
  [
    "a member of a string, as in REST",
    'return (await order.view("octo/shop#1")).author.login',
    'Line 1: A string has no member "login". Use the string "mona" itself.',
  ],
  [
    "a member of the strings in a list",
    'return (await order.list("octo/shop")).filter((o) => o.labels.some((l) => l.name === "a"))',
    'Line 1: A string has no member "name". Use the string "a" itself.',
  ],
  [
    "a member of a string, with another value as the fallback",
    'return (await order.view("octo/shop#1")).author?.login ?? "ghost"',
    'Line 1: A string has no member "login". Use the string "mona" itself.',
  ],
  [
    "a member of a number",
    'return (await order.view("octo/shop#1")).number.value',
    'Line 1: A number has no member "value". Use the number 1 itself.',
  ],
  [
    "the total of a list in snake_case",
    'return (await order.list("octo/shop")).total_count',
    'Line 1: order.list returns an array, and "total_count" is not a member of an array. Did you mean "totalCount"?',
  ],
  [
    "field names of gh",
    'return order.list("octo/shop", { json: "number,title" })',
    'Line 1: "json" is not an input of order.list. The result has all members; take what you need',
  ],
  [
    "a capability as the function of map",
    'return Promise.all(["octo/shop#1"].map(order.view))',
    "Line 1: .map(order.view) also passes the index and the list. Write .map((x) => order.view(x)).",
  ],
  [
    "an input without its name",
    'await order.note("octo/shop#1", "hello")',
    'order.note takes a reference and an object, either optional: order.note("owner/name#1", { body }).',
  ],
  [
    "an id with its words in another order",
    'return order.viewAll("octo/shop")',
    "Line 1: There is no capability order.viewAll. Did you mean order.view",
  ],
  [
    "a member in snake_case",
    'return (await order.view("octo/shop#1")).Labels_',
    '"Labels_" is not a member of what order.view returns. Did you mean "labels"?',
  ],
  [
    "a member with swapped letters",
    'return (await order.view("octo/shop#1")).titel',
    '"titel" is not a member of what order.view returns. Did you mean "title"?',
  ],
  [
    "a member that is spelt wrong",
    'return (await order.list("octo/shop"))[0].autor',
    '"autor" is not a member of what order.list returns. Did you mean "author"?',
  ],
  [
    "a capability that does not exist",
    'await order.notes("octo/shop#1", { body: "x" })',
    "Line 1: There is no capability order.notes. Did you mean order.note, ",
  ],
  [
    "a capability group that does not exist",
    'await orders.list("octo/shop")',
    'Line 1: "orders" is not defined. Did you mean order? The first words of capabilities are order',
  ],
  [
    "a computed name that does not exist",
    'const what = "vew"; await order[what]("octo/shop#1")',
    "Line 1: There is no capability order.vew. Did you mean order.view?",
  ],
  [
    "an input that does not exist",
    'await order.note("octo/shop#1", { text: "x" })',
    'Line 1: "text" is not an input of order.note. order.note("owner/name#1", {body, loud?})',
  ],
  [
    "an input in snake_case",
    'await order.note({ owner: "octo", name: "shop", order_number: 1, body: "x" })',
    'Line 1: "order_number" is not an input of order.note. Did you mean "orderNumber"?',
  ],
  [
    "an input that is missing",
    'await order.note("octo/shop#1", { loud: true })',
    "Line 1: order.note needs body.",
  ],
  [
    "an input of another type",
    'await order.note("octo/shop#1", { body: "x", loud: "very" })',
    'Line 1: "loud" of order.note must be boolean, not string.',
  ],
  [
    "a choice that does not exist",
    'await order.list("octo/shop", { state: "OPENED" })',
    'Line 1: "state" of order.list must be one of the allowed values (open, closed, all).',
  ],
  [
    "a number as the second argument",
    'await order.view("octo/shop", 3)',
    'Line 1: order.view takes a reference and an object, either optional: order.view("owner/name#1", { … })',
  ],
  [
    "owner and name as arguments",
    'await order.view("octo", "shop", 3)',
    "It was called with (string, string, number).",
  ],
  [
    "a reference and an object that differ",
    'await order.note("octo/shop#1", { orderNumber: 2, body: "x" })',
    "Line 1: order.note was given orderNumber twice: 1 in the first argument, 2 in the object.",
  ],
  [
    "a number that cannot be computed as an input",
    'const n = Number("one"); await order.view({ owner: "octo", name: "shop", orderNumber: n })',
    "Line 1: The first argument of order.view.orderNumber is NaN, which cannot be sent. Check how it is computed.",
  ],
  [
    "a missing value in a list that is an input",
    'const [a] = []; await order.note("octo/shop#1", { body: [a] })',
    "Line 1: The input.body[0] is undefined, which cannot be sent. Check how it is computed.",
  ],
  [
    "an object in a text",
    'const o = await order.view("octo/shop#1"); await order.note("octo/shop#1", { body: `About ${o}` })',
    "Line 1: order.view returns an object, not a string. Use a member of it: number, title",
  ],
  [
    "objects in a joined text",
    'return (await order.list("octo/shop")).join("\\n")',
    "Line 1: order.list returns an object, not a string. Use a member of it: number, title",
  ],
  [
    "a member of the result that is read from an envelope",
    'return (await order.view.result("octo/shop#1")).title',
    'Line 1: "title" is not a member of what order.view.result returns. It has ok, data, error, meta.',
  ],
  [
    "for…in over a list",
    'for (const o in await order.list("octo/shop")) console.log(o.number)',
    'Line 1: o is a string such as "0", which has no number. Use for (const o of …)',
  ],
  [
    "forEach instead of map",
    "await Promise.all([1].forEach((n) => order.view(`octo/shop#${n}`)))",
    "Line 1: A list is missing here. forEach returns nothing; use map.",
  ],
  [
    "a time zone other than UTC",
    'return new Date().toLocaleString("en-US", { timeZone: "America/New_York" })',
    'Line 1: The time zone "America/New_York" is not available. Programs know only UTC.',
  ],
  [
    "a use of Intl",
    'return new Intl.NumberFormat("en").format(1)',
    'Line 1: "Intl" is not available. Write numbers with toFixed(2), and times with toISOString()',
  ],
  [
    "call() instead of waybill.call()",
    'await call("order.view", "octo/shop#1")',
    'Line 1: "call" is not available. Use waybill.call("issue.list", …), or its name',
  ],
  [
    "a character that cannot be seen",
    "\u200Breturn 1",
    "Line 1: Unexpected character U+200B, which cannot be seen. Remove it.",
  ],
  [
    "an import statement",
    'import { Octokit } from "octokit"',
    "Line 1: import is not available. Programs have no modules: every capability is a global",
  ],
  [
    "a call of require()",
    'const fs = require("fs")',
    'Line 1: "require" is not available. Programs have no modules',
  ],
  [
    "a call of fetch()",
    'await fetch("https://x.dev")',
    'Line 1: "fetch" is not available. Programs have no network.',
  ],
  [
    "a call of setTimeout()",
    "setTimeout(() => {}, 9)",
    'Line 1: "setTimeout" is not available. Programs have no timers.',
  ],
  [
    "a read of process.env",
    "return process.env.TOKEN",
    'Line 1: "process" is not available. Programs have no process.',
  ],
  [
    "capabilities as members of an object named tools",
    'await tools.order.view("octo/shop#1")',
    'Line 1: "tools" is not available. Every capability is a global',
  ],
  ["an export statement", "export default async () => 1", "Line 1: export is not available."],
  [
    "a capability group before the whole id",
    'return (await stockRoom.order.view("octo/shop#1")).title',
    "There is no capability stockRoom.order.view. Did you mean order.view",
  ],
  [
    "a Python loop",
    "for o in orders:\n  print(o)",
    "Line 1: Unexpected token\nfor o in orders:\n    ^",
  ],
  ["a Python function", "def main():\n  pass", "Line 1: Unexpected token\ndef main():\n    ^"],
  ["print", 'print("hi")', 'Line 1: "print" is not available. This is Python; use console.log(…).'],
  ["len", "return len([1])", 'Line 1: "len" is not available. This is Python; use list.length.'],
  ["a brace too many", "return 1\n}", "Line 2: Unexpected token\n}\n^"],
  ["a string that does not end", 'return "x', 'Line 1: Unterminated string constant\nreturn "x'],
  [
    "a variable that hides a capability",
    'const order = { n: 1 };\nawait order.note("octo/shop#1", { body: "x" })',
    'Line 2: "order" is your own variable here, so order.note cannot be called. Rename it',
  ],
  [
    "an undeclared variable that hides a capability",
    'order = await order.view("octo/shop#1")',
    'Line 1: "order" belongs to Waybill. Give your variable another name, such as orderData.',
  ],
  [
    "a member of undefined",
    "const o = [][0];\nreturn o.title",
    'Line 2: "title" was read from undefined. Check that the value exists.',
  ],
  ["a method that does not exist", "return [1].flatten()", "Line 1: not a function."],
  [
    "a method of Python's lists",
    "const all = []; all.append(1)",
    "Line 1: not a function. In JavaScript, write push(…) for append(…).",
  ],
  [
    "a method of Python's strings",
    'return (await order.view("octo/shop#1")).title.lower()',
    'Line 1: A string has no member "lower". In JavaScript, write toLowerCase() for lower(…).',
  ],
  [
    "a method of Python's dictionaries",
    "const by = {};\nfor (const [k, v] of by.items()) {}",
    "Line 2: not a function. In JavaScript, write Object.entries(value) for items(…).",
  ],
  [
    "pages of a capability that returns no list",
    'return await order.view.page("octo/shop#1")',
    "Line 1: order.view does not return a list, so it has no pages. Leave out .page.",
  ],
  [
    "pages of a write",
    'const note = "note"; return await order[note].page("octo/shop#1", { body: "x" })',
    "Line 1: order.note does not return a list, so it has no pages.",
  ],
  [
    "a negative limit",
    'return await order.list("octo/shop", { limit: -1 })',
    'Line 1: "limit" is not an input of order.list.',
  ],
  [
    "an iterator as the result",
    "return new Map([[1, 2]]).values()",
    "The value is an iterator, which has no members. Use [...values] to get a list.",
  ],
  [
    "a call of waybill.execute()",
    'await waybill.execute("order.view", {})',
    "Line 1: waybill.execute does not exist; waybill has search(words), signature(id) and call(id, …)",
  ],
  [
    "a function as the result",
    "return () => 1",
    "The value is a function. Call it, or leave it out.",
  ],
  ["a value that contains itself", "const a = {}; a.b = a; return a", "b is part of itself."],
  ["a BigInt as the result", "return 10n", "The value is a BigInt, which JSON cannot hold."],
  [
    "page and per_page as in REST",
    'await order.list("octo/shop", { per_page: 100, page: 2 })',
    'Line 1: "page" is not an input of order.list. Lists are complete; take a part with .slice(0, n), or a page with order.list.page(…).',
  ],
  [
    "an object that is destructured as a list",
    'const [first] = await order.view("octo/shop#1"); return first',
    "Line 1: order.view returns one object, not a list. It has number, title, state",
  ],
  [
    "a member of the items that is read from the list",
    'return (await order.list("octo/shop")).title',
    'Line 1: order.list returns an array, and "title" is not a member of an array. Use .map((x) => x.title).',
  ],
  [
    "a reference in another form",
    'await order.view("octo/shop/1")',
    'Line 1: order.view takes "owner/name#1" as its first argument, not "octo/shop/1".',
  ],
  [
    "an address as a reference",
    'await order.view("https://shop.dev/octo/shop/orders/1")',
    'Line 1: order.view takes "owner/name#1" as its first argument, not "https://shop.dev',
  ],
  [
    "JSON.parse() of a result",
    'return JSON.parse(await order.view("octo/shop#1")).title',
    "Line 1: order.view returns an object, not a string. Use a member of it: number, title",
  ],
  [
    "Python's requests library",
    'await requests.get("https://x.dev")',
    'Line 1: "requests" is not available. Programs have no network.',
  ],
  [
    "Python's json library",
    "return json.dumps({})",
    'Line 1: "json" is not available. This is Python; use JSON.parse(…) and JSON.stringify(…).',
  ],
  [
    "Python's sorted function",
    "return sorted([2, 1])",
    'Line 1: "sorted" is not available. This is Python; use list.toSorted((a, b) => a - b).',
  ],
  [
    "a shell command",
    "await $`gh issue list`",
    'Line 1: "$" is not available. Programs have no shell.',
  ],
  [
    "a call of callTool()",
    'await callTool("order.view", {})',
    'Line 1: "callTool" is not available. Call it by its name',
  ],
  [
    "a call of input() to ask a person",
    'const name = input("Name? ")',
    "Line 1: There is no input. Pass it as the input of the run",
  ],
  [
    "Object.keys() of a capability group",
    "return Object.keys(order)",
    'Line 1: order cannot be listed. Use await waybill.search("order")',
  ],
  [
    "a capability group as the result",
    "return order",
    'The value is the name order. Call a capability, or find one with waybill.search("order").',
  ],
  [
    "a search without words",
    "return await waybill.search()",
    'Line 1: waybill.search needs a string, such as waybill.search("label an issue")',
  ],
  [
    "a name with a hyphen",
    'return await stock-room.countAll("a")',
    'Line 1: "stock" is not defined. Did you mean stockRoom?',
  ],
  [
    "an assignment to a constant",
    "const total = 0; total = 1",
    'Line 1: "total" is a constant. Declare it with let.',
  ],
  [
    "a capability group with a capital letter",
    'await Order.list("octo/shop")',
    'Line 1: "Order" is not defined. Did you mean order?',
  ],
  [
    "a promise that nothing resolves",
    "await new Promise(() => {})",
    "The program waits for a promise that never resolves",
  ],
];

describe("a program with a mistake", () => {
  it.each(MISTAKES)(
    "the error for a program's mistake names the line and the next step, and nothing is applied: %s",
    async (_mistake, program, message) => {
      const shop = openShop();
      const { error } = await runner.run(shop.waybill, program);
      expect(error?.code).toMatch(/VALIDATION|NOT_FOUND/);
      expect(error?.message).toContain(message);
      expect(error?.message).toMatch(/Nothing was applied\.$/);
      expect(error?.details).toMatchObject({ outcome: "not_applied" });
      expect(shop.applied).toEqual([]);
    },
  );

  it("the tests of mistakes in programs cover at least 30 kinds of mistakes", () => {
    expect(MISTAKES.length).toBeGreaterThanOrEqual(30);
  });
});

/** Syntax of other languages. The error shows the JavaScript for it. */
const HABITS: readonly (readonly [
  habit: string,
  program: string,
  message: string,
  hint: string,
])[] = [
  [
    "a Python list comprehension",
    'const all = await order.list("octo/shop")\nreturn [o.title for o in all]',
    "Line 2: Unexpected token",
    "This is Python; in JavaScript write list.filter((x) => …).map((x) => …)",
  ],
  [
    "Python's not",
    "if (not true) return 1",
    "Line 1: Unexpected token",
    "In JavaScript these are &&, || and !",
  ],
  [
    "a jq filter",
    'return (await order.list("octo/shop")) | map(.title)',
    "Line 1: Unexpected token",
    "This is jq; in JavaScript write list.map((x) => x.title)",
  ],
  [
    "a Python import",
    "import json\nprint(json.dumps({}))",
    "Line 2: Unexpected token",
    "Programs have no modules: every capability is a global, such as issue.list(…)",
  ],
];

describe("a program with syntax of another language", () => {
  it.each(HABITS)(
    "the error for syntax of another language shows the JavaScript for it: %s",
    async (_habit, program, message, hint) => {
      const { error } = await runner.run(openShop().waybill, program);
      expect(error?.message).toContain(message);
      expect(error?.details).toMatchObject({ hint, outcome: "not_applied" });
    },
  );
});

/** Programs with small mistakes that still work. */
const FORGIVEN: readonly (readonly [what: string, program: string, value: unknown])[] = [
  ["a result without return", 'await order.view("octo/shop#1").then((o) => o.number)', 1],
  ["a Markdown code fence around the program", "```js\nreturn 1 + 1\n```", 2],
  ["a main function", "async function main() { return 3 }\nmain()", 3],
  [
    "promises in the result",
    "[1, 2].map(async (n) => (await order.view(`octo/shop#${n}`)).title)",
    ["Order 1", "Order 2"],
  ],
  [
    "a variable with the name of the capability group that it is read from",
    'const order = await order.view("octo/shop#2"); return order.number',
    2,
  ],
  [
    "TypeScript",
    'interface O { title: string }\nconst o: O = await order.view("octo/shop#1"); return (o as O)!.title',
    "Order 1",
  ],
  ["a write without await", 'order.note("octo/shop#1", { body: "x" }); return 1', 1],
  ["a Map", 'return new Map([["a", new Set([1])]])', { a: [1] }],
  [
    "a number as text",
    'return (await order.view({ owner: "octo", name: "shop", orderNumber: "2" })).number',
    2,
  ],
  ["console.table", "console.table([1]); console.groupEnd(); return 2", 2],
  [
    "words of a search in an object",
    'return (await waybill.search({ query: "note on an order" }))[0].id',
    "order.note",
  ],
  [
    "the signature of a found capability",
    'return (await waybill.search("note on an order"))[0].signature.startsWith("order.note(")',
    true,
  ],
  [
    "a capability instead of its id",
    'return (await waybill.call(order.view, "octo/shop#2")).number',
    2,
  ],
  [
    "a member of a string, with the string as the fallback",
    'return (await order.view("octo/shop#1")).labels.map((l) => l?.name ?? l.title ?? l).join()',
    "a,b",
  ],
  [
    "a whole function whose result is a member or the string itself",
    'const o = await order.view("octo/shop#1"); const login = () => o.author.login || o.author; login()',
    "mona",
  ],
  [
    "a member or the object itself",
    '() => [{ name: "a" }, "b"].map((x) => x.name ?? x)',
    ["a", "b"],
  ],
  ["a name with hyphens in camelCase", 'return (await stockRoom.countAll("a")).count', 3],
];

describe("a program with a harmless mistake", () => {
  it.each(FORGIVEN)(
    "a program with a harmless mistake returns its value: %s",
    async (_what, program, value) => {
      const result = await runner.run(openShop().waybill, program);
      expect(result).toMatchObject({ ok: true, data: { value } });
    },
  );
});

it("a program can read a member of a result by the name that other APIs use for that member", async () => {
  const view = defineOperation({
    id: "file.view",
    description: "Show a file",
    effect: "read",
    output: {
      type: "object",
      properties: { text: { type: "string" }, body: { type: "string" }, notes: { type: "string" } },
    },
    handler: () => ({ text: "Hi", body: "own", notes: "other" }),
  });
  const otherFields = { text: ["content", "raw"], notes: ["body", "raw"] };
  const spec = { ...view.spec, otherFields };
  const waybill = createWaybill({ operations: [{ ...view, spec }] });
  const program = "const { content, body, raw } = await file.view(); return [content, body, raw]";
  const { data } = await runner.run(waybill, program);
  expect(data).toEqual({ value: ["Hi", "own", "Hi"] });
});

it("a run warns about a read that is answered after the program has returned", async () => {
  const program =
    "const seen = []; [1, 2].forEach(async (n) => seen.push((await order.view(`octo/shop#${n}`)).number)); return seen.length";
  const { data, meta } = await runner.run(openShop().waybill, program);
  expect(data).toEqual({ value: 0 });
  expect(meta.warnings).toEqual([
    expect.stringContaining("returned before order.view had answered"),
  ]);
});

it("a run warns about a program that only made reads and returned nothing", async () => {
  const { waybill } = openShop();
  const silent = await runner.run(waybill, 'const n = (await order.list("octo/shop")).length;');
  expect(silent.meta.warnings).toEqual([
    "The program returned nothing. End it with return and a value.",
  ]);
  const written = await runner.run(waybill, 'await order.delete.result("octo/shop#1"); return 1');
  expect(written.meta.warnings).toBeUndefined();
});

it.each([
  ["return 0 / 0", null, "The value is NaN, so it is null in the answer."],
  [
    "return { mean: [1 / 0] }",
    { mean: [null] },
    "mean[0] is Infinity, so it is null in the answer.",
  ],
  ["return [{}.name]", [null], "[0] is undefined, so it is null in the answer."],
  [
    'return { at: new Date("soon") }',
    { at: null },
    "at is an invalid date, so it is null in the answer.",
  ],
])("a run warns about a value that JSON cannot hold: %s", async (program, value, warning) => {
  const { data, meta } = await runner.run(openShop().waybill, program);
  expect(data).toEqual({ value });
  expect(meta.warnings).toEqual([warning]);
});

it("a run warns about a comparison with text that differs from a declared value only in letter case", async () => {
  const door = defineOperation({
    id: "door.view",
    description: "Show a door",
    effect: "read",
    output: { type: "object", properties: { state: { enum: ["OPEN", "SHUT"] } } },
    handler: () => ({ state: "OPEN" as const }),
  });
  const waybill = createWaybill({ operations: [door] });
  const run = (value: string) =>
    runner.run(waybill, `return (await door.view()).state === "${value}"`);
  const wrong = await run("open");
  expect(wrong.data).toEqual({ value: false });
  expect(wrong.meta.warnings).toEqual(['Line 1: state is never "open". Compare it with "OPEN".']);
  for (const value of ["OPEN", "ajar"]) expect((await run(value)).meta.warnings).toBeUndefined();
});

it.each([
  ["limit", 3],
  ["per_page", 2],
  ["first", 7],
])("a list capability accepts its page size under the name %s", async (name, count) => {
  const program = `return (await order.list("octo/shop", { ${name}: ${count} })).length`;
  const { data } = await runner.run(openShop().waybill, program);
  expect(data).toEqual({ value: count });
});

it.each([
  'async () => { return (await order.view("octo/shop#2")).number }',
  '(async () => (await order.view("octo/shop#2")).number);',
  'async function main() {\n  return (await order.view("octo/shop#2")).number;\n}',
  '"use strict";\nfunction run() { return 2 }',
])("a run calls the function if the program's whole text is one function: %s", async (program) => {
  expect((await runner.run(openShop().waybill, program)).data).toEqual({ value: 2 });
});

it("a run does not call the function if the program's whole text is a function with parameters", async () => {
  const { error } = await runner.run(openShop().waybill, "async (order) => 1");
  expect(error?.message).toContain("The value is a function. Call it, or leave it out.");
});

it("the error for a page member that does not exist lists the members of a page", async () => {
  const program = 'return (await order.list.page("octo/shop")).pageInfo.endCursor';
  const { error } = await runner.run(openShop().waybill, program);
  expect(error?.message).toContain(
    '"pageInfo" is not a member of what order.list.page returns. It has items, cursor.',
  );
});

describe("bad input of a run", () => {
  it.each([
    ["an empty program", "", "VALIDATION", /./u],
    ["a program of spaces", " \n ", "VALIDATION", /./u],
    ["a program of 1 MB", "1;".repeat(500_000), "TOO_LARGE", /./u],
    ["binary data", "\u0000\u0001\u0002", "VALIDATION", /./u],
    [
      "a number instead of a program",
      7 as unknown as string,
      "VALIDATION",
      /^The program must be a string$/u,
    ],
  ])("a run refuses %s", async (_what, program, code, message) => {
    const { error } = await runner.run(openShop().waybill, program);
    expect(error).toMatchObject({ code, details: { outcome: "not_applied" } });
    expect(error?.message).toMatch(message);
  });

  it.each([
    [{ max_tokens: 5 }, "/max_tokens must be a whole number of at least 200"],
    [{ idempotencyKey: "k" }, "Did you mean idempotency_key?"],
    [{ dry_run: "yes" }, "/dry_run must be true or false"],
    ["text", "must be an object"],
  ])("a run refuses the options %j", async (options, message) => {
    const { error } = await runner.run(openShop().waybill, "return 1", options as object);
    expect(error?.code).toBe("VALIDATION");
    expect(error?.message).toContain(message);
  });
});
