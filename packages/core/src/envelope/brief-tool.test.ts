import { describe, expect, it } from "vitest";
import { briefToolEnvelope, createErrorEnvelope, createSuccessEnvelope } from "./index.ts";
import type { ToolMeta } from "./index.ts";

const workspace = { root: "/repo", repoName: "repo", rev: "abc123" };
const nextQuerySuggestion = [{ tool: "graph_tree", args: {} }];

function brief(result: unknown, meta: Partial<Omit<ToolMeta, "approxTokens">>): unknown {
  const whole = createSuccessEnvelope("graph_search", result, workspace, {
    limits: { maxItems: 20 },
    nextQuerySuggestion,
    ...meta,
  });
  return briefToolEnvelope(whole);
}

describe("briefToolEnvelope", () => {
  it("briefToolEnvelope keeps only the result if the result is complete", () => {
    expect(brief([1], { page: { hasMore: false, total: 1 } })).toEqual({ result: [1] });
    expect(brief({ found: true }, {})).toEqual({ result: { found: true } });
  });

  it.each([
    ["cut", [1], { truncated: true }, { truncated: true }],
    [
      "one page of many",
      [1],
      { page: { hasMore: true, cursor: "c", total: 9 } },
      { page: { hasMore: true, cursor: "c", total: 9 } },
    ],
    ["empty", [], { page: { hasMore: false, total: 0 } }, {}],
    ["stale", { index: { ageMs: 5_000 } }, {}, {}],
  ])(
    "briefToolEnvelope keeps the suggestion of the next query if the result is %s",
    (_name, result, meta, told) => {
      expect(brief(result, meta)).toEqual({ result, meta: { ...told, nextQuerySuggestion } });
    },
  );

  it("briefToolEnvelope keeps only the error of a failure", () => {
    const details = { did_you_mean: ["touch"] };
    const whole = createErrorEnvelope("graph_search", "NOT_FOUND", "gone", workspace, details);
    expect(briefToolEnvelope(whole)).toEqual({
      error: { code: "NOT_FOUND", message: "gone", details },
    });
  });
});
