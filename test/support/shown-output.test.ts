import { expect, it } from "vitest";
import { readOutput, withPlaceholders } from "./shown-output.ts";

it.each([
  ["id <…>, done", "id 7f3, done"],
  ["<…>", ""],
  ["<…> of <…>", "1 of 2"],
  ["a<…>a", "aa"],
])(
  "accepts a placeholder in the output that a page shows: shown %j, printed %j",
  (shown, printed) => {
    expect(withPlaceholders([printed], [shown])).toEqual([shown]);
  },
);

it.each([
  ["id <…>, done", "id 7f3, failed"],
  ["id <…>", "no id 7f3"],
  ["a<…>a", "a"],
  ["plain", "other"],
])(
  "rejects a placeholder in the output that a page shows: shown %j, printed %j",
  (shown, printed) => {
    expect(withPlaceholders([printed], [shown])).toEqual([printed]);
  },
);

it("accepts any JSON value for a placeholder in the output that a page shows, and still finds other differences", () => {
  const shown = readOutput('{"id":"<…>","meta":{"ms":"<…>","ok":true}}', "json");
  const printed = readOutput('{"id":"x1","meta":{"ms":12.5,"ok":false}}', "json");
  expect(withPlaceholders(printed, shown)).toEqual({ id: "<…>", meta: { ms: "<…>", ok: false } });
});

it("finds a missing or an extra line in the output that a page shows", () => {
  const shown = readOutput("a\n<…>", "text");
  expect(withPlaceholders(readOutput("a\nb\nc", "text"), shown)).toEqual(["a", "<…>", "c"]);
  expect(withPlaceholders(readOutput("a", "text"), shown)).toEqual(["a"]);
});
