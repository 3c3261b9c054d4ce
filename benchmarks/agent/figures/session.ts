/** How many operations share a session, with its start text and lookups. */
export const SESSION = 10;

/** A short session, in which the start text counts more. */
export const SHORT_SESSION = 3;

/** The number of ways to choose some of a set. */
function choices(of: number, some: number): number {
  if (some > of) return 0;
  let ways = 1;
  for (let index = 0; index < some; index += 1) ways = (ways * (of - index)) / (index + 1);
  return ways;
}

/**
 * The share of a text that one operation pays when a session reads the text once: one divided by
 * the number of operations in the session that need it. A session is drawn at random from all
 * `scenarios`, and `others` of them need the text too. This is the expected share, so the shares of
 * a session add up to one reading on average.
 */
export function getShare(others: number, scenarios: number, session = SESSION): number {
  const drawn = Math.min(session, scenarios) - 1;
  const without = scenarios - 1 - others;
  const terms = Array.from(
    { length: drawn + 1 },
    (_, met) => (choices(others, met) * choices(without, drawn - met)) / (met + 1),
  );
  return terms.reduce((sum, term) => sum + term, 0) / choices(scenarios - 1, drawn);
}
