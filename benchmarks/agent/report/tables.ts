import { grid } from "../../lib/report.mjs";
import {
  compareModes,
  contextRead,
  mean,
  modesIn,
  percentile,
  getPlays,
  getRecovery,
  scenariosIn,
} from "../figures/index.ts";
import type { AnyPlayed, Recovery } from "../figures/index.ts";

export interface TableOptions {
  /** The order of columns or rows. */
  readonly order: readonly string[];
  readonly nameOf: (mode: string) => string;
  /** Modes whose answers are counted but not checked. */
  readonly unjudged?: readonly string[];
}

const NOT_PLAYED = "–";

export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** Escapes text, so that it cannot end the cell or add markup. */
export function cellText(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\|<>[\]`*_]/g, String.raw`\$&`);
}

function passedCell(plays: readonly AnyPlayed[]): string {
  return `${plays.filter(({ passed }) => passed).length} of ${plays.length}`;
}

function modeRow(
  played: readonly AnyPlayed[],
  mode: string,
  { nameOf, unjudged = [] }: TableOptions,
): string[] {
  const plays = [...getPlays(played, mode).values()];
  const totals = plays.map(({ tokens }) => tokens.total);
  const calls = plays.map((play) => play.calls);
  return [
    nameOf(mode),
    count(mean(plays.map(({ tokens }) => tokens.definitions))),
    count(mean(totals)),
    count(percentile(totals, 0.5)),
    count(mean(plays.map(({ tokens }) => tokens.anew))),
    count(mean(plays.map(({ tokens }) => tokens.single))),
    count(contextRead(plays)),
    `${percentile(calls, 0.5)} · ${percentile(calls, 0.95)}`,
    unjudged.includes(mode) ? "not judged" : passedCell(plays),
  ];
}

/** A table with one row for each mode. */
export function modesTable(played: readonly AnyPlayed[], options: TableOptions): string {
  const header = [
    "",
    "at the start",
    "tokens, mean",
    "median",
    "anew",
    "alone",
    "context read",
    "calls, median · p95",
    "passed",
  ];
  return grid(
    header,
    modesIn(played, options.order).map((mode) => modeRow(played, mode, options)),
  );
}

function percent(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

function savedRow(
  played: readonly AnyPlayed[],
  ours: string,
  rival: string,
  nameOf: TableOptions["nameOf"],
): string[] | undefined {
  const pair = compareModes(played, ours, rival);
  if (pair === undefined) return undefined;
  const anew = compareModes(played, ours, rival, { by: "anew" })?.saved ?? 0;
  return [
    nameOf(rival),
    String(pair.scenarios),
    count(pair.ours),
    count(pair.theirs),
    percent(pair.saved),
    percent(pair.savedMedian),
    percent(pair.savedBesideLargest),
    percent(anew),
  ];
}

/**
 * A table that compares one of our modes with each rival, over the scenarios that both can play.
 */
export function savedTable(
  played: readonly AnyPlayed[],
  ours: string,
  { order, nameOf }: TableOptions,
): string {
  const rows = modesIn(played, order).flatMap((rival) => {
    const row = rival === ours ? undefined : savedRow(played, ours, rival, nameOf);
    return row === undefined ? [] : [row];
  });
  const header = [
    "",
    "in common",
    "ours",
    "theirs",
    "saved",
    "median",
    "without the largest",
    "anew",
  ];
  return grid(header, rows);
}

function playCell(play: AnyPlayed | undefined): string {
  if (play === undefined) return NOT_PLAYED;
  return `${count(play.tokens.total)} (${play.calls})${play.passed ? "" : " failed"}`;
}

/** A row for each scenario and a column for each mode: tokens, and calls in brackets. */
export function scenariosTable(played: readonly AnyPlayed[], { order }: TableOptions): string {
  const present = modesIn(played, order);
  const plays = present.map((mode) => getPlays(played, mode));
  const rows = scenariosIn(played).map(({ id, kind }) => [
    cellText(id),
    kind,
    ...plays.map((byScenario) => playCell(byScenario.get(id))),
  ]);
  return grid(["scenario", "kind", ...present], rows, (column) => column > 1);
}

function recoveryCells(recovery: Recovery | undefined): string[] {
  if (recovery === undefined) return [NOT_PLAYED, NOT_PLAYED, NOT_PLAYED];
  const { tokens, calls, recovered, scenarios } = recovery;
  return [count(tokens), calls.toFixed(1), `${recovered} of ${scenarios}`];
}

/** The extra cost of a fault or a wrong guess, compared with the plain scenarios, by mode. */
export function recoveryTable(
  played: readonly AnyPlayed[],
  { order, nameOf }: TableOptions,
): string {
  const rows = modesIn(played, order).map((mode) => {
    const [guess, fault] = [getRecovery(played, mode, "guess"), getRecovery(played, mode, "fault")];
    const doubled = (guess?.doubled ?? 0) + (fault?.doubled ?? 0);
    return [nameOf(mode), ...recoveryCells(guess), ...recoveryCells(fault), String(doubled)];
  });
  const trouble = ["tokens", "calls", "passed"];
  const header = [
    ...trouble.map((name) => `guess: ${name}`),
    ...trouble.map((name) => `fault: ${name}`),
  ];
  return grid(["", ...header, "applied twice"], rows);
}
