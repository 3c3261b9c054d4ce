import { describe, expect, it } from "vitest";
import { parseExactJson } from "./index.ts";

function list(length: number): string {
  return `[${"1,".repeat(length - 1)}1]`;
}

function object(length: number): string {
  const members = Array.from({ length }, (_, index) => `"${index}":1`);
  return `{${members.join(",")}}`;
}

describe("JSON with very many values", () => {
  it.each([
    ["a list", list(2_000_002), "2000000 values"],
    ["nested lists", `[${"[],".repeat(1_000_002)}1]`, "2000000 values"],
    ["an object", object(200_001), "200000 names in one object"],
    ["an object in a list", `[{}, ${object(200_001)}]`, "200000 names in one object"],
  ])(
    "parseExactJson refuses %s with too many values before it parses them",
    (_name, text, reason) => {
      expect(() => parseExactJson(text)).toThrow(`The JSON has more than ${reason}`);
    },
  );

  it("parseExactJson reads many values that are within the limits", () => {
    expect(parseExactJson(list(1_500_000)).value).toHaveLength(1_500_000);
    const objects = `[${object(150_000)},${object(150_000)}]`;
    expect(parseExactJson(objects).value).toHaveLength(2);
  });

  it("parseExactJson does not count commas and brackets inside a string as values", () => {
    const text = `a,b:[{}]\\"`.repeat(300_000);
    expect(parseExactJson(JSON.stringify({ text })).value).toEqual({ text });
  });

  it("parseExactJson reports a syntax error in a long text", () => {
    expect(() => parseExactJson(`]]]${"}".repeat(500_000)}"`)).toThrow(SyntaxError);
  });
});
