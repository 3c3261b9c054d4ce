import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeOverview } from "../../lib/overview.mjs";
import { writeSection } from "../../lib/report.mjs";
import { driftSection } from "../drift/index.ts";
import { plots } from "../plots/index.ts";
import { agentReport } from "../report/index.ts";
import type { ReportInfo } from "../report/index.ts";
import type { Outcome, Played } from "../types.ts";

const PICTURES = [
  ["benchmark-summary.svg", "Tokens for one operation, by mode"],
  ["benchmark-tokens.svg", "Tokens of every scenario, by mode"],
  ["benchmark-calls.svg", "Tool calls of a scenario, by mode"],
  ["benchmark-recovery.svg", "Cost of recovery, by mode"],
] as const;

/**
 * The section about drift. If it cannot be computed, it says why, and the rest of the report is
 * still written.
 */
function driftOrWhyNot(root: string): string {
  try {
    return driftSection(root);
  } catch (error) {
    return `The drift could not be computed: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** The agent's parts of RESULTS.md. The stamp says on which code they were played. */
export function resultParts(
  outcome: Outcome,
  facts: ReportInfo,
  root: string,
  stamp: string,
): string[] {
  return [
    "## What an agent saves",
    stamp,
    PICTURES.map(([name, words]) => `![${words}](../docs/images/${name})`).join("\n"),
    ...agentReport(outcome, facts),
    "### Schemas since the last release",
    driftOrWhyNot(root),
  ];
}

/** Writes all charts of a run to a folder. */
export function writePlots(played: readonly Played[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, svg] of Object.entries(plots(played))) writeFileSync(join(folder, name), svg);
}

/** Rewrites the agent's section and the overview of RESULTS.md, and the charts. */
export function writeAgentResults(
  outcome: Outcome,
  facts: ReportInfo,
  root: string,
  stamp: string,
): void {
  writePlots(outcome.played, join(root, "docs/images"));
  writeSection("agent", resultParts(outcome, facts, root, stamp));
  writeOverview();
}
