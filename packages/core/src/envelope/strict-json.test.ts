import { describe, expect, it } from "vitest";
import { parseStrictJson } from "../schema.ts";

describe("strict JSON", () => {
  it.each([
    ' { "a" : [ { "a" : 1 } , { "a" : 2 } ] , "b" : "{\\"a\\":1,\\"a\\":2}" } ',
    '["a","a",{"a":"a"}]',
    '{"":1,"\\\\":2,"\\"":3}',
    '"a:a"',
    "12",
    "null",
  ])("parseStrictJson reads %s as JSON.parse does", (text) => {
    expect(parseStrictJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"a":1,"a":1}', 'The body has the name "a" twice'],
    ['[{"b":{"a":1,"\\u0061" : 2}}]', 'The body has the name "a" twice'],
    ['{"":1,"":2}', 'The body has the name "" twice'],
    ["{a:1}", "The body is not JSON"],
    [`${"[".repeat(513)}${"]".repeat(513)}`, "The body nests deeper than 512 levels"],
  ])("parseStrictJson refuses the text %s", (text, message) => {
    expect(() => parseStrictJson(text)).toThrow(message);
  });

  it("parseStrictJson uses the given name in its error and the given maximum depth", () => {
    const options = { what: "--input", maxDepth: 1 };
    expect(parseStrictJson('{"a":1}', options)).toEqual({ a: 1 });
    expect(() => parseStrictJson('{"a":{}}', options)).toThrow("--input nests deeper than 1");
  });

  it.each([
    ['{"id":1,"id":2}', true],
    ['{"a":1,"a":2,"id":1,"\\u0069d":2}', true],
    ['{"id":1,"a":[[[]]],"id":2}', true],
    ['{"id":1,"a":{"id":1,"id":2}}', undefined],
    ['{"id":1,"a":1,"a":2}', undefined],
    ['[{"id":1,"id":2}]', undefined],
  ])("parseStrictJson with the key id refuses %s and reports key_twice: %s", (text, key_twice) => {
    const options = { key: "id", maxDepth: 3 };
    const details = { outcome: "not_applied", ...(key_twice && { key_twice }) };
    expect(() => parseStrictJson(text, options)).toThrow(expect.objectContaining({ details }));
  });
});
