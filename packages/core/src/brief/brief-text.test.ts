import * as fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import {
  briefResult,
  createSuccessEnvelope,
  failureResult,
  successResult,
} from "../envelope/index.ts";
import type { ResultError, ResultMeta } from "../envelope/index.ts";
import { briefChainText } from "../execute/chain/brief-chain.ts";
import { briefText, briefToolText, parseBrief, parseBriefChain } from "./index.ts";

type Failure = Omit<ResultError, "retryable"> & { retryable?: true };

const answer = (data: unknown, meta: Partial<ResultMeta> = {}) =>
  successResult(data, { capability_id: "item.list", ...meta });
const text = (data: unknown, meta?: Partial<ResultMeta>) => briefText(answer(data, meta));
const line = (error: Failure, meta: Partial<ResultMeta> = {}) =>
  briefText(failureResult({ retryable: false, ...error }, { capability_id: "item.add", ...meta }));

describe("briefText of a success", () => {
  it.each([
    [
      "a list of rows as a table",
      {
        items: [
          { n: 1, t: "a b" },
          { n: 2, t: "c" },
        ],
      },
      "n\tt\n1\ta b\n2\tc",
    ],
    [
      "a column with one value in the header",
      {
        items: [
          { n: 1, s: "OPEN" },
          { n: 2, s: "OPEN" },
        ],
      },
      "n\ts=OPEN\n1\n2",
    ],
    ["text that looks like a number in quotes", { items: [{ t: "7" }, { t: "x" }] }, 't\n"7"\nx'],
    ["a missing member as an empty cell", { items: [{ a: 1, b: 2 }, { a: 3 }] }, "a\tb\n1\t2\n3"],
    ["a list inside a cell as JSON", { items: [{ l: ["x"] }, { l: [] }] }, 'l\n["x"]\n[]'],
    ["a list at the root as a table", [{ n: 1 }, { n: 2 }], ":[]\nn\n1\n2"],
    [
      "members beside the list on a line of their own",
      { total: 9, runs: [{ n: 1 }, { n: 2 }] },
      ":runs\ttotal=9\nn\n1\n2",
    ],
    ["an object as compact JSON", { a: [1], b: null }, '{"a":[1],"b":null}'],
    ["text unchanged", "Merged into main", "Merged into main"],
    ["text that looks like a failure in quotes", "!NO", '"!NO"'],
    ["an empty list as JSON", { items: [] }, '{"items":[]}'],
  ])("the brief text of a success shows %s", (_what, data, expected) => {
    expect(text(data)).toBe(expected);
    expect(parseBrief(expected)).toEqual({ ok: true, data, error: null, meta: {} });
  });

  it("the brief text of a success ends with pagination, total and warnings after an empty line", () => {
    const meta = {
      pagination: { has_next_page: true, end_cursor: "c1", total: 241 },
      warnings: ["Labels were not read"],
      replayed: true,
    };
    const written = text({ items: [{ n: 1 }] }, meta);
    expect(written).toBe(
      "n\n1\n\nmore: c1\ntotal: 241\nwarning: Labels were not read\nreplayed: true",
    );
    expect(parseBrief(written)).toEqual({
      ok: true,
      data: { items: [{ n: 1 }] },
      error: null,
      meta,
    });
  });

  it("the brief text of a list shows the next cursor once, in the line that starts with more:", () => {
    const pageInfo = { hasNextPage: true, endCursor: "c1" };
    const pagination = { has_next_page: true, end_cursor: "c1" };
    const items = [{ n: 1 }, { n: 2 }];
    expect(text({ items, pageInfo }, { pagination })).toBe("n\n1\n2\n\nmore: c1");
    expect(text({ items, pageInfo })).toContain("pageInfo");
    expect(text({ pageInfo }, { pagination })).toContain("pageInfo");
  });

  it("the header of a brief table names the columns that are left out", () => {
    const data = {
      items: [
        { n: 1, id: "x", url: "u" },
        { n: 2, id: "y", url: "v" },
      ],
    };
    const written = briefText(answer(data), { columns: ["n"] });
    expect(written).toBe("n\t+id,url\n1\n2");
    expect(parseBrief(written)).toMatchObject({
      data: { items: [{ n: 1 }, { n: 2 }] },
      meta: { left_out: ["id", "url"] },
    });
  });

  it("the brief text of an MCP tool's list is a table", () => {
    expect(
      briefToolText(
        createSuccessEnvelope(
          "graph_x",
          { files: [{ path: "a.ts" }, { path: "b.ts" }] },
          { root: "/", repoName: "r" },
        ),
      ),
    ).toBe(":files\npath\na.ts\nb.ts");
  });
});

