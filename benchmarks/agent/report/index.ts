import { table } from "../../lib/report.mjs";
import { MODE_NAMES, PRICES, RIVAL_MODES, SECONDS_OF_A_TURN } from "../figures/index.ts";
import { modes } from "../types.ts";
import type { Mode, Outcome, Played } from "../types.ts";
import { bulkPart } from "./bulk-tables.ts";
import { costTable } from "./cost-table.ts";
import { csvNote } from "./csv-note.ts";
import { designTargets } from "./design-target.ts";
import { floorTable } from "./floor-tables.ts";
import { absentLines, failureLines, missedLines } from "./notes.ts";
import { modesTable, recoveryTable, savedTable, scenariosTable } from "./tables.ts";
import { getDoors, reportTargets } from "./targets.ts";
import { troubleNote } from "./trouble-note.ts";

export { modelReport } from "./model-report.ts";
export { reasonsFor } from "./reasons.ts";
export { reportTargets } from "./targets.ts";

/** Facts about a run that the run itself cannot know. */
export interface ReportInfo {
  /** Assumptions behind the numbers, printed next to them. */
  readonly assumptions: readonly string[];
  /** Why targets were missed, by target id. */
  readonly why: (played: readonly Played[]) => Readonly<Record<string, string>>;
}

const ORDER = {
  order: modes,
  nameOf: (mode: string) => MODE_NAMES[mode as Mode] ?? mode,
  unjudged: ["grep"],
} as const;

const FORMS: Readonly<Record<string, string>> = {
  lean: "with the lean skill",
  indexed: "with the indexed skill",
  code: "with programs",
};

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.join("\n")];
}

function doorParts({ played }: Outcome): string[] {
  return getDoors(played).flatMap(([door, name, mode]) => {
    return [
      `### Targets: Waybill by ${name}, ${FORMS[mode.replace(/^.*-/u, "")] ?? mode}`,
      table(reportTargets(played, door)),
      "Tokens of all scenarios that both modes can play, compared with each rival:",
      savedTable(played, mode, { ...ORDER, order: RIVAL_MODES }),
    ];
  });
}

/** The design's goal, compared with reading documentation for every request. */
function designPart({ played, trajectories = [] }: Outcome): string[] {
  const rows = designTargets(played, trajectories);
  if (rows.length === 0) return [];
  return [
    "### The target of the design document",
    table(rows),
    "A full answer has all fields of the envelope. A tenth of the session's start text is counted.",
  ];
}

/**
 * The floor is what every mode must send and read: the words of the request and the values of the
 * answer.
 */
function floorPart({ played, trajectories = [] }: Outcome): string[] {
  const times = floorTable(played, ORDER);
  if (times === undefined) return [];
  return [
    "### Compared with the theoretical minimum",
    times,
    "The minimum (“floor”) of a scenario is the words of its request (`issue.view octo/hello#1 title state`) and the values of its answer, without names and punctuation. “Session of 1, 3, 10” is the ratio of an operation's tokens to the minimum: first of all scenarios together, then of the median scenario. The columns for each kind are for a session of ten, of all scenarios together. Mean, median and trimmed mean (without the lowest and the highest tenth) are tokens of one of ten operations.",
    ...csvNote(trajectories),
  ];
}

/**
 * The section about price and time. Both depend on how many operations share a session's start
 * text.
 */
function costPart({ played }: Outcome): string[] {
  return [
    "### Price and time",
    costTable(played, ORDER),
    `The table shows an operation on GitHub in sessions of one, three and ten operations. The price of a written token is ${PRICES.sent}, of a read token ${PRICES.read}, and of a token of the context that a call reads again ${PRICES.cached}. Seconds are an estimate: ${SECONDS_OF_A_TURN} for each call, the time of a turn in 425 published runs of five ways to use GitHub (kunchenguid/axi, 8 to 43 seconds for each task). The call itself takes 1 to 200 ms, which the other sections measure.`,
  ];
}

/** The parts of the agent's section of RESULTS.md, below its title. */
export function agentReport(all: Outcome, { assumptions, why }: ReportInfo): string[] {
  // Tasks over many items have their own tables, as in the targets.
  const outcome = { ...all, played: all.played.filter(({ kind }) => kind !== "bulk") };
  const { played, absent } = outcome;
  const targets = getDoors(played).flatMap(([door]) => reportTargets(played, door));
  return [
    ...doorParts(outcome),
    ...designPart(outcome),
    ...titled("Missed targets, and why", missedLines(targets, why(played))),
    ...floorPart(outcome),
    ...costPart(outcome),
    ...bulkPart(all.played, ORDER),
    "### By mode",
    modesTable(played, ORDER),
    "“At the start” is the text in the context before the first question. “Tokens” are those of one of ten operations in a session: a tenth of the start text, the sent and read tokens, and a share of the lookups, because a session reads a help page, a type or an explanation only once. Targets, charts and the table by scenario use this number. “Anew” counts all lookups in every operation; “alone” also counts the whole start text. “Context read” counts that every call reads the whole context again: the calls of an operation in a session, times the start text and half of what ten operations add. “Calls” are those of an operation that makes all its lookups itself.",
    ...titled(
      "Assumptions",
      assumptions.map((line) => `- ${line}`),
    ),
    "### After a fault or a wrong guess",
    recoveryTable(played, ORDER),
    troubleNote(outcome),
    "### By scenario",
    scenariosTable(played, ORDER),
    "Tokens of one of ten operations, which share their lookups, and tool calls in brackets.",
    ...titled("Failed plays", failureLines(all.played)),
    ...titled("Tasks that a mode cannot play", absentLines(absent)),
  ];
}
