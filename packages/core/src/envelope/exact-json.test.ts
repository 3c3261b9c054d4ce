import {
  array,
  assert,
  bigInt,
  dictionary,
  double,
  letrec,
  oneof,
  property,
  string,
} from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exactDigits,
  exactIntegersMeta,
  isLargeInteger,
  markIntegers,
  parseExactJson,
  unmarkIntegers,
  unquoteDigits,
} from "./index.ts";

type Tree = bigint | number | string | Tree[] | { [name: string]: Tree };

/** Writes JSON with integers of any size. */
function written(tree: Tree): string {
  if (typeof tree === "bigint") return tree.toString();
  if (Array.isArray(tree)) return `[ ${tree.map(written).join(" , ")} ]`;
  if (typeof tree !== "object") return JSON.stringify(tree);
  const members = Object.entries(tree).map(
    ([name, member]) => `${JSON.stringify(name)}:${written(member)}`,
  );
  return `{${members.join(",")}}`;
}

function expected(tree: Tree): unknown {
  if (typeof tree === "bigint") {
    return Number.isSafeInteger(Number(tree)) ? Number(tree) : tree.toString();
  }
  if (Array.isArray(tree)) return tree.map(expected);
  if (typeof tree !== "object") return tree;
  return Object.fromEntries(Object.entries(tree).map(([name, member]) => [name, expected(member)]));
}

const { tree } = letrec<{ tree: Tree }>((tie) => ({
  tree: oneof(
    { maxDepth: 4 },
    bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
    bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
    double({ noNaN: true, noDefaultInfinity: true }).filter(
      (one) => !Object.is(one, -0) && (!Number.isInteger(one) || Number.isSafeInteger(one)),
    ),
    string({ unit: "binary" }),
    string().map((text) => `"${text}12345678901234567890\\`),
    array(tie("tree")),
    dictionary(string(), tie("tree"), { noNullPrototype: true }),
  ),
}));

describe("JSON with integers of any size", () => {
  it("parseExactJson keeps every digit of large integers and every other value", () => {
    assert(
      property(tree, (value) => {
        expect(parseExactJson(written(value)).value).toEqual(expected(value));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it("parseExactJson lists the pointers of large integers", () => {
    const text =
      '{"a/b":[1,12345678901234567890],"c":{"~":-9007199254740993},"d":9007199254740991}';
    expect(parseExactJson(text).integers).toEqual(["/a~1b/1", "/c/~0"]);
    expect(parseExactJson("12345678901234567890")).toEqual({
      value: "12345678901234567890",
      integers: [""],
    });
  });

  it.each(["1.2345678901234567890", "12345678901234567890.5", "1e30", "-0", "[1e400]"])(
    "parseExactJson reads %s as JSON.parse does",
    (text) => {
      expect(parseExactJson(text)).toEqual({ value: JSON.parse(text) as unknown, integers: [] });
    },
  );

  it.each(['{"a":12345678901234567890', '"12345678901234567890', "[12345678901234567890,]"])(
    "parseExactJson refuses the invalid JSON %s",
    (text) => {
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    },
  );

  it("parseExactJson reads a million large integers in time that grows in proportion to their number", () => {
    const many = 1_000_000;
    const text = `[${"12345678901234567,".repeat(many - 1)}-12345678901234567]`;
    const { value, integers } = parseExactJson(text);
    expect(value).toHaveLength(many);
    expect((value as unknown[]).at(-1)).toBe("-12345678901234567");
    expect(integers).toHaveLength(1_000);
  });

  it("parseExactJson distinguishes strings of digits from integers", () => {
    const text = String.raw`["12345678901234567","\\\"12345678901234567,",12345678901234567,"x"]`;
    expect(parseExactJson(text)).toEqual({
      value: ["12345678901234567", '\\"12345678901234567,', "12345678901234567", "x"],
      integers: ["/2"],
    });
  });

  it("unmarkIntegers can return large integers as numbers", () => {
    const marked: unknown = JSON.parse(markIntegers('{"maximum":18446744073709551615}'));
    expect(unmarkIntegers(marked, "number").value).toEqual({ maximum: 18446744073709552000 });
  });

  it("unquoteDigits writes exact digits as JSON numbers", () => {
    const value = { id: exactDigits("12345678901234567890"), text: "12345678901234567890" };
    expect(unquoteDigits(JSON.stringify(value))).toBe(
      '{"id":12345678901234567890,"text":"12345678901234567890"}',
    );
  });

  it("parseExactJson leaves a string unchanged that looks like its internal mark of an integer", () => {
    const forged = `waybill-digits-00000000-0000-0000-0000-000000000000_12345678901234567890`;
    expect(parseExactJson(JSON.stringify([forged])).value).toEqual([forged]);
  });

  it("exactIntegersMeta names three pointers in its warning and lists all of them as changes", () => {
    const integers = ["/a", "/b", "/c", "/d"];
    const { warnings, changes } = exactIntegersMeta(integers);
    expect(warnings).toEqual([
      "These integers are above 2^53, so they are strings of digits: /a, /b, /c and 1 more",
    ]);
    expect(changes).toEqual(integers.map((path) => ({ path, edit: "exact" })));
    expect(exactIntegersMeta([])).toEqual({});
    const listed = Array.from({ length: 1_000 }, (_, index) => `/${index}`);
    expect(exactIntegersMeta(listed).warnings).toEqual([
      "These integers are above 2^53, so they are strings of digits: /0, /1, /2 and at least 997 more",
    ]);
  });

  it.each([
    ["9007199254740993", true],
    ["-12345678901234567890", true],
    ["9007199254740991", false],
    ["00000000000000000001", false],
    ["1234567890123456789x", false],
    ["12345678901234567890.0", false],
  ])("isLargeInteger for %s returns %s", (text, isOne) => {
    expect(isLargeInteger(text)).toBe(isOne);
  });
});
