import { describe, expect, it } from "vitest";
import { failureResult, isResultEnvelope, successResult } from "./index.ts";
import type { ResultError } from "./index.ts";

const meta = { capability_id: "issue.view" };
const error: ResultError = { code: "NOT_FOUND", message: "no such issue", retryable: false };

describe("successResult and failureResult", () => {
  it("a success result has the four keys ok, data, error and meta", () => {
    expect(successResult({ id: 1 }, meta)).toEqual({
      ok: true,
      data: { id: 1 },
      error: null,
      meta,
    });
  });

  it("a failure result has the four keys ok, data, error and meta", () => {
    expect(failureResult(error, meta)).toEqual({ ok: false, data: null, error, meta });
  });

  it("a success result without data has data null, so that the key survives JSON", () => {
    const result = successResult(undefined, meta);
    expect(result.data).toBeNull();
    expect(isResultEnvelope(JSON.parse(JSON.stringify(result)))).toBe(true);
  });

  it.each([0, "", false, null])("a success result keeps the data %j", (data) => {
    expect(successResult(data, meta).data).toBe(data);
  });
});

describe("guard of result envelopes", () => {
  const good = successResult(1, meta);
  const bad = failureResult(error, meta);

  it("isResultEnvelope accepts the results of successResult and failureResult", () => {
    expect(isResultEnvelope(good)).toBe(true);
    expect(isResultEnvelope(bad)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a list of four values", [true, 1, null, meta]],
    ["an ok that is not a boolean", { ...good, ok: "yes" }],
    ["a success with an error", { ...good, error }],
    ["a failure without an error", { ...bad, error: null }],
    ["a failure with data", { ...bad, data: 1 }],
    ["a fifth key", { ...good, note: "" }],
    ["another key instead of data", { ok: true, error: null, meta, result: 1 }],
    ["meta without a capability", { ...good, meta: {} }],
    ["meta that is null", { ...good, meta: null }],
    ["an unknown error code", { ...bad, error: { ...error, code: "TEAPOT" } }],
    ["an inherited name as error code", { ...bad, error: { ...error, code: "toString" } }],
    ["an error without a message", { ...bad, error: { code: "AUTH", retryable: false } }],
    ["an error without retryable", { ...bad, error: { ...error, retryable: 1 } }],
  ])("isResultEnvelope refuses %s", (_, value) => {
    expect(isResultEnvelope(value)).toBe(false);
  });
});
