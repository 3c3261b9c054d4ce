import { describe, expect, it } from "vitest";
import { sampleCells } from "./cells.ts";
import { runCells } from "./matrix.ts";

/** One test makes two hundred calls, so it may take longer than the usual limit. */
const HANGS_MS = 1_800_000;

// The bounded form of `npm run faults -- --github`: the same cells in every run.
describe("fault matrix of the GitHub pack", () => {
  it(
    "settles every GitHub write, applies none twice and reports no false outcome",
    async () => {
      const cells = sampleCells();
      // On a busy machine, more parallel calls would miss their deadlines.
      const tally = await runCells(cells, { atOnce: 12 });
      expect(tally.violations).toEqual([]);
      expect(tally.left).toEqual([]);
      expect(tally.writes).toBe(cells.length);
      expect(Object.keys(tally.doors).toSorted()).toEqual(["chain", "execute", "http", "mcp"]);
      const { visible, settled, applied, settledLater, unknown } = tally.total;
      expect({ settled, settledLater, unknown }).toEqual({
        settled: visible,
        settledLater: applied,
        unknown: 0,
      });
      expect(applied).toBeGreaterThan(cells.length / 2);
    },
    HANGS_MS,
  );
});