describe("briefText of a failure", () => {
  it.each<[string, Failure, string]>([
    ["its code and message", { code: "NOT_FOUND", message: "No issue 9" }, "!NOT_FOUND No issue 9"],
    [
      "its outcome",
      {
        code: "VALIDATION",
        message: 'head: no branch "fix/x"',
        details: { outcome: "not_applied" },
      },
      '!VALIDATION head: no branch "fix/x" (not applied)',
    ],
    [
      "the wait before a retry",
      {
        code: "RATE_LIMIT",
        message: "Slow down",
        retryable: true,
        details: { retry_after_ms: 500 },
      },
      "!RATE_LIMIT Slow down (retry after 500 ms)",
    ],
    [
      "the next step",
      {
        code: "VALIDATION",
        message: "title is required",
        details: {
          outcome: "not_applied",
          signature: "issue.create(repo, title)",
          hint: "See help",
        },
      },
      "!VALIDATION title is required (not applied) | use issue.create(repo, title) | See help",
    ],
    [
      "other details as JSON",
      { code: "CONFLICT", message: "Two found", details: { candidates: [1, 2] } },
      '!CONFLICT Two found {"candidates":[1,2]}',
    ],
    [
      "a message of two lines in quotes",
      { code: "SERVER", message: "one\ntwo" },
      '!SERVER "one\\ntwo"',
    ],
  ])("the brief text of a failure is one line with %s", (_what, error, expected) => {
    expect(line(error)).toBe(expected);
    expect(parseBrief(expected)).toEqual({ ok: false, data: null, error, meta: {} });
  });

  it("the brief text of a refused call shows the approve code to repeat the call, or the approval id if there is no code", () => {
    const details = { approval: "ap_1", approve: "k.s" };
    expect(line({ code: "POLICY", message: "No", details })).toBe('!POLICY No {"approve":"k.s"}');
    expect(line({ code: "POLICY", message: "No", details: { approval: "ap_1" } })).toBe(
      '!POLICY No {"approval":"ap_1"}',
    );
  });

  it("the brief text of a failure does not list issues that the error message names", () => {
    const details = { issues: [{ path: "/title", message: "is required" }] };
    expect(line({ code: "VALIDATION", message: "/title is required", details })).toBe(
      "!VALIDATION /title is required",
    );
  });

  it("the brief text of a failure does not repeat the repository that the error message names", () => {
    const details = { owner: "octo", repo: "hello" };
    const named: Failure = { code: "NOT_FOUND", message: "No issue octo/hello#9", details };
    expect(line(named)).toBe("!NOT_FOUND No issue octo/hello#9");
    const unnamed: Failure = { code: "NOT_FOUND", message: "No label x", details };
    expect(line(unnamed)).toBe('!NOT_FOUND No label x {"owner":"octo","repo":"hello"}');
  });

  it("the brief text of a failure names the request id only if the outcome of the write is unknown", () => {
    const error: Failure = { code: "NETWORK", message: "Cut", details: { outcome: "unknown" } };
    expect(line(error, { request_id: "r1" })).toBe(
      '!NETWORK Cut (unknown) {"meta":{"request_id":"r1"}}',
    );
    const told: Failure = { ...error, details: { outcome: "not_applied" } };
    expect(line(told, { request_id: "r1" })).toBe("!NETWORK Cut (not applied)");
  });
});

