import {
  MODE_NAMES,
  WAYBILL_MODES,
  compareModes,
  mean,
  modesIn,
  getPlays,
} from "../figures/index.ts";
import { modes } from "../types.ts";
import type { Kind, Mode, Played } from "../types.ts";
import type { Bar } from "./bars.ts";
import { page } from "./page.ts";
import { panels } from "./panels.ts";

const ROOM = 150;

interface Part {
  readonly title: string;
  readonly holds: (kind: Kind) => boolean;
}

const PARTS: readonly Part[] = [
  { title: "Tasks on GitHub", holds: (kind) => kind !== "code" && kind !== "bulk" },
  { title: "Tasks over many items", holds: (kind) => kind === "bulk" },
  { title: "Questions about code", holds: (kind) => kind === "code" },
];

function getAverage(played: readonly Played[], mode: Mode): number {
  return mean([...getPlays(played, mode).values()].map(({ tokens }) => tokens.total));
}

/** Our mode with the fewest tokens, to which the others are compared. */
function findBest(played: readonly Played[]): Mode | undefined {
  const ours = modesIn(played, WAYBILL_MODES);
  return ours.toSorted((a, b) => getAverage(played, a) - getAverage(played, b))[0];
}

function summaryLabel(played: readonly Played[], mode: Mode, best: Mode | undefined): string {
  const tokens = Math.round(getAverage(played, mode)).toLocaleString("en");
  if (best === undefined || mode === best) return tokens;
  const pair = compareModes(played, best, mode);
  return pair === undefined ? tokens : `${tokens} · ${(pair.theirs / pair.ours).toFixed(1)}×`;
}

function getBars(played: readonly Played[]): Bar[] {
  const best = findBest(played);
  return modesIn(played, modes).map((mode) => ({
    label: MODE_NAMES[mode],
    as: mode,
    value: getAverage(played, mode),
    text: summaryLabel(played, mode, best),
  }));
}

/** A chart of each mode's average, and of its ratio to our best mode over shared scenarios. */
export function summaryPlot(played: readonly Played[]): string {
  const plain = played.filter(({ variant }) => variant === "plain");
  const shown = PARTS.map(({ title, holds }) => {
    return { title, bars: getBars(plain.filter(({ kind }) => holds(kind))) };
  });
  return page({
    title: "Tokens for one operation",
    subtitle:
      "Average in a session of ten (o200k); × = ratio to our best mode, over the scenarios of both",
    ...panels(shown, ROOM),
  });
}
