/** The time limit of a program. A program that exceeds it is reported as stuck. */
export const DEADLINE_MS = 120_000;

export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} did not end within ${ms / 1_000} s`);
    this.name = "DeadlineError";
  }
}
