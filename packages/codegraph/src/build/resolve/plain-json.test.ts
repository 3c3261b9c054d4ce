import { expect, it } from "vitest";
import { plainJson } from "./plain-json.ts";

const read = (text: string): unknown => JSON.parse(plainJson(text));

it("removes comments and trailing commas, also with comments between them", () => {
  expect(read('\uFEFF{ // one\n "a": [1, /* , ] */ 2, // two\n ], /* } */ }')).toEqual({
    a: [1, 2],
  });
});

it("keeps what looks like a comment or a trailing comma in a string", () => {
  const text = '{ "a": "// no", "b": "/* no */", "c": ",}", "d": "\\",]" }';
  expect(read(text)).toEqual({ a: "// no", b: "/* no */", c: ",}", d: '",]' });
});

it("reads a configuration with 500 settings in comments, as `tsc --init` writes them", () => {
  const settings = Array.from(
    { length: 500 },
    (_, at) => `    // "setting${at}": true,   /* Enable it, or not. */\n`,
  );
  expect(read(`{ "strict": true,\n${settings.join("")}"target": "es2022", }`)).toEqual({
    strict: true,
    target: "es2022",
  });
});

it("removes a comment that never ends", () => {
  expect(plainJson(`{ "a": 1 ${"/* ".repeat(50_000)}`)).toBe('{ "a": 1 ');
});
