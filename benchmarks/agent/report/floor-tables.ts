import { grid } from "../../lib/report.mjs";
import {
  mean,
  modesIn,
  percentile,
  getPlays,
  SESSION_SIZES,
  sum,
  trimmedMean,
} from "../figures/index.ts";
import type { AnyPlayed } from "../figures/index.ts";
import { kinds } from "../types.ts";
import type { Kind } from "../types.ts";
import { count } from "./tables.ts";
import type { TableOptions } from "./tables.ts";
import { sessionNames } from "./cost-table.ts";

function floored(plays: readonly AnyPlayed[]): AnyPlayed[] {
  return plays.filter(({ floor }) => floor !== undefined && floor > 0);
}

/** The ratio to the floor: of all tokens together, and of the median scenario. */
export function timesFloor(
  plays: readonly AnyPlayed[],
  of: (play: AnyPlayed) => number,
): { readonly sum: number; readonly median: number } {
  const known = floored(plays);
  const floors = sum(known.map(({ floor = 0 }) => floor));
  const times = known.map((play) => of(play) / (play.floor ?? 1));
  return { sum: sum(known.map(of)) / Math.max(1, floors), median: percentile(times, 0.5) };
}

function timesCell(plays: readonly AnyPlayed[], of: (play: AnyPlayed) => number): string {
  if (floored(plays).length === 0) return "–";
  const { sum: all, median } = timesFloor(plays, of);
  return `${all.toFixed(1)} · ${median.toFixed(1)}`;
}

const APART: readonly Kind[] = ["bulk", "code"];
const GITHUB: readonly Kind[] = kinds.filter((kind) => !APART.includes(kind));

function floorRow(played: readonly AnyPlayed[], mode: string, nameOf: TableOptions["nameOf"]) {
  const plays = [...getPlays(played, mode).values()].filter(({ kind }) => kind !== "code");
  if (floored(plays).length === 0) return [];
  const totals = plays.map(({ tokens }) => tokens.total);
  const row = [
    nameOf(mode),
    ...SESSION_SIZES.map(({ tokens }) => timesCell(plays, tokens)),
    ...GITHUB.map((kind) =>
      timesCell(
        plays.filter((play) => play.kind === kind),
        ({ tokens }) => tokens.total,
      ).replace(/ · .*/u, ""),
    ),
    count(mean(totals)),
    count(percentile(totals, 0.5)),
    count(trimmedMean(totals)),
  ];
  return [row];
}

/** Compares every mode with the floor, on the GitHub scenarios that it can play. */
export function floorTable(
  played: readonly AnyPlayed[],
  { order, nameOf }: TableOptions,
): string | undefined {
  const rows = modesIn(played, order).flatMap((mode) => floorRow(played, mode, nameOf));
  if (rows.length === 0) return undefined;
  const header = ["", ...sessionNames(""), ...GITHUB, "mean", "median", "trimmed mean"];
  return grid(header, rows);
}
