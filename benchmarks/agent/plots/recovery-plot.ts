import { MODE_NAMES, modesIn, recoveryOf } from "../figures/index.ts";
import type { Recovery } from "../figures/index.ts";
import { modes } from "../types.ts";
import type { Played, Variant } from "../types.ts";
import { BAR_ROW, barSpan, bars } from "./bars.ts";
import type { Bar } from "./bars.ts";
import { MARGIN, TOP, page } from "./page.ts";
import { linearScale } from "./scale.ts";
import { words } from "./svg.ts";
import type { Svg } from "./svg.ts";

const ROOM = 210;
const HEAD = 26;

type Trouble = Exclude<Variant, "plain">;

const PANELS: readonly (readonly [Trouble, string])[] = [
  ["guess", "After a wrong first guess"],
  ["fault", "When GitHub fails"],
];

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toLocaleString("en", { maximumFractionDigits: digits });
  return `${value < 0 ? "−" : "+"}${text}`;
}

function textOf({ tokens, calls, recovered, scenarios }: Recovery): string {
  const cost = `${signed(Math.round(tokens), 0)} · ${signed(calls, 1)} ${calls === 1 ? "call" : "calls"}`;
  return `${cost} · ${recovered} of ${scenarios}`;
}

function barsOf(played: readonly Played[], trouble: Trouble): Bar[] {
  return modesIn(played, modes).flatMap((mode) => {
    const cost = recoveryOf(played, mode, trouble);
    if (cost === undefined) return [];
    return [{ label: MODE_NAMES[mode], as: mode, value: cost.tokens, text: textOf(cost) }];
  });
}

/** What trouble costs each mode over the same scenarios without it. */
export function recoveryPlot(played: readonly Played[]): string {
  const body: Svg[] = [];
  let y = TOP;
  for (const [trouble, title] of PANELS) {
    const shown = barsOf(played, trouble);
    if (shown.length === 0) continue;
    const scale = linearScale(
      shown.map(({ value }) => value),
      ...barSpan(ROOM),
    );
    body.push(words(MARGIN, y + 12, "bold", title), ...bars(shown, scale, y + HEAD));
    y += HEAD + shown.length * BAR_ROW + 14;
  }
  return page({
    title: "What recovery costs",
    subtitle:
      "Tokens and calls over the same scenarios without trouble, on average; and how many still came right",
    height: y + 4,
    body,
  });
}
