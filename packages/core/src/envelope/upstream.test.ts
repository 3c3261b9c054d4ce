import { describe, expect, it } from "vitest";
import { graphqlFailure, graphqlStatusFailure, httpFailure, jsonRpcFailure } from "./index.ts";
import type { ErrorCode, Outcome } from "./index.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

describe("httpFailure by status", () => {
  const rows: [number[], ErrorCode, Outcome][] = [
    [[200, 201, 204], "SERVER", "applied"],
    [[301, 307, 308], "SERVER", "not_applied"],
    [[300, 302, 303, 304], "SERVER", "unknown"],
    [[400, 415, 422], "VALIDATION", "not_applied"],
    [[406, 411, 414, 416], "VALIDATION", "unknown"],
    [[401, 403], "AUTH", "not_applied"],
    [[402], "POLICY", "unknown"],
    [[404, 410, 451], "NOT_FOUND", "not_applied"],
    [[405, 409, 412], "CONFLICT", "not_applied"],
    [[423, 428], "CONFLICT", "unknown"],
    [[408, 504], "TIMEOUT", "unknown"],
    [[413], "TOO_LARGE", "not_applied"],
    [[421], "NETWORK", "not_applied"],
    [[425], "NETWORK", "unknown"],
    [[429], "RATE_LIMIT", "not_applied"],
    [[501], "ADAPTER_UNSUPPORTED", "unknown"],
    [[500, 502, 503, 505, 520, 599], "SERVER", "unknown"],
    [[101, 600], "SERVER", "unknown"],
    [[407, 418, 424, 431, 499], "UNKNOWN", "unknown"],
  ];
  const cases = rows.flatMap(([statuses, code, outcome]) =>
    statuses.map((status) => ({ status, code, outcome })),
  );

  it.each(cases)(
    "httpFailure maps the HTTP status $status to $code with the outcome $outcome",
    ({ status, code, outcome }) => {
      expect(httpFailure({ status, headers: {} })).toEqual({
        code,
        outcome,
        ...(code === "RATE_LIMIT" && { limited: "*" }),
        message: `The upstream answered ${status}`,
      });
    },
  );
});

