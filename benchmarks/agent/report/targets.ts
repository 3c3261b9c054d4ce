import type { Row } from "../../lib/report.mjs";
import { WAYBILL_MODES, compareModes, mean, percentile, getPlays } from "../figures/index.ts";
import { wasDoubled } from "../figures/doubled.ts";
import type { AnyPlayed } from "../figures/index.ts";
import type { Kind, Mode, Played } from "../types.ts";
import { timesFloor } from "./floor-tables.ts";

/** A goal that was set before measuring. Its id links it to an explanation. */
export interface Target extends Row {
  readonly id: string;
}

export const DOORS = { mcp: "MCP", command: "command" } as const;
export type Door = keyof typeof DOORS;

/** The share of each rival's tokens to save, at least. */
export const RIVALS = [
  ["gh-help", "`gh` with help", 0.7],
  ["graphql", "GraphQL by types", 0.91],
  ["github-mcp", "GitHub's MCP server with all tools", 0.87],
  ["github-mcp-deferred", "GitHub's MCP server with deferred tools", 0.75],
] as const;

/** The most tokens of a GitHub operation, for each way to call. */
const MOST = {
  mcp: { tokens: 195, alone: 700, sum: 2, median: 5.5 },
  command: { tokens: 185, alone: 640, sum: 1.9, median: 5 },
} as const;

/**
 * The programs of models are longer than an expert's by this factor, measured on seven programs.
 */
const MODEL_LENGTH = 1.66;
const MOST_AS_MODELS_WRITE = 225;
const MOST_AT_CODE_START = 600;

export const READS: readonly Kind[] = ["read", "list", "code"];

function isOnGithub({ kind }: AnyPlayed): boolean {
  return kind !== "code";
}

function githubPlays(played: readonly Played[], mode: Mode): AnyPlayed[] {
  const plays = [...getPlays(played, mode).values()];
  const own = plays.filter(isOnGithub);
  return own.length > 0 ? own : plays;
}

function getTotal(played: readonly Played[], mode: Mode): number {
  return mean(githubPlays(played, mode).map(({ tokens }) => tokens.total));
}

/** The better skill for one way to call, by the tokens of a GitHub operation. */
export function betterForm(played: readonly Played[], door: Door): Mode | undefined {
  const forms = WAYBILL_MODES.filter((mode) => mode.startsWith(door));
  const present = forms.filter((mode) => getPlays(played, mode).size > 0);
  return present.toSorted((a, b) => getTotal(played, a) - getTotal(played, b))[0];
}

function savings(played: readonly Played[], door: Door, mode: Mode): Target[] {
  return RIVALS.flatMap(([rival, name, least]) => {
    const pair = compareModes(played, mode, rival);
    if (pair === undefined) return [];
    const percent = least * 100;
    return [
      {
        id: `tokens.${door}.${rival}`,
        name: `by ${DOORS[door]}: fewer tokens than ${name} (${pair.scenarios} in common)`,
        // Rounds down, so that a missed target is never shown as met.
        value: Math.floor(pair.saved * 1_000) / 10,
        unit: "%",
        target: `≥ ${percent} %`,
        met: pair.saved >= least,
      },
    ];
  });
}

function atMost(id: string, name: string, value: number, unit: string, most: number): Target {
  // Rounds up, so that a missed target is never shown as met.
  const shown = Math.ceil(value * 10) / 10;
  return { id, name, value: shown, unit, target: `≤ ${most}`, met: value <= most };
}

function totalTokens({ tokens }: AnyPlayed): number {
  return tokens.total;
}

/** The tokens of an operation with a program of the length that models write. */
function asModelsWrite({ tokens }: AnyPlayed): number {
  return tokens.total + tokens.sent * (MODEL_LENGTH - 1);
}

