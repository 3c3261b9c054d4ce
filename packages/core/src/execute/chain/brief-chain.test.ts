import { expect, it } from "vitest";
import { failureResult, fail, successResult } from "../../envelope/index.ts";
import { parseBriefChain } from "../../brief/index.ts";
import { briefChainText } from "./brief-chain.ts";
import { chainSummary, refusedChain } from "./chain-result.ts";

const meta = { capability_id: "item.view", request_id: "r-1" };
const good = successResult({ id: 1 }, meta);
const bad = failureResult({ code: "NOT_FOUND", message: "gone", retryable: false }, meta);

it("the brief text of a chain has a separator line between two steps", () => {
  const text = briefChainText(chainSummary([good, good], "r", 2));
  expect(text).toBe('{"id":1}\n--\n{"id":1}');
  expect(parseBriefChain(text)).toMatchObject({ ok: true, results: [{ data: { id: 1 } }, {}] });
});

it("the brief text of a chain starts with the first failure", () => {
  const text = briefChainText(chainSummary([good, bad], "r", 2));
  expect(text).toBe('!NOT_FOUND 1 of 2 steps failed\n--\n{"id":1}\n--\n!NOT_FOUND gone');
  expect(parseBriefChain(text)).toMatchObject({
    ok: false,
    error: { code: "NOT_FOUND" },
    results: [{ ok: true }, { ok: false }],
  });
});

it("the brief text of a chain that ran no step is one line with the error", () => {
  const refused = refusedChain(fail("VALIDATION", "too many steps"), 101, "r");
  expect(briefChainText(refused)).toBe("!VALIDATION too many steps");
});

it("the brief text of a chain quotes an answer that equals the separator", () => {
  const items = [{ line: "--" }, { line: "first of many lines" }, { line: "--" }];
  const results = [successResult("--", meta), successResult({ items }, meta)];
  const text = briefChainText(chainSummary(results, "r", 2));
  expect(parseBriefChain(text).results.map(({ data }) => data)).toEqual(["--", { items }]);
});
