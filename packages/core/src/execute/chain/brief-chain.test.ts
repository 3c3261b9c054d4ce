import { expect, it } from "vitest";
import { failureResult, fail, successResult } from "../../envelope/index.ts";
import { briefChain } from "./brief-chain.ts";
import { chainSummary, refusedChain } from "./chain-result.ts";

const meta = { capability_id: "item.view", request_id: "r-1" };
const good = successResult({ id: 1 }, meta);
const bad = failureResult({ code: "NOT_FOUND", message: "gone", retryable: false }, meta);

it("is the results where all went well", () => {
  expect(briefChain(chainSummary([good, good], "r", 2))).toEqual({
    results: [{ data: { id: 1 } }, { data: { id: 1 } }],
  });
});

it("says how it went where not all did", () => {
  expect(briefChain(chainSummary([good, bad], "r", 2))).toEqual({
    status: "partial",
    results: [{ data: { id: 1 } }, { error: { code: "NOT_FOUND", message: "gone" } }],
    meta: { total: 2, succeeded: 1, failed: 1 },
  });
});

it("says why nothing was run", () => {
  const refused = refusedChain(fail("VALIDATION", "too many steps"), 101, "r");
  expect(briefChain(refused)).toEqual({
    status: "failed",
    results: [],
    error: { code: "VALIDATION", message: "too many steps" },
    meta: { total: 101, succeeded: 0, failed: 0 },
  });
});
