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
 * The number of tokens for each large result. Small results get what they need, and the others
 * share the rest equally.
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
 * Limits the results of a chain to a number of tokens, but each step keeps at least the minimum.
 * The steps have already used each other's full data. The store keeps the removed data.
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
