import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/run.mjs";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const readme = read("README.md");
const results = read("benchmarks/RESULTS.md");

/** The rows of the table of peers, each with the name of the peer in RESULTS.md. */
const PEERS = {
  "GitHub's MCP server": "GitHub's MCP server",
  "GraphQL, after reading the types": "GraphQL, reading types",
  "`gh`, after reading its help": "gh, reading its help",
  "`gh`, by an expert without a typo": "gh, knowing every flag",
};

function numbersAfter(text: string, name: string): number[] {
  const line = text.split("\n").find((each) => each.startsWith(`| ${name} `));
  const cells = (line ?? "").split("|").slice(2, -1);
  return cells.map((cell) => Number(cell.replaceAll(",", "")));
}

describe("README.md", () => {
  it("README.md has at most 120 lines", () => {
    expect(readme.split("\n").length - 1).toBeLessThanOrEqual(120);
  });

  it.each(Object.entries(PEERS))(
    "README.md shows the tokens of %s as RESULTS.md does",
    (row, name) => {
      const byCommand = results.slice(results.indexOf("### Targets: Waybill by command"));
      const [inCommon, ours, theirs] = numbersAfter(byCommand, name);
      expect(numbersAfter(readme, row)).toEqual([
        Math.round(theirs! / inCommon!),
        Math.round(ours! / inCommon!),
      ]);
    },
  );
});
