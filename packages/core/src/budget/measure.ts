import { Costs } from "./costs.ts";
import { estimateTokens, tokenCost } from "./tokens.ts";

/** The sum of the costs of the parts is at most this many times the cost of the whole. */
const MAX_OVERPRICE = 4;

/** Longer strings are counted by samples, because a full count would block the process. */
const LONG_TEXT = 262_144;
const SAMPLES = 32;
const SAMPLE = 4_096;

/** The tokens of some data as JSON. */
export function measure(data: unknown): number {
  return estimateTokens(JSON.stringify(data) ?? "null");
}

/** Data with a higher cost surely does not fit into this number of tokens. */
export function mayFit(tokens: number): number {
  return tokens * MAX_OVERPRICE;
}

/**
 * The tokens of some data as JSON, or Infinity if they exceed the limit. Data far above the limit
 * is read only as far as needed to know that.
 */
export function measureWithin(
  data: unknown,
  limit: number,
  costs: Costs = new Costs(mayFit(limit)),
): number {
  if (costs.of(data) > mayFit(limit)) return Infinity;
  const tokens = measure(data);
  return tokens > limit ? Infinity : tokens;
}

/** A rough token count of a text, in constant time. */
export function roughTokens(text: string): number {
  if (text.length <= LONG_TEXT) return estimateTokens(text);
  const step = (text.length - SAMPLE) / (SAMPLES - 1);
  let cost = 0;
  for (let index = 0; index < SAMPLES; index++) {
    const start = Math.floor(index * step);
    cost += tokenCost(text.slice(start, start + SAMPLE));
  }
  return Math.ceil((cost / (SAMPLES * SAMPLE)) * text.length);
}
