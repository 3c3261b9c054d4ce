import { describe, expect, it } from "vitest";
import { briefError, briefResult, failureResult, successResult } from "./index.ts";
import type { AttemptMeta, ResultError, ResultMeta } from "./index.ts";

const plain: ResultMeta = {
  capability_id: "issue.close",
  route_used: "graphql",
  reason: "CARD_PREFERRED",
  request_id: "r-1",
};

function attempt(status: AttemptMeta["status"]): AttemptMeta {
  return { route: "graphql", status, duration_ms: 1.234 };
}

const refused: ResultError = { code: "NOT_FOUND", message: "no such issue", retryable: false };

describe("briefResult of a success", () => {
  it.each([
    ["an ordinary result", plain],
    [
      "the last page of a list",
      { ...plain, pagination: { has_next_page: false, end_cursor: null } },
    ],
    ["a result within its budget", { ...plain, truncated: false, cost: { tokens_out: 45 } }],
    [
      "a result with empty warnings",
      { ...plain, warnings: [], next: [], limits: {}, replayed: false },
    ],
    ["a result of one attempt", { ...plain, attempts: [attempt("success")] }],
  ])("briefResult keeps only the data of %s", (_name, meta) => {
    expect(briefResult(successResult({ state: "CLOSED" }, meta))).toEqual({
      data: { state: "CLOSED" },
    });
  });

  it.each([[0], [""], [false], [null], [[]]])(
    "briefResult keeps %j as the data of a result",
    (data) => {
      expect(briefResult(successResult(data, plain))).toEqual({ data });
    },
  );

  it.each([
    { pagination: { has_next_page: true, end_cursor: "c", total: 3 } },
    { truncated: true, handle: "r_1" },
    { limits: { maxItems: 3 } },
    { next: [{ capability_id: "issue.view", params: {}, reason: "why" }] },
    { warnings: ["it was closed already"] },
    { replayed: true },
  ])("briefResult keeps the notable meta %j", (meta) => {
    const envelope = successResult(1, { ...plain, ...meta });
    expect(briefResult(envelope)).toEqual({ data: 1, meta });
  });

  it("briefResult keeps route, reason and attempts if another route was tried first", () => {
    const attempts = [attempt("error"), attempt("success")];
    const reason = "PREFERRED_ROUTE_FAILED";
    expect(briefResult(successResult(1, { ...plain, reason, attempts }))).toEqual({
      data: 1,
      meta: {
        route_used: "graphql",
        reason,
        attempts: [
          { route: "graphql", status: "error" },
          { route: "graphql", status: "success" },
        ],
      },
    });
  });
});

describe("briefResult of a failure", () => {
  it("briefResult omits route, empty details and a single attempt of a failure", () => {
    const meta = { ...plain, attempts: [attempt("error")] };
    const error = { code: "NOT_FOUND", message: "no such issue" };
    expect(briefResult(failureResult({ ...refused, details: {} }, meta))).toEqual({ error });
  });

  it("briefResult keeps retryable and retry_after_ms of a failure", () => {
    const error: ResultError = {
      code: "RATE_LIMIT",
      message: "slow down",
      retryable: true,
      details: { retry_after_ms: 500 },
    };
    expect(briefError(error)).toEqual(error);
  });

  it.each(["not_applied", "applied", "unknown"])(
    "briefResult keeps the request id of a failed write if the outcome is %s",
    (outcome) => {
      const error = { ...refused, details: { outcome } };
      expect(briefResult(failureResult(error, plain))).toEqual({
        error: { code: "NOT_FOUND", message: "no such issue", details: { outcome } },
        meta: { request_id: "r-1" },
      });
    },
  );

  it("briefResult does not modify the envelope", () => {
    const envelope = failureResult(refused, { ...plain, attempts: [attempt("error")] });
    const before = structuredClone(envelope);
    briefResult(envelope);
    expect(envelope).toEqual(before);
  });
});
