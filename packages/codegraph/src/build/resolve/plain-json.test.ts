import { expect, it } from "vitest";
import { plainJson } from "./plain-json.ts";

const read = (text: string): unknown => JSON.parse(plainJson(text));

it("the reader of tsconfig.json removes comments and trailing commas, with comments between them as well", () => {
  expect(read('\uFEFF{ // one\n "a": [1, /* , ] */ 2, // two\n ], /* } */ }')).toEqual({
    a: [1, 2],
  });
});

it("the reader of tsconfig.json keeps text in a string that looks like a comment or a trailing comma", () => {
  const text = '{ "a": "// no", "b": "/* no */", "c": ",}", "d": "\\",]" }';
  expect(read(text)).toEqual({ a: "// no", b: "/* no */", c: ",}", d: '",]' });
});

it("the reader of tsconfig.json accepts 500 settings in comments, as `tsc --init` writes them", () => {
  const settings = Array.from(
    { length: 500 },
    (_, at) => `    // "setting${at}": true,   /* Enable it, or not. */\n`,
  );
  expect(read(`{ "strict": true,\n${settings.join("")}"target": "es2022", }`)).toEqual({
    strict: true,
    target: "es2022",
  });
});

it("the reader of tsconfig.json removes a comment that never ends", () => {
  expect(plainJson(`{ "a": 1 ${"/* ".repeat(50_000)}`)).toBe('{ "a": 1 ');
});
