import { BAR_ROW, barSpan, bars } from "./bars.ts";
import type { Bar } from "./bars.ts";
import { MARGIN, TOP } from "./page.ts";
import { linearScale } from "./scale.ts";
import { words } from "./svg.ts";
import type { Svg } from "./svg.ts";

const HEAD = 26;

/** A group of bars with its own title and scale. */
export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** The panels that have bars, below each other. `room` is left for the figures beside them. */
export function panels(given: readonly Panel[], room: number): { body: Svg[]; height: number } {
  const body: Svg[] = [];
  let y = TOP;
  for (const { title, bars: shown } of given) {
    if (shown.length === 0) continue;
    const scale = linearScale(
      shown.map(({ value }) => value),
      ...barSpan(room),
    );
    body.push(words(MARGIN, y + 12, "bold", title), ...bars(shown, scale, y + HEAD));
    y += HEAD + shown.length * BAR_ROW + 14;
  }
  return { body, height: y + 4 };
}
