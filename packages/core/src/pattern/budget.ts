/** About half a second of work, in estimated nanoseconds. */
const MAX_EFFORT = 500_000_000;

export const TOO_LARGE_TO_CHECK = "is too large to be checked";

/** Thrown if checking a value would take too long. */
export class CheckBudgetError extends Error {
  constructor() {
    super(TOO_LARGE_TO_CHECK);
  }
}

let left = MAX_EFFORT;

/** Called before each check. A check is synchronous, so one budget serves all of them. */
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
