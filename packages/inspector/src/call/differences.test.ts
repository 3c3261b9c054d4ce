import { describe, expect, it } from "vitest";
import { MAX_DIFFERENCES, differences } from "./differences.ts";

function nested(leaf: number): unknown {
  let value: unknown = leaf;
  for (let depth = 0; depth < 1_000; depth += 1) value = { value };
  return value;
}

describe("differences of two values", () => {
  it("the inspector's comparison of two answers finds no difference between equal values", () => {
    expect(differences({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
  });

  it("the inspector's comparison of two answers lists each difference with its path and both values", () => {
    const before = { ok: true, data: { items: [{ title: "A" }, { title: "B" }] } };
    const after = { ok: true, data: { items: [{ title: "A" }, { title: "C" }], more: 1 } };
    expect(differences(before, after)).toEqual([
      { path: "data.items.1.title", before: '"B"', after: '"C"' },
      { path: "data.more", before: undefined, after: "1" },
    ]);
  });

  it("the inspector's comparison of two answers lists the whole value when its type differs", () => {
    expect(differences([1], { 0: 1 })).toEqual([{ path: "", before: "[1]", after: '{"0":1}' }]);
  });

  it("the inspector's comparison of two answers limits the number and length of differences", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => index);
    expect(differences(many, [])).toHaveLength(MAX_DIFFERENCES);
    expect(differences("x".repeat(10_000), "y")[0]?.before?.length).toBeLessThan(300);
  });

  it("the inspector's comparison of two answers handles values that nest 1,000 levels deep", () => {
    expect(differences(nested(1), nested(2))).toHaveLength(1);
  });
});
