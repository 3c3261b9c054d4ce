/** The maximum work for checking one value: about half a second, in estimated nanoseconds. */
const MAX_EFFORT = 500_000_000;

export const TOO_LARGE_TO_CHECK = "is too large to be checked";

/** Thrown if checking a value would take too long. */
export class CheckBudgetError extends Error {
  constructor() {
    super(TOO_LARGE_TO_CHECK);
  }
}

let left = MAX_EFFORT;

/** Resets the budget before each check. Checks are synchronous, so they can share one budget. */
export function renewCheckBudget(): void {
  left = MAX_EFFORT;
}

export function spendCheckBudget(nanoseconds: number): void {
  left -= nanoseconds;
  if (left < 0) throw new CheckBudgetError();
}

export function isCheckBudgetSpent(): boolean {
  return left < 0;
}
