import { describe, expect, it } from "vitest";
import { runGithubMatrix } from "./github-matrix.ts";

/** Hundreds of calls in one test: on a busy machine they take longer than any other test may. */
const HANGS_MS = 1_800_000;

// The bounded form of `npm run faults -- --github`.
describe("the fault matrix on the GitHub pack", () => {
  it(
    "applies nothing twice, misreports nothing and settles what was applied",
    async () => {
      const tally = await runGithubMatrix({ routes: ["graphql", "rest"], rounds: 1, oneIn: 24 });
      expect(tally.violations).toEqual([]);
      const { writes, applied, settled, settledLater, unknown } = tally.total;
      expect(writes).toBeGreaterThan(40);
      expect(settled / applied).toBeGreaterThanOrEqual(0.95);
      // In so few writes a single one is more than one in a hundred.
      expect(applied - settledLater).toBeLessThanOrEqual(1);
      // Items of projects that are named by number have no probe yet.
      expect(unknown / writes).toBeLessThanOrEqual(0.05);
    },
    HANGS_MS,
  );
});
