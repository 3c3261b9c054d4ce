import type { Scenario, Step } from "../types.ts";

/** The wrong call of a scenario, with the same selection as the right one. */
export function getGuess({ guess, steps: [first] }: Scenario): Step | undefined {
  return guess && { ...(first?.select && { select: first.select }), ...guess };
}