describe("rate limits of an upstream", () => {
  const reset = String(NOW / 1_000 + 90);
  const secondary = { documentation_url: "https://docs.example/rest#about-secondary-rate-limits" };
  it.each([
    ["Retry-After in seconds", 429, { "retry-after": "7" }, 7_000],
    ["Retry-After with a date", 429, { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
    [
      "Retry-After with a date in the past",
      429,
      { "retry-after": "Wed, 31 Dec 2025 00:00:30 GMT" },
      0,
    ],
    [
      "Retry-After with a date by the server's clock",
      429,
      { "retry-after": "Thu, 01 Jan 2026 02:00:05 GMT", date: "Thu, 01 Jan 2026 02:00:00 GMT" },
      5_000,
    ],
    ["a 429 without headers (no wait)", 429, {}, undefined],
    ["Retry-After with a word (no wait)", 429, { "retry-after": "soon" }, undefined],
    ["Retry-After with 400 digits (no wait)", 429, { "retry-after": "9".repeat(400) }, undefined],
    [
      "Retry-After with 20 digits (at most a year)",
      429,
      { "retry-after": "9".repeat(20) },
      31_536_000_000,
    ],
    ["Retry-After with a fraction", 429, { "retry-after": "1.5" }, 1_500],
    ["Retry-After with two numbers", 429, { "retry-after": "7, 7" }, 7_000],
    ["Retry-After with a negative number (no wait)", 429, { "retry-after": "-5" }, undefined],
    [
      "X-RateLimit-Reset",
      429,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
      90_000,
    ],
    ["a 403 with Retry-After", 403, { "retry-after": "1" }, 1_000],
    [
      "a 403 with a reset time",
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
      90_000,
    ],
    [
      "a 403 without remaining requests (no wait)",
      403,
      { "x-ratelimit-remaining": "0" },
      undefined,
    ],
  ])(
    "httpFailure recognises a rate limit and reads its wait from %s",
    (_name, status, headers, expected) => {
      const failure = httpFailure({ status, headers }, NOW);
      expect(failure).toMatchObject({ code: "RATE_LIMIT", outcome: "not_applied" });
      expect(failure.retry_after_ms).toBe(expected);
    },
  );

  it("httpFailure treats a 403 that links to GitHub's secondary limits as a rate limit of one minute", () => {
    const failure = httpFailure({ status: 403, headers: {}, body: secondary });
    expect(failure).toMatchObject({ code: "RATE_LIMIT", retry_after_ms: 60_000 });
  });

  it.each([
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    "You have triggered an abuse detection mechanism. Please retry your request again later.",
  ])("httpFailure recognises a rate limit by GitHub's message: %s", (message) => {
    const told = { code: "RATE_LIMIT", outcome: "not_applied", retry_after_ms: 60_000 };
    expect(httpFailure({ status: 403, headers: {}, body: { message } })).toMatchObject(told);
    const failure = graphqlFailure([{ message }], false);
    expect(failure).toMatchObject({ ...told, limited: "*" });
  });

  it("httpFailure returns AUTH, not RATE_LIMIT, for a 403 with remaining requests", () => {
    const headers = { "x-ratelimit-remaining": "12", "x-ratelimit-reset": reset };
    expect(httpFailure({ status: 403, headers }, NOW)).toEqual({
      code: "AUTH",
      outcome: "not_applied",
      message: "The upstream answered 403",
    });
  });

  it("httpFailure returns AUTH for a 403 with any other message about a rate limit", () => {
    const body = { message: "You exceeded the rate limit" };
    expect(httpFailure({ status: 403, headers: {}, body }).code).toBe("AUTH");
  });

  it("httpFailure returns the wait of a Retry-After header for a 503", () => {
    const failure = httpFailure({ status: 503, headers: { "retry-after": "2" } });
    expect(failure).toMatchObject({ code: "SERVER", outcome: "unknown", retry_after_ms: 2_000 });
  });
});

describe("message of an upstream failure", () => {
  it.each([
    [{ message: "Not Found" }, ": Not Found"],
    [{ error: "no such thing" }, ": no such thing"],
    [{ error: { message: "no such thing" } }, ": no such thing"],
    [{ title: "Gone", detail: "It was here" }, ": It was here"],
    [{ message: "one\ntwo" }, ": one"],
    [{ message: "x".repeat(9_000) }, `: ${"x".repeat(300)}`],
    [{ message: 7 }, ""],
    ["<html>", ""],
    [null, ""],
  ])("httpFailure adds to its message for the body %j the text %j", (body, expected) => {
    const { message } = httpFailure({ status: 404, headers: {}, body });
    expect(message).toBe(`The upstream answered 404${expected}`);
  });
});

const root = ["createIssue"];
const below = ["createIssue", "issue", "title"];

describe("graphqlFailure", () => {
  it.each([
    ["NOT_FOUND", "NOT_FOUND", "not_applied"],
    ["FORBIDDEN", "AUTH", "not_applied"],
    ["INSUFFICIENT_SCOPES", "AUTH", "not_applied"],
    ["RATE_LIMITED", "RATE_LIMIT", "not_applied"],
    ["RATE_LIMIT", "RATE_LIMIT", "not_applied"],
    ["UNPROCESSABLE", "VALIDATION", "not_applied"],
    ["STALE_DATA", "CONFLICT", "not_applied"],
    ["MAX_NODE_LIMIT_EXCEEDED", "TOO_LARGE", "not_applied"],
    ["EXCESSIVE_PAGINATION", "VALIDATION", "not_applied"],
    ["INVALID_CURSOR_ARGUMENTS", "VALIDATION", "not_applied"],
    ["RESOURCE_LIMITS_EXCEEDED", "TOO_LARGE", "unknown"],
    ["TIMEOUT", "TIMEOUT", "unknown"],
    ["SERVICE_UNAVAILABLE", "SERVER", "unknown"],
    ["SOMETHING_NEW", "SERVER", "not_applied"],
  ])(
    "graphqlFailure maps an error of type %s at a root field to %s with the outcome %s",
    (type, code, outcome) => {
      const failure = graphqlFailure([{ type, path: root, message: "x" }], true);
      expect(failure).toMatchObject({ code, outcome });
    },
  );

  it.each([
    "undefinedField",
    "argumentNotAccepted",
    "undefinedType",
    "undefinedDirective",
    "variableRequiresValidType",
    "GRAPHQL_VALIDATION_FAILED",
  ])("graphqlFailure maps an error with the schema code %s to ADAPTER_UNSUPPORTED", (code) => {
    const path = ["mutation IssueCreate", "createIssue", "input", "new"];
    const failure = graphqlFailure([{ message: "x", path, extensions: { code } }], false);
    expect(failure).toMatchObject({ code: "ADAPTER_UNSUPPORTED", outcome: "not_applied" });
  });

  it.each([
    ['Cannot query field "a" on type "B".', "ADAPTER_UNSUPPORTED"],
    ['Unknown argument "a" on field "B.c".', "ADAPTER_UNSUPPORTED"],
    ['Unknown type "A".', "ADAPTER_UNSUPPORTED"],
    [
      'Variable "$i" got invalid value; Field "a" is not defined by type "B".',
      "ADAPTER_UNSUPPORTED",
    ],
    ["Syntax Error: Unexpected }", "SERVER"],
  ])(
    "graphqlFailure maps an error without a type and with the message %s to %s",
    (message, code) => {
      const failure = graphqlFailure([{ message }], false);
      expect(failure).toMatchObject({ code, outcome: "not_applied" });
    },
  );

  it.each([
    ["Field is not defined on CreateIssueInput", "ADAPTER_UNSUPPORTED"],
    ["Expected value to not be null", "VALIDATION"],
  ])(
    "graphqlFailure maps an error about a variable with the explanation %s to %s",
    (explanation, code) => {
      const extensions = { problems: [{ path: ["title"], explanation }] };
      const failure = graphqlFailure([{ message: "invalid value", extensions }], false);
      expect(failure).toMatchObject({ code, outcome: "not_applied" });
    },
  );

  it.each([
    ["a root field failed", [{ message: "no", path: root }], true, "not_applied"],
    ["a nested field failed", [{ message: "no", path: below }], true, "applied"],
    [
      "a nested field failed and there is no data",
      [{ message: "no", path: below }],
      false,
      "applied",
    ],
    ["a nested field timed out", [{ message: "timeout", path: below }], true, "applied"],
    [
      "an unspecific error without a path",
      [{ message: "Something went wrong while executing" }],
      false,
      "unknown",
    ],
    ["a timeout without a path", [{ message: "Timeout on validation of query" }], false, "unknown"],
    ["a root field timed out", [{ message: "It timed out", path: root }], true, "unknown"],
    ["an error without a path, with data", [{ message: "no" }], true, "unknown"],
    [
      "a rate limit without a path, with data",
      [{ type: "RATE_LIMITED", message: "no" }],
      true,
      "unknown",
    ],
    ["a rate limit without data", [{ type: "RATE_LIMITED", message: "no" }], false, "not_applied"],
    ["one of two fields may have run", [{ path: root }, { message: "timeout" }], true, "unknown"],
    ["one of two fields ran", [{ path: root }, { path: below }], true, "applied"],
    ["no errors", [], false, "unknown"],
    ["errors that are not objects", [null, "x"], false, "not_applied"],
  ])("the outcome of a GraphQL failure is $3: %s", (_name, errors, hasData, outcome) => {
    expect(graphqlFailure(errors, hasData).outcome).toBe(outcome);
  });

  it("graphqlFailure returns for several errors one failure with the most specific code and its message", () => {
    const errors = [{ message: "odd" }, { type: "NOT_FOUND", message: "No such issue" }];
    const { code, message } = graphqlFailure(errors, false);
    expect({ code, message }).toEqual({
      code: "NOT_FOUND",
      message: "The upstream answered with an error: No such issue",
    });
  });

  it("graphqlFailure prefers the type of an error to its message", () => {
    const error = { type: "NOT_FOUND", message: "something went wrong", path: root };
    expect(graphqlFailure([error], true)).toMatchObject({
      code: "NOT_FOUND",
      outcome: "not_applied",
    });
  });

  it("graphqlFailure reads the wait of a rate limit from the headers", () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1_000 + 5) };
    const failure = graphqlFailure([{ type: "RATE_LIMITED" }], false, headers, NOW);
    expect(failure.retry_after_ms).toBe(5_000);
  });
});

