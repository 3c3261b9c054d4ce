import { SPACE, SPACES, START, UNITS_PER_TOKEN, createAutomaton, learnStep } from "./automaton.ts";
import type { Automaton } from "./automaton.ts";

/** The smallest budget that holds an envelope and something in it. */
export const MIN_TOKENS = 200;

/** The figures are averages, so a text may take some more than they say, and a short one a few. */
const MARGIN = 1.06;
const SPREAD = 4;

let automaton: Automaton | undefined;

/** The estimate without the allowance for short texts, to be added up over the parts of a text. */
export function tokenCost(text: string): number {
  automaton ??= createAutomaton();
  const { classes, steps } = automaton;
  let units = 0;
  let state = START;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const step = steps[(state << 7) | classes[code]!]! || learnStep(automaton, state, code);
    units += step >>> 8;
    state = (step >> 1) & 127;
  }
  // Spaces are counted with what follows them; here nothing does.
  if (state === SPACE || state === SPACES) units += UNITS_PER_TOKEN;
  return (units * MARGIN) / UNITS_PER_TOKEN;
}

/**
 * How many tokens a model reads in a text, by the o200k encoding. Meant never to be too low, for
 * text and code as for identifiers and noise, and mostly within a fifth above.
 */
export function estimateTokens(text: string): number {
  return text === "" ? 0 : Math.ceil(tokenCost(text)) + SPREAD;
}
