import type { Row } from "../../lib/report.mjs";
import { WAYBILL_MODES, compareModes, percentile, playsOf, sum } from "../figures/index.ts";
import { wasDoubled } from "../figures/doubled.ts";
import type { AnyPlayed } from "../figures/index.ts";
import type { Kind, Mode, Played } from "../types.ts";

/** A figure that was agreed on before measuring; its id is what an explanation is found by. */
export interface Target extends Row {
  readonly id: string;
}

export const DOORS = { mcp: "MCP", command: "command" } as const;
export type Door = keyof typeof DOORS;

/** At least this share of a rival's tokens is to be saved. */
export const RIVALS = [
  ["gh-help", "`gh` with help", 0.9],
  ["graphql", "GraphQL by types", 0.9],
  ["graphql-fields", "GraphQL by fields", 0.9],
  ["github-mcp", "GitHub's MCP server", 0.8],
] as const;

export const READS: readonly Kind[] = ["read", "list", "code"];

function totalOf(played: readonly Played[], mode: Mode): number {
  return sum([...playsOf(played, mode).values()].map(({ tokens }) => tokens.total));
}

/** The better of the two forms of the skill behind a door, by all tokens together. */
export function betterForm(played: readonly Played[], door: Door): Mode | undefined {
  const forms = WAYBILL_MODES.filter((mode) => mode.startsWith(door));
  const present = forms.filter((mode) => playsOf(played, mode).size > 0);
  return present.toSorted((a, b) => totalOf(played, a) - totalOf(played, b))[0];
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
        // Never rounded up to a target.
        value: Math.floor(pair.saved * 1_000) / 10,
        unit: "%",
        target: `≥ ${percent} %`,
        met: pair.saved >= least,
      },
    ];
  });
}

export function severalSteps(play: AnyPlayed): boolean {
  return play.steps > 1;
}

function beatsKnown(played: readonly Played[], door: Door, mode: Mode): Target[] {
  const pair = compareModes(played, mode, "gh-known", { where: severalSteps });
  if (pair === undefined) return [];
  const behind = pair.behind.length;
  const target = {
    id: `steps.${door}.gh-known`,
    name: `by ${DOORS[door]}: of ${pair.scenarios} scenarios with several steps, more tokens than \`gh\` without help`,
    value: behind,
    unit: behind === 1 ? "scenario" : "scenarios",
    target: "0",
    met: behind === 0,
  };
  return [target];
}

function callTargets(played: readonly Played[], door: Door, mode: Mode): Target[] {
  const reads = [...playsOf(played, mode).values()].filter(({ kind }) => READS.includes(kind));
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

/** The promised figures for each door, with the better form of the skill. */
export function targetsOf(played: readonly Played[], door: Door): Target[] {
  const mode = betterForm(played, door);
  if (mode === undefined) return [];
  return [
    ...savings(played, door, mode),
    ...beatsKnown(played, door, mode),
    ...callTargets(played, door, mode),
    ...truths(played, door),
  ];
}

export function doorsOf(played: readonly Played[]): (readonly [Door, string, Mode])[] {
  return (["mcp", "command"] as const).flatMap((door) => {
    const mode = betterForm(played, door);
    return mode === undefined ? [] : [[door, DOORS[door], mode] as const];
  });
}
