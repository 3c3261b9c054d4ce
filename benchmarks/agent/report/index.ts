import { table } from "../../lib/report.mjs";
import { MODE_NAMES } from "../figures/index.ts";
import { modes } from "../types.ts";
import type { Mode, Outcome } from "../types.ts";
import { absentLines, failureLines, missedLines } from "./notes.ts";
import { modesTable, recoveryTable, scenariosTable } from "./tables.ts";
import { doorsOf, targetsOf } from "./targets.ts";

export { modelReport } from "./model-report.ts";
export { targetsOf } from "./targets.ts";

/** What a run cannot know of itself. */
export interface ReportFacts {
  /** What must be known to judge the numbers; stands next to them. */
  readonly assumptions: readonly string[];
  /** Why a target was missed, by the target's id. */
  readonly why: Readonly<Record<string, string>>;
}

const ORDER = {
  order: modes,
  nameOf: (mode: string) => MODE_NAMES[mode as Mode] ?? mode,
} as const;

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.join("\n")];
}

function doorParts({ played }: Outcome): string[] {
  return doorsOf(played).flatMap(([door, name, mode]) => {
    const form = mode.endsWith("lean") ? "lean" : "indexed";
    return [
      `### Targets: Waybill by ${name}, with the ${form} skill`,
      table(targetsOf(played, door)),
    ];
  });
}

/** The parts of the agent's section of RESULTS.md, below its title. */
export function agentReport(outcome: Outcome, { assumptions, why }: ReportFacts): string[] {
  const { played, absent } = outcome;
  const targets = doorsOf(played).flatMap(([door]) => targetsOf(played, door));
  return [
    ...doorParts(outcome),
    ...titled("Not reached, and why", missedLines(targets, why)),
    "### By mode",
    modesTable(played, ORDER),
    "“At the start” stands in the context before anything is asked. “Tokens” are one of ten operations of a session: what is sent and read, and a tenth of the start. “Alone” has all of it.",
    ...titled(
      "Assumptions",
      assumptions.map((line) => `- ${line}`),
    ),
    "### When something goes wrong",
    recoveryTable(played, ORDER),
    "What is over the same scenarios without trouble, on average.",
    "### By scenario",
    scenariosTable(played, ORDER),
    "Tokens of one of ten operations; tool calls in brackets.",
    ...titled("Did not come right", failureLines(played)),
    ...titled("Cannot be done", absentLines(absent)),
  ];
}
