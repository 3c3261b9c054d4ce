import { MARGIN, WIDTH } from "./page.ts";
import type { Scale } from "./scale.ts";
import { element, words } from "./svg.ts";
import type { Svg } from "./svg.ts";

export const BAR_ROW = 24;
export const BAR_LEFT = MARGIN + 226;
const THICK = 14;

export interface Bar {
  readonly label: string;
  readonly as: string;
  readonly value: number;
  /** The text at the end of the bar. */
  readonly text: string;
}

/** Named bars below each other, each with its figures. Their height is `bars.length` rows. */
export function bars(given: readonly Bar[], scale: Scale, top: number): Svg[] {
  const zero = scale.at(scale.ticks.find((tick) => tick >= 0) ?? 0);
  return given.flatMap(({ label, as, value, text }, index) => {
    const y = top + index * BAR_ROW;
    const end = scale.at(value);
    const [x, width] = [Math.min(zero, end), Math.max(1, Math.abs(end - zero))];
    return [
      words(BAR_LEFT - 10, y + THICK - 3, "small end", label),
      element("rect", { x, y, width, height: THICK, rx: 2, class: as }),
      words(Math.max(end, zero) + 6, y + THICK - 3, "small", text),
    ];
  });
}

/** The horizontal range of the bars, with room for their figures. */
export function barSpan(room: number): readonly [from: number, to: number] {
  return [BAR_LEFT, WIDTH - MARGIN - room];
}
