import { MODE_NAMES, modesIn, getPlays, scenariosIn } from "../figures/index.ts";
import type { ScenarioInfo } from "../figures/index.ts";
import { kinds, modes } from "../types.ts";
import type { Kind, Mode, Played } from "../types.ts";
import { mark } from "./marks.ts";
import { MARGIN, TOP, WIDTH, page } from "./page.ts";
import { logScale } from "./scale.ts";
import type { Scale } from "./scale.ts";
import { element, words } from "./svg.ts";
import type { Svg } from "./svg.ts";

const ROW = 15;
const HEAD = 24;
const LABELS = 216;
const LEGEND_ROW = 18;
const LEGEND_COLUMNS = 3;
const MAX_LABEL = 34;

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  read: "Reads",
  list: "Lists",
  write: "Writes",
  chain: "Chains",
  error: "Errors",
  bulk: "Many items",
  code: "Code questions",
};

function shortLabel(text: string, most = MAX_LABEL): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The legend: three columns of marks with names. */
function legend(present: readonly Mode[], top: number): Svg[] {
  const width = (WIDTH - 2 * MARGIN) / LEGEND_COLUMNS;
  const rows = Math.ceil(present.length / LEGEND_COLUMNS);
  return present.flatMap((mode, index) => {
    const x = MARGIN + Math.floor(index / rows) * width;
    const y = top + (index % rows) * LEGEND_ROW;
    return [mark(mode, x + 6, y), words(x + 18, y + 4, "small", MODE_NAMES[mode])];
  });
}

function axis({ at, ticks }: Scale, top: number, bottom: number): Svg[] {
  return ticks.flatMap((tick) => [
    element("line", { x1: at(tick), x2: at(tick), y1: top, y2: bottom, class: "line" }),
    words(at(tick), top - 6, "small quiet middle", tick.toLocaleString("en")),
    words(at(tick), bottom + 15, "small quiet middle", tick.toLocaleString("en")),
  ]);
}

interface Placed {
  readonly scenario: ScenarioInfo;
  readonly y: number;
}

interface Layout {
  readonly heads: readonly { readonly kind: Kind; readonly y: number }[];
  readonly rows: readonly Placed[];
  readonly bottom: number;
}

/** Groups the scenarios of each kind below its name. */
function layout(scenarios: readonly ScenarioInfo[], top: number): Layout {
  const heads: Layout["heads"][number][] = [];
  const rows: Placed[] = [];
  let y = top;
  for (const kind of kinds) {
    const group = scenarios.filter((scenario) => scenario.kind === kind);
    if (group.length === 0) continue;
    heads.push({ kind, y: y + HEAD - 8 });
    y += HEAD;
    for (const scenario of group) rows.push({ scenario, y: (y += ROW) - ROW / 2 });
  }
  return { heads, rows, bottom: y + 4 };
}

function rowMarks(
  { scenario, y }: Placed,
  plays: ReadonlyMap<Mode, ReadonlyMap<string, { tokens: { total: number } }>>,
  scale: Scale,
): Svg[] {
  const found = [...plays].flatMap(([mode, byScenario]) => {
    const play = byScenario.get(scenario.id);
    return play === undefined ? [] : [{ mode, x: scale.at(play.tokens.total) }];
  });
  const places = found.map(({ x }) => x);
  const [x1, x2] = [Math.min(...places), Math.max(...places)];
  return [
    words(MARGIN + LABELS - 10, y + 4, "small end", shortLabel(scenario.id)),
    element("line", { x1, x2, y1: y, y2: y, class: "line" }),
    // The last mark is drawn on top, so the most important modes come last.
    ...found.toReversed().map(({ mode, x }) => mark(mode, x, y)),
  ];
}

/** A chart of the tokens of every scenario in every mode, on a logarithmic scale. */
export function tokensPlot(played: readonly Played[]): string {
  const plain = played.filter(({ variant }) => variant === "plain");
  const present = modesIn(plain, modes);
  const legendHeight = Math.ceil(present.length / LEGEND_COLUMNS) * LEGEND_ROW;
  const top = TOP + legendHeight + 30;
  const { heads, rows, bottom } = layout(scenariosIn(plain), top);
  const totals = plain.map(({ tokens }) => tokens.total);
  const scale = logScale(totals, MARGIN + LABELS, WIDTH - MARGIN - 24);
  const plays = new Map(present.map((mode) => [mode, getPlays(plain, mode)]));
  return page({
    title: "Tokens of every scenario",
    subtitle:
      "One of ten operations in a session, which share the start text and the lookups; o200k, logarithmic",
    height: bottom + 30,
    body: [
      ...legend(present, TOP + 8),
      ...axis(scale, top, bottom),
      ...heads.map(({ kind, y }) => words(MARGIN, y, "bold", KIND_NAMES[kind])),
      ...rows.flatMap((row) => rowMarks(row, plays, scale)),
    ],
  });
}
