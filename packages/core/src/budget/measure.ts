import { Costs } from "./costs.ts";
import { estimateTokens, tokenCost } from "./tokens.ts";

/**
 * The sum of the token counts of all parts is at most this many times the token count of the
 * whole.
 */
const MAX_OVERPRICE = 4;

/**
 * The tokens of strings longer than this are estimated from samples, because a full count would
 * block the process.
 */
const LONG_TEXT = 262_144;
const SAMPLES = 32;
const SAMPLE = 4_096;

/** Counts the tokens of some data as JSON. */
export function measure(data: unknown): number {
  return estimateTokens(JSON.stringify(data) ?? "null");
}

/** The highest estimate with which data may still fit into this number of tokens. */
export function mayFit(tokens: number): number {
  return tokens * MAX_OVERPRICE;
}

/**
 * Counts the tokens of some data as JSON, or returns Infinity if they exceed the limit. Counting
 * stops when data is clearly above the limit.
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
