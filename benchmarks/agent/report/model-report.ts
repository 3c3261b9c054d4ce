import { grid } from "../../lib/report.mjs";
import { PRICES, getPlays, sum } from "../figures/index.ts";
import { DOORS } from "../model/played.ts";
import type { Door, ModelPlayed } from "../model/played.ts";
import { failureLines } from "./notes.ts";
import { cellText, count, modesTable, scenariosTable } from "./tables.ts";

/** The model and endpoint, and why plays are missing. */
export interface ModelInfo {
  readonly model: string;
  /** The host only, without path, query and key. */
  readonly host: string;
  readonly format: string;
  readonly problem?: string | undefined;
}

const DOOR_NAMES: Readonly<Record<Door, string>> = {
  waybill: "Waybill's four tools",
  gh: "`gh` as a tool",
};

const ORDER = { order: DOORS, nameOf: (mode: string) => DOOR_NAMES[mode as Door] ?? mode } as const;

const PRICE_NOTE = `Each request is a turn. The price of a written token is ${PRICES.sent}, of a read token ${PRICES.read}, and of a token that a later request reads again ${PRICES.cached}. Multiply it by the endpoint's price of one input token.`;

/**
 * The price of all plays, divided by the number of solved ones. Earlier requests are read from the
 * cache.
 */
function priceCell(plays: readonly ModelPlayed[]): string {
  const solved = plays.filter(({ passed }) => passed).length;
  if (solved === 0) return "–";
  const prices = plays.map(({ usage, tokens }) => {
    const fresh = Math.min(usage.input, tokens.single);
    return PRICES.sent * usage.output + PRICES.read * fresh + PRICES.cached * (usage.input - fresh);
  });
  return count(sum(prices) / solved);
}

function usageRow(played: readonly ModelPlayed[], door: Door): string[] {
  const plays = played.filter(({ mode }) => mode === door);
  const of = (key: "requests" | "input" | "output"): string =>
    count(sum(plays.map(({ usage }) => usage[key])));
  const solved = plays.filter(({ passed }) => passed).length;
  return [
    DOOR_NAMES[door],
    `${solved} of ${plays.length}`,
    of("requests"),
    of("input"),
    of("output"),
    priceCell(plays),
  ];
}

function usageTable(played: readonly ModelPlayed[]): string {
  const doors = DOORS.filter((door) => getPlays(played, door).size > 0);
  const header = [
    "",
    "solved",
    "requests",
    "input tokens",
    "output tokens",
    "price of a solved task",
  ];
  return grid(
    header,
    doors.map((door) => usageRow(played, door)),
  );
}

/** The same tables as for scripted modes, with the endpoint's own counts. */
export function modelReport(played: readonly ModelPlayed[], facts: ModelInfo): string[] {
  const { model, host, format, problem } = facts;
  const failures = failureLines(played);
  return [
    `Model \`${cellText(model)}\` at ${cellText(host)}, in the ${format} format.`,
    ...(problem === undefined ? [] : [`**Not everything was played: ${cellText(problem)}**`]),
    modesTable(played, ORDER),
    "The table above has o200k counts, as for scripted modes: the text that the model wrote, the output of its tools that it read, and a tenth of the start text. The next table has the endpoint's own counts. Every request sends the whole conversation again.",
    usageTable(played),
    PRICE_NOTE,
    "An answer is correct if it contains every text and number of the true answer. A change is correct if GitHub's own state has it. If a task cannot be done, the answer must say so, and nothing may have changed.",
    scenariosTable(played, ORDER),
    ...(failures.length === 0 ? [] : ["### Failed plays", failures.join("\n")]),
  ];
}
