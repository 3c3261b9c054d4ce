import { describe, expect, it } from "vitest";
import { plain } from "./terminal.ts";
import { treeLines } from "./tree.ts";

describe("treeLines", () => {
  it("the tree on a terminal puts names beside values and indents nested values", () => {
    const value = {
      number: 12,
      title: "Broken",
      open: true,
      closedAt: null,
      labels: [],
      body: "one\ntwo",
      author: { login: "octocat" },
      comments: [{ id: 1, body: "a\nb" }, { id: 2 }, "plain", [1, 2]],
    };
    expect(treeLines(value, plain)).toEqual([
      "number    12",
      "title     Broken",
      "open      true",
      "closedAt  null",
      "labels    none",
      "body",
      "  one",
      "  two",
      "author",
      "  login  octocat",
      "comments",
      "  - id  1",
      "    body",
      "      a",
      "      b",
      "  - id  2",
      "  - plain",
      "  - - 1",
      "    - 2",
    ]);
  });

  it.each([
    ["a word", ["a word"]],
    [null, ["null"]],
    [{}, ["empty"]],
    [[], ["none"]],
    [3, ["3"]],
  ])("the tree on a terminal shows a value without members on one line: %j", (value, lines) => {
    expect(treeLines(value, plain)).toEqual(lines);
  });

  it("the tree on a terminal contains no control characters", () => {
    const value = { "na\u001bme": "a\u001b[31mb\u009bc\r" };
    expect(treeLines(value, plain).join()).toBe("na me  a [31mb c ");
  });

  it("the tree on a terminal of a very deep value has a limited size", () => {
    let value: unknown = "deep";
    for (let depth = 0; depth < 2_000; depth += 1) value = { in: value };
    const lines = treeLines(value, plain);
    expect(lines.length).toBeLessThan(100);
    expect(lines.at(-1)).toContain("deep");
  });
});
