import { getPlays } from "./select.ts";
import type { AnyPlayed } from "./select.ts";
import { percentile, sum } from "./statistics.ts";

/** A comparison of two modes, over the scenarios that both can play. */
export interface Comparison {
  readonly scenarios: number;
  readonly ours: number;
  readonly theirs: number;
  /** The saved share of the rival's tokens; negative if our mode needs more. */
  readonly saved: number;
  /** The median of the saved share over scenarios. */
  readonly savedMedian: number;
  /** The saved share without the rival's most expensive scenario. */
  readonly savedBesideLargest: number;
  /** Scenarios in which our mode needs as many tokens or more. */
  readonly behind: readonly string[];
}

export interface CompareOptions {
  /** Selects the scenarios that count (default: all). */
  readonly where?: (play: AnyPlayed) => boolean;
  /** Which token count to compare (default: the share of a session). */
  readonly by?: "total" | "anew";
}

function saving(ours: number, theirs: number): number {
  return theirs === 0 ? 0 : 1 - ours / theirs;
}

interface Pair {
  readonly id: string;
  readonly ours: number;
  readonly theirs: number;
}

function totals(pairs: readonly Pair[]): [ours: number, theirs: number] {
  return [sum(pairs.map(({ ours }) => ours)), sum(pairs.map(({ theirs }) => theirs))];
}

/** Undefined if the two modes have no scenario in common. */
export function compareModes(
  played: readonly AnyPlayed[],
  ours: string,
  theirs: string,
  { where = () => true, by = "total" }: CompareOptions = {},
): Comparison | undefined {
  const rival = getPlays(played, theirs);
  const pairs = [...getPlays(played, ours).values()].filter(where).flatMap((play): Pair[] => {
    const other = rival.get(play.scenario);
    if (other === undefined) return [];
    return [{ id: play.scenario, ours: play.tokens[by], theirs: other.tokens[by] }];
  });
  if (pairs.length === 0) return undefined;
  const [own, other] = totals(pairs);
  const [, ...others] = pairs.toSorted((a, b) => b.theirs - a.theirs);
  return {
    scenarios: pairs.length,
    ours: own,
    theirs: other,
    saved: saving(own, other),
    savedBesideLargest: saving(...totals(others)),
    savedMedian: percentile(
      pairs.map((pair) => saving(pair.ours, pair.theirs)),
      0.5,
    ),
    behind: pairs.filter((pair) => pair.ours >= pair.theirs).map(({ id }) => id),
  };
}
