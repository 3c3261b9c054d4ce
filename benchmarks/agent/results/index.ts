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

/** Drift that cannot be told is said so; it must not take the rest of the report with it. */
function driftOrWhyNot(root: string): string {
  try {
    return driftSection(root);
  } catch (error) {
    return `It cannot be told: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** All that stands in RESULTS.md about agents; the stamp says on which code it was played. */
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

/** Writes every picture of a run into a folder. */
export function writePlots(played: readonly Played[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, svg] of Object.entries(plots(played))) writeFileSync(join(folder, name), svg);
}

/** Rewrites the agent's section of RESULTS.md, the overview there, and the pictures. */
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
