import type { Variant } from "../types.ts";
import { wasDoubled } from "./doubled.ts";
import { getPlays } from "./select.ts";
import type { AnyPlayed } from "./select.ts";
import { mean } from "./statistics.ts";

/** The average extra cost of a fault or a wrong guess in a mode, compared with the plain scenarios. */
export interface Recovery {
  readonly scenarios: number;
  readonly recovered: number;
  readonly tokens: number;
  readonly calls: number;
  /** Plays in which more writes were applied than the task asks for. */
  readonly doubled: number;
}

/** Undefined if a mode has no play with such a fault or guess. */
export function getRecovery(
  played: readonly AnyPlayed[],
  mode: string,
  variant: Exclude<Variant, "plain">,
): Recovery | undefined {
  const plain = getPlays(played, mode);
  const pairs = [...getPlays(played, mode, variant).values()].flatMap((play) => {
    const before = plain.get(play.scenario);
    return before === undefined ? [] : [{ play, before }];
  });
  if (pairs.length === 0) return undefined;
  return {
    scenarios: pairs.length,
    recovered: pairs.filter(({ play }) => play.passed).length,
    tokens: mean(pairs.map(({ play, before }) => play.tokens.total - before.tokens.total)),
    calls: mean(pairs.map(({ play, before }) => play.calls - before.calls)),
    doubled: pairs.filter(({ play }) => wasDoubled(play)).length,
  };
}
