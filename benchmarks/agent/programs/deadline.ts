/** No program of a play takes this long; one that does is stuck, and says so instead of hanging a run. */
export const DEADLINE_MS = 120_000;

export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} did not end within ${ms / 1_000} s`);
    this.name = "DeadlineError";
  }
}
