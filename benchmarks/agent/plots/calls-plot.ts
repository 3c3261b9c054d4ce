import { MODE_NAMES, modesIn, percentile, getPlays } from "../figures/index.ts";
import { modes } from "../types.ts";
import type { Mode, Played } from "../types.ts";
import { BAR_LEFT, BAR_ROW, barSpan } from "./bars.ts";
import { MARGIN, TOP, WIDTH, page } from "./page.ts";
import { element, words } from "./svg.ts";
import type { Svg } from "./svg.ts";

const ROOM = 116;
const THICK = 16;
/** The smallest number of calls in each group. */
const STEPS = [1, 2, 3, 5, 9];
const STEP_NAMES = ["1 call", "2", "3–4", "5–8", "9 and more"];
/** The narrowest part of a bar that has room for its number. */
const LEAST_WIDTH = 16;

function getStep(calls: number): number {
  return Math.max(
    0,
    STEPS.findLastIndex((least) => calls >= least),
  );
}

function getCounts(calls: readonly number[]): number[] {
  return STEPS.map((_, step) => calls.filter((each) => getStep(each) === step).length);
}

function stacked(counts: readonly number[], y: number): Svg[] {
  const [from, to] = barSpan(ROOM);
  const all = counts.reduce((total, count) => total + count, 0);
  let x = from;
  return counts.flatMap((count, step) => {
    const width = (count / all) * (to - from);
    const start = x;
    x += width;
    if (count === 0) return [];
    const rect = element("rect", { x: start, y, width, height: THICK, class: `step${step}` });
    if (width < LEAST_WIDTH) return [rect];
    return [rect, words(start + width / 2, y + THICK - 4, "small middle", String(count))];
  });
}

function plotRow(played: readonly Played[], mode: Mode, y: number): Svg[] {
  const calls = [...getPlays(played, mode).values()].map((play) => play.calls);
  const middle = `${percentile(calls, 0.5)} · ${percentile(calls, 0.95)}`;
  return [
    words(BAR_LEFT - 10, y + THICK - 4, "small end", MODE_NAMES[mode]),
    ...stacked(getCounts(calls), y),
    words(WIDTH - MARGIN - ROOM / 2, y + THICK - 4, "small middle", middle),
  ];
}

function legend(y: number): Svg[] {
  return STEP_NAMES.flatMap((name, step) => {
    const x = BAR_LEFT + step * 78;
    return [
      element("rect", { x, y: y - 9, width: 11, height: 11, class: `step${step}` }),
      words(x + 16, y, "small quiet", name),
    ];
  });
}

/** A chart of the number of tool calls per scenario in each mode. */
export function callsPlot(played: readonly Played[]): string {
  const plain = played.filter(({ variant }) => variant === "plain");
  const present = modesIn(plain, modes);
  const top = TOP + 30;
  return page({
    title: "Tool calls of a scenario",
    subtitle: "How many scenarios take how many calls, including lookups",
    height: top + present.length * BAR_ROW + 16,
    body: [
      ...legend(TOP + 12),
      words(WIDTH - MARGIN - ROOM / 2, TOP + 12, "small quiet middle", "median · p95"),
      ...present.flatMap((mode, index) => plotRow(plain, mode, top + index * BAR_ROW)),
    ],
  });
}
