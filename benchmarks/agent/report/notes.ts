import { MODE_NAMES } from "../figures/index.ts";
import type { AnyPlayed } from "../figures/index.ts";
import type { Absent } from "../types.ts";
import { cellText } from "./tables.ts";
import type { Target } from "./targets.ts";

const MAX_FAILURES = 40;

/** Every missed target, with its reason if known. */
export function missedLines(
  targets: readonly Target[],
  why: Readonly<Record<string, string>>,
): string[] {
  return targets
    .filter(({ met }) => met === false)
    .map(({ id, name }) => `- \`${id}\`, ${name}: ${why[id] ?? "the reason is not known yet"}`);
}

/** The failed plays of all modes. */
export function failureLines(played: readonly AnyPlayed[]): string[] {
  const lines = played
    .filter(({ passed }) => !passed)
    .map(({ scenario, mode, variant, reason }) => {
      const trouble = variant === "plain" ? "" : ` (${variant})`;
      return `- ${mode}, ${cellText(scenario)}${trouble}: ${cellText(reason ?? "no reason given")}`;
    })
    .toSorted();
  const left = lines.length - MAX_FAILURES;
  return left > 0 ? [...lines.slice(0, MAX_FAILURES), `- and ${left} more`] : lines;
}

/** The tasks that a mode cannot do, one line for each reason. */
export function absentLines(absent: readonly Absent[]): string[] {
  const groups = new Map<string, Set<string>>();
  for (const { mode, why, scenario } of absent) {
    const line = `${MODE_NAMES[mode]}: ${cellText(why)}`;
    groups.set(line, (groups.get(line) ?? new Set()).add(cellText(scenario)));
  }
  return [...groups].map(([line, ids]) => `- ${line} (${[...ids].toSorted().join(", ")})`);
}
