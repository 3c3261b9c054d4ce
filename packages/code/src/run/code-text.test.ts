import { failureResult, successResult } from "@waybill/core/protocol";
import { describe, expect, it } from "vitest";
import { codeText } from "./code-text.ts";

const meta = { capability_id: "code.run" };
const textFor = (data: object) => codeText(successResult(data, meta));

describe("the answer of a run as text", () => {
  it.each([
    ["a text as it is", { value: "two\nlines" }, "two\nlines"],
    ["anything else as JSON", { value: { a: [1] } }, '{"a":[1]}'],
    ["ok for a program that returns nothing", { value: null }, "ok"],
    ["what was logged before what was returned", { value: 1, logs: ["a", "b"] }, "a\nb\n1"],
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
  ])("the answer of a run as text is %s", (_what, data, text) => {
    expect(textFor(data)).toBe(text);
  });

  it("starts with the code for a failure, and says how to continue", () => {
    const details = {
      outcome: "not_applied",
      approve: "k.s",
      approval: "a1",
      hint: "Once a person agrees, repeat it with approve",
      waiting: [
        {
          capability_id: "x.y",
          count: 2,
          examples: [
            { a: "o", b: 1 },
            { a: "o", b: 2 },
          ],
        },
      ],
    };
    const error = {
      code: "POLICY",
      message: "2 × x.y need an approval. Nothing was applied.",
      retryable: false,
      details,
    } as const;
    expect(codeText(failureResult(error, meta))).toBe(
      '!POLICY 2 × x.y need an approval (not applied) | Once a person agrees, repeat it with approve {"approve":"k.s","waiting":["x.y a=o b=1, 2"]}',
    );
  });

  it("the answer of a run as text is one line for a failure of several lines", () => {
    const message = "Line 1: Unexpected token\nfor o in orders:\n    ^\nNothing was applied.";
    const details = { outcome: "not_applied", line: 1, hint: "Use braces" };
    const error = { code: "VALIDATION", message, retryable: false, details } as const;
    expect(codeText(failureResult(error, meta))).toBe(
      '!VALIDATION "Line 1: Unexpected token\\nfor o in orders:\\n    ^" (not applied) | Use braces',
    );
  });

  it("says what else matters after an empty line", () => {
    const warned = successResult({ value: "a\nb" }, { ...meta, warnings: ["w"] });
    expect(codeText(warned)).toBe("a\nb\n\nwarning: w");
  });
});
