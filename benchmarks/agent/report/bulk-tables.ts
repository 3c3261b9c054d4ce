import { grid } from "../../lib/report.mjs";
import {
  getPlays,
  mean,
  meanPrice,
  meanSeconds,
  modesIn,
  percentile,
  trimmedMean,
} from "../figures/index.ts";
import type { AnyPlayed } from "../figures/index.ts";
import { timesFloor } from "./floor-tables.ts";
import { count, scenariosTable } from "./tables.ts";
import type { TableOptions } from "./tables.ts";

function bulkRow(plays: readonly AnyPlayed[]): string[] {
  const totals = plays.map(({ tokens }) => tokens.total);
  const floor = timesFloor(plays, ({ tokens }) => tokens.total);
  return [
    `${plays.filter(({ passed }) => passed).length} of ${plays.length}`,
    count(mean(plays.map(({ tokens }) => tokens.sent))),
    count(mean(plays.map(({ tokens }) => tokens.read))),
    count(mean(totals)),
    count(percentile(totals, 0.5)),
    count(trimmedMean(totals)),
    `${floor.sum.toFixed(1)} · ${floor.median.toFixed(1)}`,
    mean(plays.map(({ calls }) => calls)).toFixed(1),
    count(meanPrice(plays)),
    meanSeconds(plays).toFixed(1),
  ];
}

/** The section about tasks with loops, filters and joins; empty if none was played. */
export function bulkPart(played: readonly AnyPlayed[], options: TableOptions): string[] {
  const bulk = played.filter(({ kind, variant }) => kind === "bulk" && variant === "plain");
  if (bulk.length === 0) return [];
  const modes = modesIn(bulk, options.order);
  const rows = modes.map((mode) => [
    options.nameOf(mode),
    ...bulkRow([...getPlays(bulk, mode).values()]),
  ]);
  const header = [
    "passed",
    "sent",
    "read",
    "tokens, mean",
    "median",
    "trimmed mean",
    "× floor",
    "calls, mean",
    "price",
    "seconds",
  ];
  return [
    "### Tasks over many items",
    grid(["", ...header], rows),
    "Loops, filters and joins over 40 to 241 issues, pull requests, comments, commits, files and long logs of three repositories. Each mode uses its best way: a program, a shell line, or a list and then one chain or one call for each item. Tokens are those of one of ten operations in a session. The trimmed mean leaves out the lowest and the highest tenth. The floor is the words of the task and the values of the answer. An additional item costs a program or a shell line no tokens.",
    scenariosTable(bulk, options),
  ];
}
