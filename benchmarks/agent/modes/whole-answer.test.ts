import { expect, it } from "vitest";
import { wholeAnswer } from "./whole-answer.ts";

const error = { code: "NOT_FOUND", message: "no" };

it.each<[string, unknown, unknown]>([
  ["data", { data: { n: 1 } }, { ok: true, error: null, data: { n: 1 } }],
  ["an error", { error, meta: {} }, { ok: false, data: null, error, meta: {} }],
  [
    "a chain",
    { results: [{ data: 1 }, { error }] },
    {
      results: [
        { ok: true, error: null, data: 1 },
        { ok: false, data: null, error },
      ],
    },
  ],
  [
    "a graph's",
    { result: { imports: [] } },
    { success: true, result: { imports: [] }, data: { result: { imports: [] } } },
  ],
  ["a whole envelope", { ok: true, data: 1, error: null }, { ok: true, data: 1, error: null }],
  ["a whole tool's", { success: true, data: {} }, { success: true, data: {} }],
  ["a text", "Usage", "Usage"],
])("%s", (_, brief, whole) => {
  expect(wholeAnswer(brief)).toEqual(whole);
});
