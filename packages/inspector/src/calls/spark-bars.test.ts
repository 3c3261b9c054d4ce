import { expect, it } from "vitest";
import { sparkBars } from "./spark-bars.ts";

it("the inspector's chart of calls draws the busiest period as the highest bar and marks the failed share", () => {
  expect(
    sparkBars([
      { calls: 4, errors: 1 },
      { calls: 0, errors: 0 },
      { calls: 2, errors: 2 },
    ]),
  ).toEqual([
    { height: 1, failed: 0.25 },
    { height: 0, failed: 0 },
    { height: 0.5, failed: 0.5 },
  ]);
});

it("the inspector's chart of calls draws no bar for a period without calls", () => {
  expect(sparkBars([{ calls: 0, errors: 0 }])).toEqual([{ height: 0, failed: 0 }]);
});
