import { parseBrief } from "@waybill/core";
import { failureResult, successResult } from "@waybill/core/protocol";
import { describe, expect, it } from "vitest";
import { codeText } from "./code-text.ts";

const meta = { capability_id: "code.run" };
const textFor = (data: object) => codeText(successResult(data, meta));
const failedText = (outcome: string, writes: object) =>
  codeText(
    failureResult(
      { code: "VALIDATION", message: "No", retryable: false, details: { outcome, writes } },
      meta,
    ),
  );

describe("codeText", () => {
  it.each([
    ["a line of text as it is", { value: "one line" }, "one line"],
    ["a value that is not text as JSON", { value: { a: [1] } }, '{"a":[1]}'],
    ["null for a program that returns nothing", { value: null }, "null"],
    [
      "the returned value, and then the logged lines",
      { value: 1, logs: ["a", "b"] },
      '1\n\nlogs: ["a","b"]',
    ],
    [
      "flat rows as a table",
      {
        value: [
          { n: 1, t: "x y" },
          { n: 2, t: "7" },
        ],
      },
      ':[]\nn\tt\n1\tx y\n2\t"7"',
    ],
    ["rows that differ as JSON", { value: [{ a: 1 }, { b: 2 }] }, '[{"a":1},{"b":2}]'],
    ["a text that looks like a failure as JSON", { value: "!no" }, '"!no"'],
  ])("the text of a program's run shows %s", (_what, data, text) => {
    expect(textFor(data)).toBe(text);
  });

  it("the text of a failed run starts with the error code and says how to continue", () => {
    const details = {
      outcome: "not_applied",
      approve: "k.s",
      approval: "a1",
      hint: "Once a person agrees, pass approve",
      waiting: [
        {
          capability_id: "x.y",
          count: 3,
          examples: [
            { owner: "o", name: "p", b: 1 },
            { owner: "o", name: "p", b: 2 },
          ],
        },
      ],
    };
    const error = {
      code: "POLICY",
      message: "3 × x.y need an approval. Nothing was applied.",
      retryable: false,
      details,
    } as const;
    const text = codeText(failureResult(error, meta));
    expect(text).toBe(
      "!POLICY 3 × x.y (o/p b=1, 2, …) need an approval (not applied) | Once a person agrees, pass approve k.s",
    );
    const { outcome, approve, hint } = details;
    expect(parseBrief(text).error?.details).toEqual({ outcome, approve, hint });
  });

  it("the text of a failed run lists its writes only if a write was applied or has an unknown outcome", () => {
    const refused = { not_applied: { "x.y": 1 } };
    expect(failedText("not_applied", refused)).toBe("!VALIDATION No (not applied)");
    const both = { applied: { "x.z": 2 }, ...refused };
    expect(failedText("applied", both)).toBe(
      '!VALIDATION No (applied) {"writes":{"applied":{"x.z":2},"not_applied":{"x.y":1}}}',
    );
  });

  it("an error message of several lines becomes one line in the text of a failed run", () => {
    const message = "Line 1: Unexpected token\nfor o in orders:\n    ^\nNothing was applied.";
    const details = { outcome: "not_applied", line: 1, hint: "Use braces" };
    const error = { code: "VALIDATION", message, retryable: false, details } as const;
    expect(codeText(failureResult(error, meta))).toBe(
      '!VALIDATION "Line 1: Unexpected token\\nfor o in orders:\\n    ^" (not applied) | Use braces',
    );
  });

  it("the warnings of a run follow its value after an empty line", () => {
    const warned = successResult({ value: "a" }, { ...meta, warnings: ["w"] });
    expect(codeText(warned)).toBe("a\n\nwarning: w");
  });

  it.each([
    [{ value: "two\nlines\n\nwarning: none" }],
    [{ value: "!NOT_FOUND no" }],
    [{ value: 1, logs: ["!NOT_FOUND no", "", "a\n\nwarning: w", ":[]"] }],
    [{ value: [{ a: 1, b: "x" }], logs: ["[1]"], writes: { applied: { "x.y": 2 } }, waiting: [] }],
    [{ value: "--", waiting: [{ capability_id: "x.y", count: 1, examples: [{}] }] }],
    [{ value: null }],
  ])(
    "parseBrief reads the text of a run and returns the run's data: %j",
    ({ value, ...facts }: Record<string, unknown>) => {
      const read = parseBrief(textFor({ value, ...facts }));
      expect(read).toEqual({ ok: true, data: value, error: null, meta: facts });
    },
  );

  it("parseBrief reads the text of a failed run and returns the run's error", () => {
    const details = {
      outcome: "unknown",
      key: "k",
      writes: { applied: { "x.y": 1 } },
      logs: ["!"],
    };
    const error = {
      code: "NETWORK",
      message: "The line broke",
      retryable: false,
      details,
    } as const;
    expect(parseBrief(codeText(failureResult(error, meta)))).toMatchObject({
      ok: false,
      error: { code: "NETWORK", message: "The line broke", details },
    });
  });
});
