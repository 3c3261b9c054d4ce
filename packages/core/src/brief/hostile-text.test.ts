import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { briefResult, failureResult, successResult } from "../envelope/index.ts";
import type { ResultEnvelope, ResultError, ResultMeta } from "../envelope/index.ts";
import { briefChainText } from "../execute/chain/brief-chain.ts";
import { chainSummary } from "../execute/chain/chain-result.ts";
import { briefText, parseBrief, parseBriefChain } from "./index.ts";
import type { ParsedBrief } from "./index.ts";

const failure = (error: Omit<ResultError, "code" | "retryable">, retryable = false) =>
  failureResult({ code: "CONFLICT", retryable, ...error }, { capability_id: "item.add" });
const errorOf = (result: ResultEnvelope) => parseBrief(briefText(result)).error;

/** Strings that have a meaning in brief text, in JSON or on a terminal. */
const SIGNS = `!X y;!brief 2;--;";\\;(;);|; | ;{; {;};,;=;:;[];{"a":1};+a,b;null;1e21;-0;7;01;😀;word`;
const WORDS = "(applied;(applied);(not applied;(unknown, retry after 5 ms);(retry;use ; approve ";
const NAMES = "approve 1.2;more: c1;__proto__;meta;details.meta;%s; ";
const BREAKS = "\n;\r\n;\n\n;\n--\n;\t;\u2028;\u0085;\u0000;\u001B[31m;\u202E;\uFEFF;\uD800;\uDC00";
const parts = fc.constantFrom(...[SIGNS, WORDS, NAMES, BREAKS].flatMap((some) => some.split(";")));
const texts = fc.array(parts, { maxLength: 6 }).map((some) => some.join(""));
const values = fc.oneof(
  texts,
  fc.constantFrom<unknown[]>(-0, 1e21, 5e-324, 2 ** 53, null, true, [], {}, [[]], [{}], { a: [] }),
  fc.dictionary(texts, texts, { maxKeys: 2 }),
);
const rows = fc
  .tuple(
    fc.array(texts, { minLength: 1, maxLength: 4 }),
    fc.array(fc.array(values, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  )
  .map(([names, lines]) =>
    lines.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null]))),
  );
