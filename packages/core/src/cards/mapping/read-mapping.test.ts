import { describe, expect, it } from "vitest";
import type { Mapping } from "../card.ts";
import { prepareMapping, usesLibrary, readUses } from "./index.ts";

describe("mappings that do not parse", () => {
  it.each<[string, Mapping, string]>([
    [
      "an open bracket",
      { input: { title: "titl[" } },
      'input.title: "titl[" is not a valid expression',
    ],
    ["an unclosed call", { a: "length(" }, 'a: "length(" is not a valid expression'],
    ["an empty expression", { a: "" }, 'a: "" is not a valid expression'],
    [
      "an unknown character",
      { a: "#x" },
      'a: "#x" is not a valid expression: Syntax error: unknown character: #',
    ],
    ["an unknown function", { a: "uper(b)" }, "there is no function uper(); did you mean upper()"],
    ["an unknown variable", { a: "$param.b" }, "there is no variable $param"],
    ["a single equals sign", { a: "b = c" }, 'write "=="'],
    ["a value without backticks", { a: "b == true" }, "write the value true in backticks: `true`"],
    ["a reserved variable", { a: "let $params = b in $params" }, "$params is already a variable"],
    ["a bad expression in a list", { a: ["b", "c["] }, 'a.1: "c[" is not a valid expression'],
    [
      "an unknown member beside text",
      { a: { text: "b", number: "c" } },
      '"number" cannot be combined with "text"',
    ],
    ['a map without "of"', { a: { map: { b: 1 } } }, '"map" needs "of"'],
    ['a find without "by"', { a: { find: "b", in: "c" } }, '"find" needs "by"'],
    ['an each without "value" or "fields"', { a: { each: "b" } }, '"each" needs fields or value'],
    [
      'a from with both "fields" and "value"',
      { a: { from: "b", fields: {}, value: "c" } },
      '"from" needs fields or value',
    ],
    [
      "a map that is not a table",
      { a: { map: "x", of: "y" } },
      "a.map: must be an object that maps each value to its result",
    ],
    [
      "a call whose name is not a word",
      { a: { call: "x y" } },
      "a.call: must be the name of a function",
    ],
    ["an unclosed brace", { a: { text: "{b" } }, "an unmatched brace"],
    ["a text that is a number", { a: { text: 1 } }, "a.text: must be a string"],
    ["fields that are not an object", { a: { fields: "b" } }, "a.fields: must be an object"],
  ])("prepareMapping reports %s", async (_name, mapping, message) => {
    await expect(prepareMapping(mapping)).rejects.toThrow(message);
  });

  it("prepareMapping refuses a mapping that is too deep or too large, or has a too long expression", async () => {
    let deep: Mapping = "a";
    for (let level = 0; level < 100; level++) deep = { a: deep };
    await expect(prepareMapping(deep)).rejects.toThrow("nests deeper than");
    const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`k${i}`, "a"]));
    await expect(prepareMapping(wide)).rejects.toThrow("more than");
    await expect(prepareMapping("a".repeat(3_000))).rejects.toThrow("longer than");
    await expect(prepareMapping("(".repeat(1_900))).rejects.toThrow("is not a valid expression");
  });

  it("prepareMapping refuses values that are not JSON", async () => {
    await expect(prepareMapping(Number.NaN)).rejects.toThrow("must be a string, a number");
    await expect(prepareMapping(undefined as unknown as Mapping)).rejects.toThrow(
      "must be a string, a number",
    );
  });
});

describe("what a mapping uses", () => {
  it("readUses lists the params, lookups and environment facts that a mapping reads", async () => {
    const mapping = await prepareMapping({
      id: "lookup.repository.id",
      title: "title",
      host: "env.host",
      items: { each: "items", fields: { name: "name", by: "$params.author", l: "$lookup.labels" } },
      x: "labels[?name == $env.offline] || body",
    });
    const uses = readUses(mapping, true).map(({ variable, keys }) => [variable, ...keys].join("."));
    expect(new Set(uses)).toEqual(
      new Set([
        "lookup.repository.id",
        "params.title",
        "env.host",
        "params.items",
        "params.author",
        "lookup.labels",
        "params.labels",
        "params.body",
        "env.offline",
      ]),
    );
    expect(readUses(mapping, false)).toHaveLength(3);
  });

  it("usesLibrary is true only for a mapping with more than plain paths", async () => {
    expect(usesLibrary(await prepareMapping({ a: "b.c", d: "'x'", e: ["f[0]"] }))).toBe(false);
    expect(usesLibrary(await prepareMapping({ a: { each: "b", fields: { c: "d || e" } } }))).toBe(
      true,
    );
  });
});
