import { expect, it } from "vitest";
import { wholeAnswer } from "./whole-answer.ts";

const error = { code: "NOT_FOUND", message: "no", retryable: false };

it.each<[string, string, unknown]>([
  ["waybill run", '{"n":1}', { ok: true, error: null, data: { n: 1 }, meta: {} }],
  ["execute", "!NOT_FOUND no", { ok: false, data: null, error, meta: {} }],
  [
    "waybill chain",
    "!NOT_FOUND 1 of 2 steps failed\n--\n1\n--\n!NOT_FOUND no",
    {
      status: "failed",
      error: { code: "NOT_FOUND", message: "1 of 2 steps failed" },
      results: [
        { ok: true, error: null, data: 1, meta: {} },
        { ok: false, data: null, error, meta: {} },
      ],
    },
  ],
  ["graph_imports", '{"imports":[]}', { success: true, data: { result: { imports: [] } } }],
  ["execute", '{"ok":true,"data":1,"error":null}', { ok: true, data: 1, error: null }],
  ["waybill graph", '{"success":true,"data":{}}', { success: true, data: {} }],
  ["waybill capabilities", '[{"capability_id":"a.b"}]', [{ capability_id: "a.b" }]],
  ["help", "Usage", "Usage"],
])("the benchmark reads the answer of %s, %j, as an envelope", (asked, brief, whole) => {
  expect(wholeAnswer(asked, brief)).toEqual(whole);
});
