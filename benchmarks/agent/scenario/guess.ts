import type { Scenario, Step } from "../types.ts";

/** The wrong call of a scenario: it asks for the same of an answer as the right one. */
export function getGuess({ guess, steps: [first] }: Scenario): Step | undefined {
  return guess && { ...(first?.select && { select: first.select }), ...guess };
}
