import { describe, expect, it } from "vitest";
import { expectNothingWrong } from "./expect-nothing-wrong.ts";
import { FAULTS } from "./faults.ts";
import { runMatrix } from "./matrix.ts";
import { sampleRuns } from "./sample.ts";

// A short version of `npm run faults`.
describe("fault matrix", () => {
  it("the sample of faults includes every fault, as a permanent fault and as a single fault", () => {
    const faults = sampleRuns("http", 1).map(
      ({ cell, round }) => `${cell.choice[0]!.name}, round ${round}`,
    );
    const expected = FAULTS.flatMap(({ name }) => [`${name}, round 0`, `${name}, round 1`]);
    expect([...new Set(faults)].toSorted()).toEqual(expected.toSorted());
  });

  it("HTTP calls under faults apply no write twice, lose no outcome and report no false outcome", async () => {
    const tally = await runMatrix({
      rounds: "sample",
      seed: 1,
      journal: "memory",
      carrier: "http",
    });
    expectNothingWrong(tally);
    expect(tally.total.runs).toBeGreaterThan(500);
  });
});
