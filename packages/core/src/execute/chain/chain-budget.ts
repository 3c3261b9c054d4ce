import {
  MIN_TOKENS,
  applyBudget,
  loadTokenList,
  measure,
  measureWithin,
} from "../../budget/index.ts";
import type { HandleStore } from "../../budget/index.ts";
import type { ChainResult } from "./chain-result.ts";

/**
 * The token share of each result: small ones get what they need, the others equal parts of the
 * rest.
 */
function getShares(sizes: readonly number[], budget: number): number {
  let left = budget;
  let share = budget;
  [...sizes]
    .toSorted((a, b) => a - b)
    .forEach((size, index) => {
      share = left / (sizes.length - index);
      left -= Math.min(size, share);
    });
  return Math.max(MIN_TOKENS, Math.floor(share));
}

/**
 * A chain's results within a number of tokens, as far as every step can have the least there is. The
 * steps have seen each other's full data by now; what is cut here is kept in the store.
 */
export async function fitChain(
  chain: ChainResult,
  maxTokens: number | undefined,
  store: HandleStore | undefined,
): Promise<ChainResult> {
  if (maxTokens === undefined) return chain;
  await loadTokenList();
  if (measureWithin(chain, maxTokens) <= maxTokens) return chain;
  const sizes = chain.results.map((result) => measureWithin(result, maxTokens));
  const frame = measure({ ...chain, results: [] });
  const share = getShares(sizes, maxTokens - frame);
  const results = await Promise.all(
    chain.results.map(async (result, index) =>
      sizes[index]! <= share ? result : applyBudget(result, share, { store }),
    ),
  );
  return { ...chain, results };
}
