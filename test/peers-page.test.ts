import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";

const page = readFileSync(join(root, "docs/comparison/peers.md"), "utf8");
const results = readFileSync(join(root, "benchmarks/RESULTS.md"), "utf8");
const SPEED_TOLERANCE = 0.25;

/** The rows of the table below a heading, without its header row. */
function rowsBelow(text: string, heading: string): string[][] {
  const [, after = ""] = text.split(`\n${heading}\n`);
  const [section = ""] = after.split(/\n#+ /u);
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

const tokens = rowsBelow(page, "## Tokens of GitHub tasks");
const speeds = rowsBelow(page, "## Speed");
const byCommand = rowsBelow(results, "### Targets: Waybill by command, with programs");
const overview = rowsBelow(results, "## Overview");

describe("docs/comparison/peers.md", () => {
  it("docs/comparison/peers.md compares Waybill with at least six peers by tokens and ten by speed", () => {
    expect([tokens.length, speeds.length]).toEqual([6, 10]);
  });

  it.each(tokens)(
    'docs/comparison/peers.md shows the saving against "%s" as RESULTS.md does',
    (peer, inCommon, saved) => {
      const row = byCommand.find(([name]) => name === peer);
      const share = Math.round(Number.parseFloat(row?.[4] ?? ""));
      expect([inCommon, saved]).toEqual([row?.[1], `${share} %`]);
    },
  );

  it.each(speeds)(
    'docs/comparison/peers.md shows the speed of "%s" beside "%s" as RESULTS.md does',
    (subject = "", peer = "", times = "") => {
      const row = overview.find(
        ([ours, , theirs]) => ours?.startsWith(subject) && theirs?.includes(peer),
      );
      const ratio = Number.parseFloat(row?.[4] ?? "");
      expect(Math.abs(Number(times) - ratio)).toBeLessThanOrEqual(ratio * SPEED_TOLERANCE);
    },
  );
});