describe("graphqlStatusFailure", () => {
  const failed = { message: "x", extensions: { code: "GRAPHQL_VALIDATION_FAILED" } };
  it.each([
    [
      "400 with an error about a document that the host does not know",
      400,
      { errors: [failed] },
      "ADAPTER_UNSUPPORTED",
    ],
    ["422 with an unspecific error", 422, { errors: [{ message: "x" }] }, "VALIDATION"],
    ["400 without GraphQL errors", 400, { message: "x" }, "VALIDATION"],
    ["401, whatever the errors say,", 401, { errors: [failed] }, "AUTH"],
  ])("graphqlStatusFailure maps the HTTP status %s to $3", (_what, status, body, code) => {
    const failure = graphqlStatusFailure({ status, headers: {}, body });
    expect(failure).toMatchObject({ code, outcome: "not_applied" });
  });

  it("graphqlStatusFailure returns an unknown outcome for an error status with data", () => {
    const body = { data: { create: { id: 1 } }, errors: [failed] };
    expect(graphqlStatusFailure({ status: 400, headers: {}, body }).outcome).toBe("unknown");
  });
});

describe("jsonRpcFailure", () => {
  it.each([
    [-32_700, "SERVER", "not_applied"],
    [-32_600, "SERVER", "not_applied"],
    [-32_601, "ADAPTER_UNSUPPORTED", "not_applied"],
    [-32_602, "VALIDATION", "not_applied"],
    [-32_603, "SERVER", "unknown"],
    [-32_000, "SERVER", "unknown"],
    [1, "SERVER", "unknown"],
  ])("jsonRpcFailure maps the error code %i to %s with the outcome %s", (number, code, outcome) => {
    expect(jsonRpcFailure(number)).toMatchObject({ code, outcome });
  });
});
