import { describe, expect, it } from "vitest";
import { CallError, errorFromUnknown, fail, toResultError } from "./index.ts";
import type { CallErrorDetails } from "./index.ts";

const read = { requestId: "r-1", isWrite: false, isRepeatable: true };
const idempotentWrite = { requestId: "r-1", isWrite: true, isRepeatable: true };
const plainWrite = { requestId: "r-1", isWrite: true, isRepeatable: false };

describe("message and details of toResultError", () => {
  it("the result error of an internal failure shows the request id instead of its message", () => {
    const error = toResultError(errorFromUnknown(new Error("/etc/secret: token=abc")), read);
    expect(error).toEqual({
      code: "UNKNOWN",
      message: "Unexpected failure; look for request r-1 in the log",
      retryable: false,
    });
  });

  it("the result error of a failure with a code shows its message, even if the code is UNKNOWN", () => {
    const error = toResultError(fail("UNKNOWN", "the tool gave up"), read);
    expect(error.message).toBe("the tool gave up");
  });

  it("the result error of a failure with an unlisted code hides its message", () => {
    const details = { code: "BOOM" } as unknown as CallErrorDetails;
    const error = toResultError(new CallError("EXECUTION_ERROR", "secret", details), read);
    expect(error.code).toBe("UNKNOWN");
    expect(error.message).not.toContain("secret");
  });

  it("the result error ignores a code in the details of an error other than EXECUTION_ERROR", () => {
    const error = new CallError("ACCESS_DENIED", "not yours", { code: "NETWORK" });
    expect(toResultError(error, read)).toEqual({
      code: "POLICY",
      message: "not yours",
      retryable: false,
    });
  });

  it("the result error keeps the details of an error without the code", () => {
    const error = fail("RATE_LIMIT", "slow down", { retry_after_ms: 500, status: 429 });
    expect(toResultError(error, read)).toEqual({
      code: "RATE_LIMIT",
      message: "slow down",
      retryable: true,
      details: { retry_after_ms: 500, status: 429 },
    });
  });

  it.each([
    [299, true],
    [300, false],
    [399, false],
    [400, true],
  ])("the result error of a read with the HTTP status %i is retryable: %s", (status, retryable) => {
    expect(toResultError(fail("SERVER", "elsewhere", { status }), read).retryable).toBe(retryable);
  });

  it("a long message of a result error is cut to 2,000 characters", () => {
    const { message } = toResultError(fail("SERVER", "x".repeat(5_000)), read);
    expect(message).toHaveLength(2_001);
  });

  it("details that are not JSON are left out of a result error", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    const odd = toResultError(fail("SERVER", "x", { size: 5n, status: 500 }), read);
    const endless = toResultError(fail("SERVER", "x", { loop, outcome: "unknown" }), plainWrite);
    expect(odd.details).toEqual({ status: 500 });
    expect(endless.details).toEqual({ outcome: "unknown" });
    expect(toResultError(fail("SERVER", "x", { loop }), read)).not.toHaveProperty("details");
  });
});

describe("outcome and retryable of toResultError", () => {
  it("the result error of a failed read has no outcome", () => {
    const error = toResultError(fail("TIMEOUT", "late", { outcome: "unknown" }), read);
    expect(error).toEqual({ code: "TIMEOUT", message: "late", retryable: true });
  });

  it.each([
    ["a plain write", plainWrite, "not_applied", true],
    ["a plain write", plainWrite, "unknown", false],
    ["a plain write", plainWrite, "applied", false],
    ["an idempotent write", idempotentWrite, "not_applied", true],
    ["an idempotent write", idempotentWrite, "unknown", true],
    ["an idempotent write", idempotentWrite, "applied", false],
  ] as const)(
    "the result error of %s with the outcome $2 has retryable: $3",
    (_, options, outcome, retryable) => {
      const error = toResultError(fail("NETWORK", "reset", { outcome }), options);
      expect(error).toMatchObject({ retryable, details: { outcome } });
    },
  );

  it("the result error of a write is not retryable with any outcome if its error code is not retryable", () => {
    const error = fail("VALIDATION", "no", { outcome: "not_applied" });
    expect(toResultError(error, idempotentWrite).retryable).toBe(false);
  });

  it("the result error for OUTCOME_UNKNOWN has the outcome unknown even without details", () => {
    const error = toResultError(new CallError("OUTCOME_UNKNOWN", "connection lost"), plainWrite);
    expect(error).toEqual({
      code: "NETWORK",
      message: "connection lost",
      retryable: false,
      details: { outcome: "unknown" },
    });
  });
});
