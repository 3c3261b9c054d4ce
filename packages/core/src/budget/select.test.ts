import { describe, expect, it } from "vitest";
import { selectPaths } from "./index.ts";

const issue = {
  number: 1,
  author: { login: "ada", id: 7 },
  labels: [
    { name: "bug", color: "red" },
    { name: "help", color: "blue" },
  ],
  counts: { open: { total: 1, old: 0 }, closed: { total: 2 } },
};

describe("selectPaths", () => {
  it.each<[string[], unknown]>([
    [["number"], { number: 1 }],
    [["author.login"], { author: { login: "ada" } }],
    [["labels.*.name"], { labels: [{ name: "bug" }, { name: "help" }] }],
    [["labels.name"], { labels: [{ name: "bug" }, { name: "help" }] }],
    [["counts.*.total"], { counts: { open: { total: 1 }, closed: { total: 2 } } }],
    [["author", "author.login"], { author: { login: "ada", id: 7 } }],
    [["author.login", "author.id"], { author: { login: "ada", id: 7 } }],
    [["*"], issue],
    [[], {}],
  ])("selectPaths with %j keeps those fields and nothing else", (paths, data) => {
    expect(selectPaths(issue, paths)).toEqual({ data, missing: [] });
  });

  it("selectPaths looks for a field in the items if the answer itself has no such field", () => {
    const data = { items: [{ n: 1, t: "a" }], total: 1 };
    expect(selectPaths(data, ["n", "total"])).toEqual({
      data: { items: [{ n: 1 }], total: 1 },
      missing: [],
    });
    expect(selectPaths(data, ["gone"]).missing).toEqual(["gone"]);
  });

  it("selectPaths applies a selection to each item of a list at the root", () => {
    const { data } = selectPaths([{ a: 1, b: 2 }, { a: 3 }], ["*.a"]);
    expect(data).toEqual([{ a: 1 }, { a: 3 }]);
    expect(selectPaths([[{ a: 1, b: 2 }]], ["a"]).data).toEqual([[{ a: 1 }]]);
  });

  it("selectPaths lists paths that match nothing as missing", () => {
    const paths = [
      "titel",
      "author.name",
      "labels.*.size",
      "number.more",
      "counts.*.none",
      "number",
    ];
    expect(selectPaths(issue, paths).missing).toEqual(paths.slice(0, -1));
  });

  it("selectPaths does not list a path as missing if some items of a list have it or the list is empty", () => {
    expect(selectPaths({ items: [] }, ["items.*.title"]).missing).toEqual([]);
    expect(selectPaths({ items: [{ a: 1 }, { b: 1 }] }, ["items.*.b"]).missing).toEqual([]);
  });

  it.each([null, "text", 7, true])("selectPaths returns the value %j unchanged", (data) => {
    expect(selectPaths(data, ["a"])).toEqual({ data, missing: ["a"] });
  });

  it("selectPaths does not modify its input", () => {
    const before = structuredClone(issue);
    selectPaths(issue, ["labels.*.name"]);
    expect(issue).toEqual(before);
  });
});
