import { describe, expect, it } from "vitest";
import {
  CALL_ERROR_CODES,
  CallError,
  ERROR_CODES,
  PREFLIGHT_CODES,
  agentErrorCode,
  isErrorCode,
} from "./index.ts";
import type { CallErrorCode, ErrorCode } from "./index.ts";

/**
 * The columns: HTTP status, whether it is retryable by default, whether another route may be
 * tried.
 */
const agreed: Record<ErrorCode, [http: number, retryable: boolean, fallsBack: boolean]> = {
  AUTH: [401, false, true],
  NOT_FOUND: [404, false, false],
  VALIDATION: [400, false, false],
  CONFLICT: [409, false, false],
  POLICY: [403, false, false],
  RATE_LIMIT: [429, true, true],
  NETWORK: [502, true, true],
  TIMEOUT: [504, true, true],
  SERVER: [502, true, true],
  NOT_READY: [503, true, false],
  TOO_LARGE: [413, false, false],
  ADAPTER_UNSUPPORTED: [501, false, true],
  CANCELLED: [499, false, false],
  UNKNOWN: [500, false, true],
};

describe("ERROR_CODES", () => {
  it("each error code has the documented HTTP status, retry and fallback", () => {
    const table = Object.entries(ERROR_CODES).map(([code, facts]) => [
      code,
      [facts.http, facts.retryable, facts.fallsBack],
    ]);
    expect(Object.fromEntries(table)).toEqual(agreed);
  });

  it("each error code has a sentence that says when it is used", () => {
    for (const { when } of Object.values(ERROR_CODES)) expect(when).toMatch(/^[A-Z].+[^.]$/);
  });

  it("the table of error codes is frozen", () => {
    expect(Object.isFrozen(ERROR_CODES)).toBe(true);
    for (const facts of Object.values(ERROR_CODES)) expect(Object.isFrozen(facts)).toBe(true);
  });
});

describe("codes of calls and preflights", () => {
  it.each<[CallErrorCode, ErrorCode]>([
    ["OPERATION_NOT_FOUND", "NOT_FOUND"],
    ["ACCESS_DENIED", "POLICY"],
    ["VALIDATION_ERROR", "VALIDATION"],
    ["TIMEOUT", "TIMEOUT"],
    ["ABORTED", "CANCELLED"],
    ["EXECUTION_ERROR", "UNKNOWN"],
    ["OUTCOME_UNKNOWN", "NETWORK"],
  ])("the call protocol's error code %s is shown to an agent as %s", (code, expected) => {
    expect(agentErrorCode(new CallError(code, "m"))).toBe(expected);
  });

  it("the call protocol has seven error codes", () => {
    expect(Object.keys(CALL_ERROR_CODES)).toHaveLength(7);
  });

  it("each preflight code maps to the error code of a call without a usable route", () => {
    const told = Object.entries(PREFLIGHT_CODES).map(([code, { code: errorCode }]) => [
      code,
      errorCode,
    ]);
    expect(Object.fromEntries(told)).toEqual({
      CLI_UNAUTHENTICATED: "AUTH",
      TOKEN_MISSING: "AUTH",
      HOST_MISMATCH: "AUTH",
      SCOPE_MISSING: "AUTH",
      SOURCE_DOWN: "NETWORK",
      OFFLINE: "NETWORK",
      ROUTE_NOT_CONFIGURED: "ADAPTER_UNSUPPORTED",
      CLI_NOT_AVAILABLE: "ADAPTER_UNSUPPORTED",
      CLI_VERSION: "ADAPTER_UNSUPPORTED",
      LIMIT_EXCEEDED: "ADAPTER_UNSUPPORTED",
    });
  });
});

describe("guard of error codes", () => {
  it("isErrorCode accepts the codes of the table and no inherited names", () => {
    expect(Object.keys(ERROR_CODES).every(isErrorCode)).toBe(true);
    const others = ["toString", "__proto__", "auth", "", 401, null, undefined];
    expect(others.some(isErrorCode)).toBe(false);
  });
});
