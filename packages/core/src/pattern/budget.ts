/** About half a second of work, in nanoseconds as they are estimated. */
const MAX_EFFORT = 500_000_000;

export const TOO_LARGE_FOR_PATTERNS = "is too large to be checked against its patterns";

/** Thrown where checking a value against its patterns would take too long. */
export class PatternBudgetError extends Error {
  constructor() {
    super(TOO_LARGE_FOR_PATTERNS);
  }
}

let left = MAX_EFFORT;

/** Called before each check. A check is synchronous, so one budget serves all of them. */
export function renewPatternBudget(): void {
  left = MAX_EFFORT;
}

export function spendPatternBudget(nanoseconds: number): void {
  left -= nanoseconds;
  if (left < 0) throw new PatternBudgetError();
}
