import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance, nearestNames } from "./index.ts";

describe("distance between words", () => {
  it.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["abc", "abd", 1],
    ["abc", "ab", 1],
    ["abc", "xabc", 1],
    ["abcd", "abdc", 1],
    ["kitten", "sitting", 3],
  ])("editDistance from %j to %j is %i", (a, b, expected) => {
    expect(editDistance(a, b, 10)).toBe(expected);
    expect(editDistance(b, a, 10)).toBe(expected);
  });

  it("editDistance returns Infinity beyond its limit", () => {
    expect(editDistance("abcdef", "a", 2)).toBe(Infinity);
    expect(editDistance("abcdef", "uvwxyz", 2)).toBe(Infinity);
  });

  it("editDistance returns the same distance for any limit that is high enough", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b, 100);
        expect(editDistance(a, b, distance)).toBe(distance);
        expect(editDistance(a, b, distance - 1)).toBeGreaterThan(distance - 1);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});

describe("suggestions for a misspelt name", () => {
  const names = ["title", "body", "labels", "assignees", "milestone", "issue_number"];

  it.each([
    ["tilte", ["title"]],
    ["label", ["labels"]],
    ["lable", ["labels"]],
    ["asignee", ["assignees"]],
    ["Milestone", ["milestone"]],
    ["issueNumber", ["issue_number"]],
    ["ISSUE-NUMBER", ["issue_number"]],
    ["zebra", []],
    ["", []],
    ["***", []],
  ])("nearestNames returns for %j the names %j", (word, expected) => {
    expect(nearestNames(word, names)).toEqual(expected);
  });

  it("nearestNames sorts by distance, then by name, and returns at most three", () => {
    const candidates = ["repo.lost", "repo.list", "repo.last", "repo.lists"];
    expect(nearestNames("repo.list", candidates)).toEqual(["repo.list", "repo.lists", "repo.last"]);
    expect(nearestNames("repo.list", candidates, 1)).toEqual(["repo.list"]);
  });

  it("nearestNames prefers a singular name to a plural name", () => {
    expect(nearestNames("lable", ["labels", "label"])).toEqual(["label", "labels"]);
  });

  it("nearestNames does not match two different single letters", () => {
    expect(nearestNames("x", ["y", "X"])).toEqual(["X"]);
  });

  it("nearestNames finds near names in letters of any script", () => {
    expect(nearestNames("größe", ["grösse", "größer"])).toEqual(["größer"]);
    expect(nearestNames("日本", ["中国"])).toEqual([]);
  });

  it("nearestNames accepts any iterable and words of any length", () => {
    const long = "x".repeat(100_000);
    expect(nearestNames(long, new Set([`${long}y`, "a"]))).toEqual([`${long}y`]);
  });
});
