import type { Mode } from "../types.ts";

/** A colour on white and on black, readable on both. */
type Colours = readonly [light: string, dark: string];

const MODE_COLOURS: Readonly<Record<Mode, Colours>> = {
  "mcp-lean": ["#0969da", "#58a6ff"],
  "mcp-indexed": ["#0969da", "#58a6ff"],
  "command-lean": ["#1a7f37", "#3fb950"],
  "command-indexed": ["#1a7f37", "#3fb950"],
  "mcp-code": ["#0969da", "#58a6ff"],
  "command-code": ["#1a7f37", "#3fb950"],
  "gh-help": ["#bc4c00", "#f0883e"],
  "gh-known": ["#7d4e00", "#e3b341"],
  "gh-memory": ["#7d4e00", "#e3b341"],
  "gh-current": ["#7d4e00", "#e3b341"],
  "gh-axi": ["#bc4c00", "#f0883e"],
  ghx: ["#57606a", "#a5adb6"],
  graphql: ["#8250df", "#bc8cff"],
  "graphql-fields": ["#8250df", "#bc8cff"],
  "github-mcp": ["#cf222e", "#ff7b72"],
  "github-mcp-deferred": ["#cf222e", "#ff7b72"],
  grep: ["#57606a", "#a5adb6"],
};

const PAPER: Colours = ["#ffffff", "#0d1117"];
const INK: Colours = ["#1f2328", "#e6edf3"];
const QUIET: Colours = ["#59636e", "#9198a1"];
const LINE: Colours = ["#d1d9e0", "#3d444d"];

/** Colours for the number of calls, from one to many: green is good. */
const STEPS: readonly Colours[] = [
  ["#2da44e", "#2ea043"],
  ["#8cc265", "#6e9f3c"],
  ["#e3b341", "#bb8009"],
  ["#e5813e", "#bd561d"],
  ["#f47067", "#b62324"],
];

function rules(side: 0 | 1): string {
  const modes = Object.entries(MODE_COLOURS).map(
    ([mode, colours]) => `.${mode}{fill:${colours[side]};stroke:${colours[side]}}`,
  );
  const steps = STEPS.map((colours, step) => `.step${step}{fill:${colours[side]}}`);
  return [
    `.paper{fill:${PAPER[side]}}.line{stroke:${LINE[side]}}`,
    `text{fill:${INK[side]}}.quiet{fill:${QUIET[side]}}`,
    ...modes,
    ...steps,
    `.hollow{fill:${PAPER[side]}}.stroke{fill:none}`,
  ].join("");
}

/** Follows the reader's system theme. Everything else in a chart only uses classes. */
export const STYLE = [
  'text{font:12px -apple-system,"Segoe UI","Noto Sans",Helvetica,Arial,sans-serif}',
  ".title{font-size:15px;font-weight:600}.small{font-size:11px}.bold{font-weight:600}",
  ".end{text-anchor:end}.middle{text-anchor:middle}.mark{stroke-width:1.6}",
  rules(0),
  `@media (prefers-color-scheme:dark){${rules(1)}}`,
].join("");
