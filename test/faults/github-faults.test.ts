import { describe, expect, it } from "vitest";
import { runGithubMatrix } from "./github-matrix.ts";

/** Hundreds of calls in one test: on a busy machine they take longer than any other test may. */
const HANGS_MS = 1_800_000;

// The bounded form of `npm run faults -- --github`.
describe("the fault matrix on the GitHub pack", () => {
  it(
    "applies nothing twice, misreports nothing and settles what was applied",
    async () => {
      const tally = await runGithubMatrix({ routes: ["graphql", "rest"], rounds: 1, oneIn: 16 });
      expect(tally.violations).toEqual([]);
      const { writes, applied, settled, settledLater, unknown } = tally.total;
      expect(writes).toBeGreaterThan(60);
      expect(settled / applied).toBeGreaterThanOrEqual(0.95);
      expect(settledLater / applied).toBeGreaterThanOrEqual(0.99);
      expect(unknown / writes).toBeLessThanOrEqual(0.02);
    },
    HANGS_MS,
  );
});
