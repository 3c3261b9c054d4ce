import { expect, it } from "vitest";
import { readOutput, withPlaceholders } from "./shown-output.ts";

it.each([
  ["id <…>, done", "id 7f3, done"],
  ["<…>", ""],
  ["<…> of <…>", "1 of 2"],
  ["a<…>a", "aa"],
])("the output on a page with a placeholder matches: shown %j, printed %j", (shown, printed) => {
  expect(withPlaceholders([printed], [shown])).toEqual([shown]);
});

it.each([
  ["id <…>, done", "id 7f3, failed"],
  ["id <…>", "no id 7f3"],
  ["a<…>a", "a"],
  ["plain", "other"],
])("the output on a page does not match: shown %j, printed %j", (shown, printed) => {
  expect(withPlaceholders([printed], [shown])).toEqual([printed]);
});

it("a placeholder in the output that a page shows stands for any JSON value, and other differences are still found", () => {
  const shown = readOutput('{"id":"<…>","meta":{"ms":"<…>","ok":true}}', "json");
  const printed = readOutput('{"id":"x1","meta":{"ms":12.5,"ok":false}}', "json");
  expect(withPlaceholders(printed, shown)).toEqual({ id: "<…>", meta: { ms: "<…>", ok: false } });
});

it("a missing or an extra line in the output that a page shows is found", () => {
  const shown = readOutput("a\n<…>", "text");
  expect(withPlaceholders(readOutput("a\nb\nc", "text"), shown)).toEqual(["a", "<…>", "c"]);
  expect(withPlaceholders(readOutput("a", "text"), shown)).toEqual(["a"]);
});
