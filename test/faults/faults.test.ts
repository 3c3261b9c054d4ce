import { describe, expect, it } from "vitest";
import { expectNothingWrong } from "./expect-nothing-wrong.ts";
import { runMatrix } from "./matrix.ts";
import { cells } from "./plan.ts";

/** Thousands of calls in one test: on a busy machine they take longer than any other test may. */
const HANGS_MS = 1_800_000;

// The bounded form of `npm run faults`: half the cells with their fault for good, half with it once.
describe("the fault matrix", () => {
  it(
    "applies nothing twice, loses no outcome and tells no falsehood",
    async () => {
      const tally = await runMatrix({
        rounds: 2,
        seed: 1,
        journal: "memory",
        carrier: "http",
        oneIn: 2,
      });
      expectNothingWrong(tally);
      expect(tally.total.runs).toBeGreaterThanOrEqual(cells("http").length);
    },
    HANGS_MS,
  );
});
