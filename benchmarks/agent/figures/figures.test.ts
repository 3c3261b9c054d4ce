import { describe, expect, it } from "vitest";
import { play, sampleRun } from "./fixtures/sample.ts";
import { compareModes, modesIn, percentile, getRecovery, scenariosIn } from "./index.ts";

describe("figures", () => {
  it("scenarios are ordered by kind and id, regardless of the order of plays", () => {
    const run = sampleRun(2);
    const ids = scenariosIn(run).map(({ id }) => id);
    expect(scenariosIn(run.toReversed()).map(({ id }) => id)).toEqual(ids);
    expect(ids.slice(0, 3)).toEqual(["read-scenario-00", "read-scenario-01", "list-scenario-00"]);
  });

  it("the figures list only modes that have plays", () => {
    expect(modesIn([play({ mode: "grep" })], ["mcp-lean", "grep"])).toEqual(["grep"]);
  });

  it.each([
    [0.5, 1],
    [0.95, 9],
    [0, 1],
  ])("percentile returns the value at the share %d of sorted numbers", (share, value) => {
    expect(percentile([9, 1, 1], share)).toBe(value);
  });

  it("two modes are compared over the scenarios that were played in both modes", () => {
    const both = [
      play({ scenario: "a", total: 10 }),
      play({ scenario: "a", mode: "gh-known", total: 100 }),
      play({ scenario: "b", total: 50, steps: 2 }),
      play({ scenario: "b", mode: "gh-known", total: 50, steps: 2 }),
      play({ scenario: "c", total: 7 }),
      play({ scenario: "d", mode: "gh-known", total: 9 }),
    ];
    const whole = compareModes(both, "mcp-lean", "gh-known");
    expect(whole).toEqual({
      scenarios: 2,
      ours: 60,
      theirs: 150,
      saved: 0.6,
      savedMedian: 0,
      savedBesideLargest: 0,
      behind: ["b"],
    });
    const single = compareModes(both, "mcp-lean", "gh-known", {
      where: ({ steps }) => steps === 1,
    });
    expect(single).toMatchObject({ scenarios: 1, saved: 0.9, behind: [] });
    expect(compareModes(both, "mcp-lean", "grep")).toBeUndefined();
  });

  it("the benchmark computes the extra cost of a fault or a wrong guess as the difference from a play without it", () => {
    const plays = [
      play({ total: 100 }),
      play({ scenario: "other", total: 1 }),
      play({ variant: "fault", total: 160, calls: 3, applied: 2, wanted: 1, passed: false }),
    ];
    expect(getRecovery(plays, "mcp-lean", "fault")).toEqual({
      scenarios: 1,
      recovered: 0,
      tokens: 60,
      calls: 2,
      doubled: 1,
    });
    expect(getRecovery(plays, "mcp-lean", "guess")).toBeUndefined();
  });
});
