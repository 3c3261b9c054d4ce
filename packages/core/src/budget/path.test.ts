import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectPaths } from "./index.ts";
import { formatPath, joinPath, matchesPath, parsePath } from "./path.ts";

describe("paths as strings and keys", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["items.*.title", ["items", "*", "title"]],
    ['labels."needs.review".color', ["labels", "needs.review", "color"]],
    ['"a\\"b"', ['a"b']],
    ['"open', ['"open']],
    ['a."b', ["a", '"b']],
    ['"a"b.c', ['"a"b', "c"]],
    ['"\\x".y', ['"\\x"', "y"]],
  ])("parsePath splits the path %j into the keys %j", (path, keys) => {
    expect(parsePath(path)).toEqual(keys);
  });

  it("parsePath reads back any path that formatPath writes", () => {
    const keys = fc.array(fc.oneof(fc.string(), fc.constantFrom(".", '"', "*", "a.b")), {
      minLength: 1,
    });
    fc.assert(
      fc.property(keys, (given) => {
        expect(parsePath(formatPath(given))).toEqual(given);
      }),
    );
  });

  it("joinPath joins two paths and skips empty paths", () => {
    expect(joinPath("a", "b.c")).toBe("a.b.c");
    expect(joinPath("", "b")).toBe("b");
    expect(joinPath("a", "")).toBe("a");
  });

  it.each([
    [["jobs", 0, "log"], "jobs.*.log", true],
    [["jobs", 0, "log"], "jobs.log", true],
    [["jobs", 1, "log"], "jobs.0.log", false],
    [["jobs", "log"], "jobs.log", true],
    [["jobs", "log", "text"], "jobs.log", false],
    [["jobs"], "jobs.log", false],
    [[], "", true],
  ])("matchesPath compares %j with the pattern %s: %s", (keys, pattern, expected) => {
    expect(matchesPath(keys, parsePath(pattern))).toBe(expected);
  });
});

describe("selection by path", () => {
  const data = { items: [{ "a.b": 1, c: 2 }, { "a.b": 3 }], total: 2 };

  it("selectPaths accepts quoted keys and positions of list items", () => {
    expect(selectPaths(data, ['items.*."a.b"']).data).toEqual({
      items: [{ "a.b": 1 }, { "a.b": 3 }],
    });
    expect(selectPaths(data, ["items.1", "total"]).data).toEqual({
      items: [{ "a.b": 3 }],
      total: 2,
    });
  });

  it("selectPaths lists the paths that do not exist in the value", () => {
    expect(selectPaths(data, ["items.7", "items.*.x", "total"]).missing).toEqual([
      "items.7",
      "items.*.x",
    ]);
  });
});
