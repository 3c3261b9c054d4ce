import { describe, expect, it } from "vitest";
import { isOpenAtFirst, visibleMembers, readPreview } from "./json-parts.ts";

const long = Array.from({ length: 1_000_000 }, (_, index) => index);

describe("members of a value", () => {
  it("the inspector's JSON view shows only as many members as requested and counts the rest", () => {
    const { shown, left } = visibleMembers(long, 2);
    expect([shown, left]).toEqual([
      [
        ["0", 0],
        ["1", 1],
      ],
      999_998,
    ]);
  });

  it("the inspector's JSON view lists the members of an object by name", () => {
    expect(visibleMembers({ a: 1, b: [2] }, 10)).toEqual({
      shown: [
        ["a", 1],
        ["b", [2]],
      ],
      left: 0,
    });
  });
});

describe("collapsed values", () => {
  it.each([
    [[1], "[1 item]"],
    [[1, 2], "[2 items]"],
    [{}, "{}"],
    [{ a: 1, b: 2 }, "{a, b}"],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, "{a, b, c, d, e, …}"],
  ])("the inspector's JSON view shows a collapsed preview of %j", (value, preview) => {
    expect(readPreview(value)).toBe(preview);
  });

  it("the inspector's JSON view collapses values that are deep or long", () => {
    expect([
      isOpenAtFirst(long, 0),
      isOpenAtFirst(long, 1),
      isOpenAtFirst([1], 2),
      isOpenAtFirst([1], 3),
    ]).toEqual([true, false, true, false]);
  });
});
