import { describe, expect, it } from "vitest";
import { describeCell, sampleCells } from "./cells.ts";
import { runCells } from "./matrix.ts";

/** A probe says this if the read before the write was too slow to tell new objects from old ones. */
const LATE = "may be older than this call";

// A short version of `npm run faults -- --github`, with the same cells in every run.
describe("fault matrix of the GitHub pack", () => {
  it("GitHub writes under faults are never applied twice, and each true outcome is found", async () => {
    const cells = sampleCells();
    // The number of parallel cells. With more, calls would miss their deadlines on a busy machine.
    const tally = await runCells(cells, { atOnce: 12 });
    expect(tally.violations).toEqual([]);
    const late = tally.left.filter((line) => line.includes(LATE));
    expect(tally.left).toEqual(late);
    expect(tally.writes).toBe(cells.length);
    expect(Object.keys(tally.doors).toSorted()).toEqual(["chain", "execute", "http", "mcp"]);
    const { visible, settled, applied, settledLater, unknown } = tally.total;
    const open = [visible - settled, applied - settledLater, unknown];
    expect(Math.max(...open)).toBeLessThanOrEqual(late.length);
    expect(applied).toBeGreaterThan(cells.length / 2);
    // A busy machine may delay the read before a write for too long. These cells are run again
    // alone, and must then be settled.
    const slow = cells.filter((cell) => late.some((line) => line.startsWith(describeCell(cell))));
    const again = await runCells(slow, { atOnce: 1 });
    expect([...again.violations, ...again.left]).toEqual([]);
  });
});
