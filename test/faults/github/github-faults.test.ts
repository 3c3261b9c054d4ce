import { describe, expect, it } from "vitest";
import { sampleCells } from "./cells.ts";
import { runCells } from "./matrix.ts";

// The bounded form of `npm run faults -- --github`: the same cells in every run.
describe("fault matrix of the GitHub pack", () => {
  it("settles every GitHub write, applies none twice and reports no false outcome", async () => {
    const cells = sampleCells();
    // On a busy machine many at once would be late for their deadlines.
    const tally = await runCells(cells, { atOnce: 12 });
    expect(tally.violations).toEqual([]);
    // A slow machine may find a write so late that it could be older than the call. It stays unknown.
    const late = tally.left.filter((line) => line.includes("may be older than this call"));
    expect(tally.left).toEqual(late);
    expect(late.length).toBeLessThan(cells.length / 20);
    expect(tally.writes).toBe(cells.length);
    expect(Object.keys(tally.doors).toSorted()).toEqual(["chain", "execute", "http", "mcp"]);
    const { visible, settled, applied, settledLater, unknown } = tally.total;
    const open = [visible - settled, applied - settledLater, unknown];
    expect(Math.max(...open)).toBeLessThanOrEqual(late.length);
    expect(applied).toBeGreaterThan(cells.length / 2);
  });
});
