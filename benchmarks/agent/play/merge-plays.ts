import { modes, variants } from "../types.ts";
import type { Absent, Played, Scenario, Trajectory } from "../types.ts";
import type { Plays } from "./play-all.ts";

interface Place {
  readonly scenario: string;
  readonly mode: string;
}

type Pair = readonly [Played, Trajectory];

function key({ scenario, mode }: Place): string {
  return `${mode} ${scenario}`;
}

function pairs({ played, trajectories }: Plays): Pair[] {
  return played.map((play, index) => [play, trajectories[index]!] as const);
}

/** Replaces recorded plays by new ones. */
export function mergePlays(
  recorded: Plays,
  again: Plays,
  scenarios: readonly Scenario[],
): Omit<Plays, "played"> & { readonly played: Played[] } {
  const replaced = new Set([...again.played, ...again.absent].map(key));
  const isKept = (place: Place): boolean => !replaced.has(key(place));
  const order = new Map(scenarios.map(({ id }, index) => [id, index]));
  // The order of a whole run, so that playing a part again changes nothing else in the records.
  const rank = ({ scenario, mode, variant }: Played | Absent): number =>
    ((order.get(scenario) ?? 0) * variants.length + variants.indexOf(variant)) * modes.length +
    modes.indexOf(mode);
  const all = [...pairs(recorded).filter(([play]) => isKept(play)), ...pairs(again)].toSorted(
    ([a], [b]) => rank(a) - rank(b),
  );
  const absent = [...recorded.absent.filter(isKept), ...again.absent];
  return {
    played: all.map(([play]) => play),
    trajectories: all.map(([, trajectory]) => trajectory),
    absent: absent.toSorted((a, b) => rank(a) - rank(b)),
  };
}
