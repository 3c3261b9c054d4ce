import { STYLE } from "./theme.ts";
import { element, escaped, words } from "./svg.ts";
import type { Svg } from "./svg.ts";

/** The width at which GitHub shows images. */
export const WIDTH = 800;
export const MARGIN = 16;
/** The top of the drawing, below the title and subtitle. */
export const TOP = 66;

export interface Page {
  readonly title: string;
  /** A line below the title that explains the numbers. */
  readonly subtitle: string;
  readonly height: number;
  readonly body: readonly Svg[];
}

/** A complete chart, with its own background so that it is readable on any page. */
export function page({ title, subtitle, height, body }: Page): string {
  const svg = element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width: WIDTH,
      height,
      viewBox: `0 0 ${WIDTH} ${Math.round(height)}`,
      role: "img",
      "aria-label": `${title}. ${subtitle}`,
    },
    element("title", {}, escaped(title)),
    element("style", {}, STYLE as Svg),
    element("rect", { class: "paper", width: WIDTH, height, rx: 8 }),
    words(MARGIN, 30, "title", title),
    words(MARGIN, 50, "quiet", subtitle),
    ...body,
  );
  return `${svg.replaceAll("><", ">\n<")}\n`;
}
