import { describe, expect, it } from "vitest";
import { agentErrorCode, isCallError } from "../envelope/index.ts";
import type { CallError } from "../envelope/index.ts";
import { MAX_QUERY_LENGTH, compileQuery, queryData } from "./index.ts";

async function readRefusal(promise: Promise<unknown>): Promise<CallError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isCallError(thrown)) throw new Error("it was not refused");
  return thrown;
}

describe("JMESPath queries", () => {
  const data = {
    items: [
      { n: 1, state: "open" },
      { n: 2, state: "closed" },
    ],
  };

  it("queryData evaluates a JMESPath expression and returns null if nothing matches", async () => {
    expect(await queryData(data, "items[?state=='open'].n")).toEqual([1]);
    expect(await queryData(data, "nowhere.at.all")).toBeNull();
  });

  it.each([
    ["a b", 2],
    ["items[?n==`1`", 13],
    ["items[?n==]", 10],
    ["a.b.`{`", 4],
    ['"abc', 0],
    ["", 0],
    ["items | nope(@)", 8],
    ["abs(items)", 0],
    ["$missing", 0],
  ])(
    "queryData refuses the expression %s and names the position of the mistake",
    async (expression, position) => {
      const error = await readRefusal(queryData(data, expression));
      expect(agentErrorCode(error)).toBe("VALIDATION");
      expect(error.details["position"]).toBe(position);
      expect(error.details.issues).toMatchObject([{ path: "/query" }]);
    },
  );

  it("compileQuery refuses a bad expression before there is any data", async () => {
    await expect(compileQuery("a..b")).rejects.toThrow(/not valid JMESPath/);
    expect((await compileQuery("a"))({ a: 1 })).toBe(1);
  });

  it("compileQuery refuses an expression that is too long", async () => {
    await expect(compileQuery("a".repeat(MAX_QUERY_LENGTH + 1))).rejects.toThrow(/longer/);
  });

  it("compileQuery refuses an unknown function and suggests the nearest function", async () => {
    await expect(compileQuery("lenght(items)")).rejects.toThrow(/did you mean length\(\)/);
  });

  it.each([
    ["nested references to the root", "l[*].[$.l[*].[$.l[*].[$.l[*].[$.l]]]]"],
    ["flattening a doubled list", `${"[@, @][] | ".repeat(40)}@`],
    ["printing a doubled list", `${"[@, @] | ".repeat(40)}to_string(@)`],
    ["comparing a doubled list", `${"[@, @] | ".repeat(21)}l[?@ == $]`],
    ["a string that doubles", `'aaaaaaaa' | ${"join('', [@, @]) | ".repeat(60)}@`],
    ["padding", "pad_left('x', `1000000000`)"],
    ["padding to five million characters", "pad_left('x', `5000000`)"],
    ["padding on the right", "pad_right('x', `5000000`)"],
    [
      "replacing",
      `'${"a".repeat(500)}' | replace(@, 'a', @) | replace(@, 'a', @) | replace(@, 'a', @)`,
    ],
    ["nested variables", "let $r = @ in l[*].[$r.l[*].[$r.l[*].[$r.l[*].[$r.l]]]]"],
  ])("queryData stops an expensive expression with TOO_LARGE: %s", async (_name, expression) => {
    const many = { l: Array.from({ length: 100 }, (_, index) => index) };
    expect(agentErrorCode(await readRefusal(queryData(many, expression)))).toBe("TOO_LARGE");
  });

  it("queryData evaluates ordinary expressions over 20,000 rows without reaching its limits", async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      tags: ["a", "b"],
      note: "x".repeat(100),
    }));
    expect(await queryData({ rows }, "length(rows[?id >= `100`].tags[])")).toBe(39_800);
    expect(await queryData({ rows }, "sort_by(rows, &id)[-1].id")).toBe(19_999);
  });

  it("queryData refuses a result that grows without end", async () => {
    const doubled = Array.from({ length: 26 }, () => "[@, @]").join(" | ");
    expect(agentErrorCode(await readRefusal(queryData(data, doubled)))).toBe("TOO_LARGE");
  });
});

describe("inherited names in a query", () => {
  it.each(["constructor", "toString", "a.constructor", "[a][0].valueOf", "@.__proto__"])(
    "queryData returns null for the inherited name %s",
    async (expression) => {
      expect(await queryData({ a: { b: 1 } }, expression)).toBeNull();
    },
  );

  it("queryData finds an own member that has an inherited name", async () => {
    expect(await queryData({ constructor: 1 }, "constructor")).toBe(1);
  });
});