/** The tokens of a GitHub operation, absolute and relative to the floor. */
function sizes(played: readonly Played[], door: Door, mode: Mode): Target[] {
  const plays = githubPlays(played, mode);
  const most = MOST[door];
  const by = `by ${DOORS[door]}`;
  const average = (of: (play: AnyPlayed) => number): number => mean(plays.map(of));
  const floor = timesFloor(plays, totalTokens);
  return [
    atMost(
      `size.${door}`,
      `${by}: tokens of an operation, session of ten`,
      average(totalTokens),
      "",
      most.tokens,
    ),
    atMost(
      `written.${door}`,
      "… as models write programs, 1.66 × as long",
      average(asModelsWrite),
      "",
      MOST_AS_MODELS_WRITE,
    ),
    atMost(
      `alone.${door}`,
      "… session of one",
      average(({ tokens }) => tokens.single),
      "",
      most.alone,
    ),
    atMost(`floor.sum.${door}`, "… times the floor, all together", floor.sum, "×", most.sum),
    atMost(`floor.median.${door}`, "… times the floor, median", floor.median, "×", most.median),
  ];
}

function callTargets(played: readonly Played[], door: Door, mode: Mode): Target[] {
  const reads = [...getPlays(played, mode).values()].filter(({ kind }) => READS.includes(kind));
  if (reads.length === 0) return [];
  const calls = reads.map((play) => play.calls);
  const row = (id: string, name: string, share: number, most: number): Target => {
    const value = percentile(calls, share);
    const unit = value === 1 ? "call" : "calls";
    return {
      id: `calls.${door}.${id}`,
      name,
      value,
      unit,
      target: `≤ ${most}`,
      met: value <= most,
    };
  };
  return [
    row("median", `by ${DOORS[door]}: tool calls of ${reads.length} reads, median`, 0.5, 1),
    row("p95", "… 95th percentile", 0.95, 2),
  ];
}

/** The largest start text of a session with questions about code, of all skills. */
function codeStart(played: readonly Played[], door: Door): Target[] {
  const asked = played.filter(
    ({ kind, mode, variant }) => kind === "code" && mode.startsWith(door) && variant === "plain",
  );
  if (asked.length === 0) return [];
  const start = Math.max(...asked.map(({ tokens }) => tokens.definitions));
  const name = `by ${DOORS[door]}: tokens at the start of a session of code questions`;
  return [atMost(`code.start.${door}`, name, start, "", MOST_AT_CODE_START)];
}

function truths(played: readonly Played[], door: Door): Target[] {
  const ours = played.filter(({ mode }) => mode.startsWith(door));
  const plain = ours.filter(({ variant }) => variant === "plain");
  const passed = plain.filter((play) => play.passed).length;
  const doubled = ours.filter(wasDoubled).length;
  return [
    {
      id: `pass.${door}`,
      name: `by ${DOORS[door]}: scenarios that pass, of ${plain.length} with both skills`,
      value: plain.length === 0 ? 0 : Math.floor((passed / plain.length) * 1_000) / 10,
      unit: "%",
      target: "100 %",
      met: passed === plain.length,
    },
    {
      id: `doubled.${door}`,
      name: `by ${DOORS[door]}: writes applied twice, in ${ours.length} plays with and without trouble`,
      value: doubled,
      unit: "",
      target: "0",
      met: doubled === 0,
    },
  ];
}

/** The targets for each way to call, with the better skill. */
export function reportTargets(all: readonly Played[], door: Door): Target[] {
  // Tasks over many items have their own tables.
  const played = all.filter(({ kind }) => kind !== "bulk");
  const mode = betterForm(played, door);
  if (mode === undefined) return [];
  return [
    ...savings(played, door, mode),
    ...sizes(played, door, mode),
    ...callTargets(played, door, mode),
    ...codeStart(played, door),
    ...truths(played, door),
  ];
}

export function getDoors(played: readonly Played[]): (readonly [Door, string, Mode])[] {
  return (["mcp", "command"] as const).flatMap((door) => {
    const mode = betterForm(played, door);
    return mode === undefined ? [] : [[door, DOORS[door], mode] as const];
  });
}
