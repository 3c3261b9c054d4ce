import { describe, expect, it } from "vitest";
import { best } from "./take-best.ts";

const ascending = (a: number, b: number): number => a - b;

describe("best items of a list", () => {
  it.each([0, 3, 40, 41, 1_000, 5_000])(
    "takeBest returns the 10 best of %i items in order",
    (length) => {
      const items = Array.from({ length }, (_, at) => (at * 7_919) % 1_009);
      expect(best(items, 10, ascending)).toEqual(items.toSorted(ascending).slice(0, 10));
    },
  );

  it("takeBest keeps the original order among equal items", () => {
    const items = Array.from({ length: 500 }, (_, at) => ({ at, size: at % 2 }));
    const found = best(items, 5, (a, b) => a.size - b.size);
    expect(found.map(({ at }) => at)).toEqual([0, 2, 4, 6, 8]);
  });
});
