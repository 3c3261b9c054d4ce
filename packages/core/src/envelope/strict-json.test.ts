import { expect, it } from "vitest";
import { parseStrictJson } from "./index.ts";

it.each([
  String.raw`{"a": [1, "b\"c", {"a": null}]}`,
  String.raw`{"a:b": "{\"x\": 1, \"x\": 2}", "c\\": {"c": []}}`,
  '"a"',
  "3",
])("reads %s as JSON.parse does", (text) => {
  expect(parseStrictJson(text)).toEqual(JSON.parse(text));
});

it.each([
  ["a name twice", '{"a": 1, "a": 2}', 'has the name "a" twice'],
  ["it written differently", String.raw`{"b": [{"a": 1, "\u0061" : 2}]}`, 'has the name "a" twice'],
  ["no number", '{"a": NaN}', "is not JSON"],
  ["nothing", "", "is not JSON"],
  ["deep nesting", "[".repeat(1_001) + "]".repeat(1_001), "is nested more than 1000 deep"],
  ["endless nesting", "[".repeat(500_000) + "]".repeat(500_000), "is nested more than 1000 deep"],
])("refuses %s", (_name, text, why) => {
  expect(() => parseStrictJson(text)).toThrow(why);
});
