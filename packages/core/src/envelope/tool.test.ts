import { describe, expect, it } from "vitest";
import {
  ERROR_CODES,
  TOOL_ERROR_CODES,
  createErrorEnvelope,
  createSuccessEnvelope,
  envelopeToResult,
  isToolEnvelope,
  toolErrorCode,
} from "./index.ts";
import type { ErrorCode, ResultError, ToolErrorCode } from "./index.ts";

const workspace = { root: "/repo", repoName: "repo", rev: "abc123" };

function failure(code: ErrorCode, details?: Record<string, unknown>): ResultError {
  return { code, message: "m", retryable: false, ...(details && { details }) };
}

const weight = JSON.stringify(createSuccessEnvelope("graph_digest", "", workspace)).length;

/** The sizes at which the token count gets another digit. */
function around(count: number): number[] {
  return Array.from({ length: 40 }, (_, index) => count * 4 - weight - 20 + index);
}

describe("size of a tool envelope", () => {
  it("approxTokens of a tool envelope is a quarter of the length of the sent text, rounded up, for any size", () => {
    const sizes = [...Array(60).keys(), ...[100, 1_000, 10_000, 100_000].flatMap(around)];
    for (const size of sizes) {
      const envelope = createSuccessEnvelope("graph_digest", "x".repeat(size), workspace);
      const text = envelopeToResult(envelope).content[0]!.text;
      expect(envelope.data.meta.approxTokens, `size ${size}`).toBe(Math.ceil(text.length / 4));
    }
  });

  it("approxTokens of a tool error is a quarter of the length of its text", () => {
    const envelope = createErrorEnvelope("t", "NOT_FOUND", "gone", workspace, { path: "/a" });
    const text = JSON.stringify(envelope);
    expect(envelope.data.meta.approxTokens).toBe(Math.ceil(text.length / 4));
  });
});

describe("createSuccessEnvelope and createErrorEnvelope", () => {
  it("a tool envelope fills every declared field", () => {
    const page = { cursor: "c", hasMore: true, total: 9 };
    const { data } = createSuccessEnvelope("graph_digest", [1], workspace, {
      page,
      truncated: true,
      limits: { maxItems: 1 },
    });
    expect(data).toMatchObject({ tool: "graph_digest", version: "1.0", workspace, result: [1] });
    expect(data.requestId).toMatch(/^[0-9a-f]{8}$/);
    expect(new Date(data.generatedAt).toISOString()).toBe(data.generatedAt);
    expect(data.meta).toMatchObject({ page, truncated: true, limits: { maxItems: 1 } });
  });

  it("a tool error has details only if some are given", () => {
    const bare = createErrorEnvelope("t", "CANCELLED", "stopped", workspace);
    const full = createErrorEnvelope("t", "CANCELLED", "stopped", workspace, { step: 2 });
    expect(bare.data.result.error).toEqual({ code: "CANCELLED", message: "stopped" });
    expect(full.data.result.error.details).toEqual({ step: 2 });
  });

  it("a tool envelope is sent as one text block that is marked as an error exactly if the tool failed", () => {
    const good = createSuccessEnvelope("t", 1, workspace);
    const bad = createErrorEnvelope("t", "NOT_FOUND", "gone", workspace);
    expect(envelopeToResult(good)).toEqual({
      content: [{ type: "text", text: JSON.stringify(good) }],
      isError: false,
    });
    expect(envelopeToResult(bad).isError).toBe(true);
  });
});

describe("error codes of tools", () => {
  const expected: Partial<Record<ErrorCode, ToolErrorCode>> = {
    VALIDATION: "INVALID_INPUT",
    NOT_FOUND: "NOT_FOUND",
    CANCELLED: "CANCELLED",
    TIMEOUT: "NOT_AVAILABLE",
    NOT_READY: "NOT_AVAILABLE",
    POLICY: "NOT_AVAILABLE",
    CONFLICT: "NOT_AVAILABLE",
    AUTH: "NOT_AVAILABLE",
  };

  it.each(
    (Object.keys(ERROR_CODES) as ErrorCode[]).map(
      (code) => [code, expected[code] ?? "INTERNAL_ERROR"] as const,
    ),
  )("toolErrorCode maps %s to %s", (code, toolCode) => {
    expect(toolErrorCode(failure(code))).toBe(toolCode);
  });

  const missing = { path: "/symbol", message: "is required", missing: true };
  const wrong = { path: "/depth", message: "must be number" };
  const action = { path: "/action", message: "must be one of the allowed values" };

  it.each<[string, Record<string, unknown>, ToolErrorCode]>([
    ["only missing params", { issues: [missing] }, "MISSING_PARAMS"],
    ["only a missing action", { issues: [{ ...action, missing: true }] }, "MISSING_PARAMS"],
    ["missing and wrong params", { issues: [missing, wrong] }, "INVALID_INPUT"],
    ["an unknown action", { issues: [action, missing] }, "UNKNOWN_ACTION"],
    ["more than one match", { ambiguous: true, issues: [missing] }, "AMBIGUOUS"],
    ["no issues", { issues: [] }, "INVALID_INPUT"],
    ["issues that are not a list", { issues: "many" }, "INVALID_INPUT"],
    ["issues that are not objects", { issues: [null] }, "INVALID_INPUT"],
  ])("toolErrorCode maps VALIDATION with %s to $2", (_, details, code) => {
    expect(toolErrorCode(failure("VALIDATION", details))).toBe(code);
  });

  it("every tool code that these tests expect is declared in TOOL_ERROR_CODES", () => {
    for (const code of Object.values(expected)) expect(TOOL_ERROR_CODES).toContain(code);
  });
});

describe("guard of tool envelopes", () => {
  const good = createSuccessEnvelope("t", null, workspace);
  const bad = createErrorEnvelope("t", "NOT_FOUND", "gone", workspace);

  it("isToolEnvelope accepts the envelopes of createSuccessEnvelope and createErrorEnvelope", () => {
    expect(isToolEnvelope(good)).toBe(true);
    expect(isToolEnvelope(bad)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["an envelope without success", { data: good.data }],
    ["a success that is a string", { ...good, success: "true" }],
    ["an envelope without data", { success: true }],
    ["a tool whose name is a number", { success: true, data: { ...good.data, tool: 1 } }],
    [
      "an envelope without a request id",
      { success: true, data: { ...good.data, requestId: undefined } },
    ],
    ["an envelope without a workspace", { success: true, data: { ...good.data, workspace: null } }],
    ["an envelope without approxTokens", { success: true, data: { ...good.data, meta: {} } }],
    ["a failure without an error", { success: false, data: good.data }],
    [
      "a failure with an unknown code",
      { success: false, data: { ...bad.data, result: { error: { code: "AUTH", message: "" } } } },
    ],
  ])("isToolEnvelope refuses %s", (_, value) => {
    expect(isToolEnvelope(value)).toBe(false);
  });
});
