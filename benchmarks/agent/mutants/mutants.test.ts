import { expect, it } from "vitest";
import { readScenarios } from "../scenario/read.ts";
import { killMutants } from "./kill.ts";
import { makeMutants } from "./mutate.ts";

it("each mutant of a scenario changes one value and keeps references to other steps", () => {
  const value = { a: "x", b: [1, true], c: { $from: "s.data.id" }, d: null };
  expect(makeMutants(value).map(({ value: changed }) => changed)).toEqual([
    { ...value, a: "xx" },
    { ...value, b: [2, true] },
    { ...value, b: [1, false] },
    { ...value, b: [1] },
  ]);
});

it.each(["issue-list", "workflow-dispatch"])(
  "the checks of the scenario %s detect every mutant of the scenario",
  async (id) => {
    const scenario = readScenarios().find((each) => each.id === id)!;
    const results = await killMutants(scenario, { most: 4 });
    expect(results).toHaveLength(4);
    expect(results.filter(({ isKilled }) => !isKilled)).toEqual([]);
  },
);
