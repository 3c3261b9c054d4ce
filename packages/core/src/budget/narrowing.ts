/**
 * Searches for the largest limit whose result fits. A proportional guess is mostly right at once;
 * otherwise halving the range always ends.
 */
export class Narrowing {
  #fits = 0;
  #over = Infinity;

  /** Whether more attempts would change almost nothing. */
  get isDone(): boolean {
    return this.#over - this.#fits <= Math.max(2, this.#fits / 50);
  }

  /** The next limit to try, after `allowance` had a cost of `cost` with a budget of `budget`. */
  next(allowance: number, cost: number, budget: number, guess: number): number {
    if (cost <= budget) this.#fits = Math.max(this.#fits, allowance);
    else this.#over = Math.min(this.#over, allowance);
    const isInside = guess > this.#fits && guess < this.#over;
    if (isInside) return guess;
    return Number.isFinite(this.#over) ? (this.#fits + this.#over) / 2 : this.#fits * 2 + 1;
  }
}