const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "",
    "--",
    "7",
    "true",
    "null",
    "-1e3",
    " a",
    "a=b",
    ":x",
    "+y",
    "!Z",
    '"q',
    "a\tb",
    "a\n\nb",
    "{",
    "(applied)",
    "x | y",
    "__proto__",
    "\u2028",
    "a\u2029b",
    "\u0085",
  ),
);
const cells = fc.oneof(
  words,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
);
const rows = fc.array(fc.dictionary(words, cells, { maxKeys: 4 }), { maxLength: 5 });
const answers = fc.oneof(
  fc.jsonValue(),
  rows,
  rows.map((items) => ({ items })),
  fc
    .tuple(words, rows, fc.dictionary(words, cells, { maxKeys: 2 }))
    .map(([name, list, beside]) => Object.fromEntries([...Object.entries(beside), [name, list]])),
);
const facts = fc.array(words, { maxLength: 2 });
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("reading brief text back", () => {
  it("parseBrief returns the data of any success that briefText wrote", () => {
    fc.assert(
      fc.property(answers, facts, facts, (raw, warnings, left_out) => {
        const data = asJson(raw);
        const meta = {
          ...(warnings.length > 0 && { warnings }),
          ...(left_out.length > 0 && { left_out }),
        };
        const parsed = parseBrief(text(data, meta));
        expect(parsed).toEqual({ ok: true, data, error: null, meta: asJson(meta) });
      }),
      { numRuns: 500 },
    );
  });

  it("parseBrief returns the error of any failure that briefText wrote", () => {
    const details = fc.record(
      {
        outcome: fc.constantFrom("not_applied", "applied", "unknown", "other"),
        retry_after_ms: fc.nat(),
        hint: words,
        signature: words,
        other: cells,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(words, fc.boolean(), details, (message, retryable, all) => {
        const shown = asJson(all) as object;
        const error: Failure = {
          code: "CONFLICT",
          message,
          ...(retryable && { retryable }),
          ...(Object.keys(shown).length > 0 && { details: { ...shown } }),
        };
        const written = line(error);
        expect(written).not.toContain("\n");
        expect(parseBrief(written)).toEqual({ ok: false, data: null, error, meta: {} });
      }),
      { numRuns: 500 },
    );
  });
});

describe("text of a newer version", () => {
  it.each([
    ["parseBrief", parseBrief],
    ["parseBriefChain", parseBriefChain],
  ])("%s refuses the text of a newer version and names both versions", (_name, parse) => {
    expect(() => parse("!brief 2\n[number\ttitle]")).toThrow(
      "This text has version 2 of the brief format, but this Waybill reads version 1. Update Waybill to read it",
    );
  });
});

describe("size of a brief text", () => {
  it("the brief text of an answer has no more tokens than the answer as compact JSON", () => {
    fc.assert(
      fc.property(answers, facts, facts, (raw, warnings, left_out) => {
        const whole = answer(asJson(raw), {
          ...(warnings.length > 0 && { warnings }),
          ...(left_out.length > 0 && { left_out }),
        });
        const json = JSON.stringify(briefResult(whole));
        expect(countTokens(briefText(whole))).toBeLessThanOrEqual(countTokens(json));
      }),
      { numRuns: 500 },
    );
  });
});

describe("a warning that every answer repeats", () => {
  const place = "Answered by the embedded GitHub at http://127.0.0.1:1, not by github.com";
  const answered = (...warnings: string[]) =>
    successResult({ n: 1 }, { capability_id: "a.b", warnings: [...warnings, place] });

  it("briefText shows the warning about the embedded GitHub once to each reader, and other warnings every time", () => {
    const shown = new Set<string>();
    const texts = [1, 2].map(() => briefText(answered("nothing to select at x"), { shown }));
    expect(texts).toEqual([
      `{"n":1}\n\nwarning: nothing to select at x\nwarning: ${place}`,
      '{"n":1}\n\nwarning: nothing to select at x',
    ]);
  });

  it("every brief text shows the warning about the embedded GitHub if the caller does not keep the shown warnings", () => {
    expect(briefText(answered())).toContain(place);
    expect(briefText(answered())).toContain(place);
  });

  it("the brief text of a chain shows the warning about the embedded GitHub once", () => {
    const meta = { request_id: "r", total: 2, succeeded: 2, failed: 0, upstream_requests: 2 };
    const results = [answered(), answered()];
    const chained = briefChainText({ status: "success", results, error: null, meta });
    expect(chained.split(place)).toHaveLength(2);
  });
});
