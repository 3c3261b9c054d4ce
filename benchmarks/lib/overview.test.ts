import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { overviewParts } from "./overview.mjs";
import { grid, resultsFile, table } from "./report.mjs";
import { getSections } from "./results-page.mjs";

function section(suite: string, title: string, rows: Parameters<typeof table>[0]): string {
  return `<!-- bench:${suite} -->\n\n## ${title}\n\ntoday\n\n${table(rows)}\n\n<!-- /bench:${suite} -->\n`;
}

const PAGE = [
  "# Results",
  section("http", "Over HTTP", [
    { name: "a bare Hono 1.0 handler", value: 40_000, unit: "requests/s", ratio: 1 },
    {
      name: "`POST /v1`",
      value: 20_000,
      unit: "requests/s",
      ratio: 0.5,
      target: "≥ 0.6",
      met: false,
    },
  ]),
  section("local-call", "Local", [
    { name: "`execute()`", value: 0.5, unit: "µs" },
    { name: "… its share", value: 0.3, unit: "", target: "≥ 0.3", met: true },
    { name: "oRPC 1", value: 1_500, unit: "µs" },
    { name: "tRPC 2", value: 0.25, unit: "µs" },
  ]),
  section("codegraph-beside", "Graphs", [
    { name: "nest at abc1: dead exports, whole process", value: 100, unit: "ms" },
    { name: "nest at abc1: madge 8", value: 700, unit: "ms" },
    { name: "vue at abc2: dead exports, whole process", value: 10, unit: "ms" },
    { name: "vue at abc2: madge 8", value: 90, unit: "ms" },
  ]),
  `<!-- bench:corpus -->\n\n## Corpus\n\n${grid(["", "operations"], [["all", "3"]])}\n\n<!-- /bench:corpus -->`,
].join("\n\n");

describe("results page", () => {
  it("the benchmark overview reads suites, rows and targets from a results page", () => {
    const [http, local] = getSections(PAGE);
    expect(http).toMatchObject({
      suite: "http",
      title: "Over HTTP",
      rows: [
        { measured: "40,000\u00a0requests/s" },
        { ratio: "0.50", target: "≥ 0.6", met: "**no**" },
      ],
    });
    expect(local?.rows[1]).toMatchObject({ name: "`execute()` … its share", met: "yes" });
    expect(getSections(PAGE).find(({ suite }) => suite === "corpus")?.rows).toEqual([]);
  });

  it("the benchmark overview compares peers by a ratio in which larger is better for Waybill", () => {
    const [, , peers = ""] = overviewParts(PAGE);
    const rows = peers.split("\n").slice(2);
    const shown = rows.map((row) => row.split("|").map((cell) => cell.trim()));
    expect(shown.map(([, , , peer, , ratio]) => [peer, ratio])).toEqual([
      ["oRPC 1", "3000.0 ×"],
      ["tRPC 2", "0.50 ×"],
      ["a bare Hono 1.0 handler", "0.50 ×"],
      ["nest at abc1: madge 8", "7.00 ×"],
      ["vue at abc2: madge 8", "9.00 ×"],
    ]);
  });

  it("the benchmark overview lists the targets that are not met", () => {
    const [, , , sum, missed = ""] = overviewParts(PAGE);
    expect(sum).toBe("1 of 2 targets are met. Not met:");
    expect(missed).toContain("Over HTTP: `POST /v1`");
  });

  it("the benchmark overview ignores its own earlier section", () => {
    const whole = `<!-- bench:overview -->\n\n${overviewParts(PAGE).join("\n\n")}\n\n<!-- /bench:overview -->\n\n${PAGE}`;
    expect(overviewParts(whole)).toEqual(overviewParts(PAGE));
  });

  it("the benchmark overview finds the peers of every measured suite", () => {
    const text = readFileSync(resultsFile, "utf8");
    const named = overviewParts(text)[2] ?? "";
    const suites = ["local-call", "search", "mcp-call", "openapi", "github", "nats", "http"];
    const titles = getSections(text).filter(({ suite }) => suites.includes(suite));
    expect(titles).toHaveLength(suites.length);
    for (const { title } of titles) expect(named).toContain(`| ${title}: `);
  });
});
