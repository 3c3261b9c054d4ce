import { Costs } from "./costs.ts";
import { Cutter } from "./cutter.ts";
import type { Cut } from "./cutter.ts";
import { mayFit, measure, measureWithin } from "./measure.ts";
import { Narrowing } from "./narrowing.ts";
import { parsePath } from "./path.ts";

/** The result of cutting a value to a number of tokens. */
export interface Fitted {
  /** The value, cut to the limit. */
  readonly data: unknown;
  /** Whether something was removed. */
  readonly truncated: boolean;
  /** Where data was removed. Outer positions come before inner ones. */
  readonly cuts: readonly Cut[];
}

export interface FitOptions {
  /**
   * Paths of strings and lists whose end is more important, besides `log`, `output` and similar
   * names.
   */
  readonly tail?: readonly string[];
}

const MAX_ROUNDS = 14;
const WELL_FILLED = 0.95;
const AIM = 0.98;
/** The empty value of the same type, used if there is no room for any data. */
function emptyForm(data: unknown): Fitted {
  const cutter = new Cutter(new Costs(1), []);
  return { data: cutter.cut(data, 0), truncated: true, cuts: cutter.cuts };
}

/**
 * The estimate for each part is a little too high, so the limit is adjusted by the real size of
 * the result. Only the shown data is measured for this.
 */
function cutToFit(data: unknown, budget: number, costs: Costs, tails: string[][]): Fitted {
  let best: Fitted | undefined;
  let bestCost = 0;
  const narrowing = new Narrowing();
  let allowance = budget;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const cutter = new Cutter(costs, tails);
    const part = cutter.cut(data, allowance);
    const cost = measure(part);
    if (cost <= budget && cost > bestCost) {
      best = { data: part, truncated: true, cuts: cutter.cuts };
      bestCost = cost;
    }
    if (cost <= budget && cost >= budget * WELL_FILLED) break;
    const guess = allowance * Math.min(2, (budget * AIM) / cost);
    allowance = narrowing.next(allowance, cost, budget, guess);
    if (narrowing.isDone) break;
  }
  return best ?? emptyForm(data);
}

/**
 * Cuts data to a number of tokens. Lists end at an item; strings keep their beginning, logs their
 * end.
 */
export function fitTokens(data: unknown, budget: number, options: FitOptions = {}): Fitted {
  const costs = new Costs(mayFit(budget));
  if (measureWithin(data, budget, costs) <= budget) {
    return { data, truncated: false, cuts: [] };
  }
  return cutToFit(data, budget, costs, (options.tail ?? []).map(parsePath));
}