const data = fc.oneof(
  values,
  rows,
  rows.map((items) => ({ items })),
  fc.tuple(texts, rows, texts, values).map(([list, items, name, value]) =>
    Object.fromEntries([
      [name, value],
      [list, items],
    ]),
  ),
);
const metas = fc.record<Partial<ResultMeta>>(
  {
    request_id: texts,
    pagination: fc.record({
      has_next_page: fc.boolean(),
      end_cursor: fc.option(texts),
      total: fc.nat(),
    }),
    truncated: fc.boolean(),
    handle: texts,
    left_out: fc.array(texts, { maxLength: 3 }),
    next: fc.array(
      fc.record({
        capability_id: texts,
        params: fc.dictionary(texts, texts, { maxKeys: 2 }),
        reason: texts,
      }),
    ),
    warnings: fc.array(texts, { maxLength: 3 }),
    headers: fc.dictionary(texts, texts, { maxKeys: 2 }),
    replayed: fc.boolean(),
  },
  { requiredKeys: [] },
);
const allDetails = fc
  .tuple(
    fc.dictionary(texts, values, { maxKeys: 3 }),
    fc.record(
      {
        outcome: fc.constantFrom("not_applied", "applied", "unknown", "other", 7),
        retry_after_ms: fc.constantFrom(0, 500, -5, 1.5, 1e21, "3"),
        hint: values,
        signature: texts,
        approve: fc.oneof(fc.constantFrom("k.s", "1.2"), texts),
        meta: values,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([some, others]) =>
    Object.fromEntries([...Object.entries(some), ...Object.entries(others)]),
  );
const results = fc.oneof(
  fc.tuple(data, metas).map(([raw, meta]) => successResult(raw, { capability_id: "a.b", ...meta })),
  fc
    .tuple(texts, fc.boolean(), allDetails, metas)
    .map(([message, retryable, details, meta]) =>
      failureResult(
        { code: "CONFLICT", message, retryable, details },
        { capability_id: "a.b", ...meta },
      ),
    ),
);

/** Returns the brief result in the form of `parseBrief`. */
function asParsed(result: ResultEnvelope): unknown {
  const brief = JSON.parse(JSON.stringify(briefResult(result))) as ReturnType<typeof briefResult>;
  if (!("error" in brief))
    return { ok: true, data: brief.data, error: null, meta: brief.meta ?? {} };
  const { request_id, ...meta } = brief.meta ?? {};
  const isUnknown = brief.error.details?.["outcome"] === "unknown" && request_id !== undefined;
  const kept = isUnknown ? { request_id, ...meta } : meta;
  return { ok: false, data: null, error: brief.error, meta: kept };
}

const asJson = (value: ParsedBrief): unknown => JSON.parse(JSON.stringify(value));

describe("hostile texts in brief text", () => {
  it("parseBrief returns every part of an answer whose strings look like brief text", () => {
    fc.assert(
      fc.property(results, (result) => {
        const written = briefText(result);
        expect(written.startsWith("!")).toBe(!result.ok);
        expect(result.ok || !written.includes("\n")).toBe(true);
        expect(asJson(parseBrief(written))).toEqual(asParsed(result));
      }),
      { numRuns: 500 },
    );
  });

  it("parseBriefChain returns every answer of a chain whose strings look like brief text", () => {
    fc.assert(
      fc.property(fc.array(results, { minLength: 1, maxLength: 4 }), (steps) => {
        const read = parseBriefChain(briefChainText(chainSummary(steps, "r", steps.length)));
        expect(read.ok).toBe(steps.every(({ ok }) => ok));
        expect(read.results.map(asJson)).toEqual(steps.map(asParsed));
      }),
      { numRuns: 150 },
    );
  });

  it.each(["Could not merge (applied", "No host (unknown", "x (retry after 5 ms", "(not applied"])(
    "parseBrief finds the outcome after the message %j",
    (message) => {
      const details = { outcome: "not_applied", retry_after_ms: 5 };
      expect(errorOf(failure({ message, details }, true))).toEqual({
        code: "CONFLICT",
        message,
        retryable: true,
        details,
      });
    },
  );

  it("parseBrief reads a failure with a negative retry_after_ms as retryable", () => {
    const error = errorOf(failure({ message: "Slow", details: { retry_after_ms: -5 } }, true));
    expect(error).toMatchObject({ retryable: true, details: { retry_after_ms: -5 } });
  });

  it("parseBrief does not take an error detail called meta for the metadata of the answer", () => {
    const details = { meta: { version: 2 } };
    const read = parseBrief(briefText(failure({ message: "No", details })));
    expect(read).toMatchObject({ error: { details }, meta: {} });
  });

  it("parseBrief reads a message and a warning of 10 million characters", () => {
    const message = "a\n".repeat(5_000_000);
    expect(errorOf(failure({ message }))?.message).toBe(message);
    const warnings = ["\u2028".repeat(10_000_000)];
    const text = briefText(successResult(1, { capability_id: "a.b", warnings }));
    expect(parseBrief(text).meta).toEqual({ warnings });
  });
});

const issue = (path: string, more: object = {}) => ({ path, message: "is required", ...more });
const shown = (message: string, ...issues: object[]) =>
  errorOf(failure({ message, details: { issues, signature: "item.add(title, state:open|done)" } }))
    ?.details?.["issues"];

describe("problems that the message of a failure does not name", () => {
  it("the brief text of a failure lists the problems that its message only counts", () => {
    const left = shown("/a is required, and 1 more", issue("/a"), issue("/title"));
    expect(left).toEqual([issue("/title")]);
  });

  it("the brief text of a failure does not repeat a missing input that its signature names", () => {
    const missing = [issue("/a", { missing: true }), issue("/state", { missing: true })];
    expect(shown("/a is required, and 1 more", ...missing)).toBeUndefined();
  });

  it("the brief text of a failure shows a suggestion that its message has only as a part of another word", () => {
    const meant = issue("/labels", { did_you_mean: "label" });
    expect(shown("/labels is required", meant)).toEqual([meant]);
    expect(shown("/labels is required; did you mean label?", meant)).toBeUndefined();
  });

  it("the brief text of a failure lists the allowed values of an input unless its signature names them", () => {
    const inner = issue("/filter/state", { allowed: ["red", "blue"] });
    expect(shown("/filter/state is required", inner)).toEqual([inner]);
    const outer = issue("/state", { allowed: ["open", "done"] });
    expect(shown("/state is required", outer)).toBeUndefined();
  });

  it("the brief text of a failure names octo/hello if its message names only octo/hello-world", () => {
    const details = { owner: "octo", repo: "hello" };
    expect(errorOf(failure({ message: "No label in octo/hello-world", details }))).toMatchObject({
      details,
    });
  });
});
