/**
 * Searches for the largest limit whose result fits. It first guesses in proportion to the size,
 * which is usually right, and then halves the range.
 */
export class Narrowing {
  #fits = 0;
  #over = Infinity;

  /** Whether more attempts would change almost nothing. */
  get isDone(): boolean {
    return this.#over - this.#fits <= Math.max(2, this.#fits / 50);
  }

  /**
   * The next limit to try. `cost` is the size that the last limit, `allowance`, led to, and
   * `budget` is the size that is allowed.
   */
  next(allowance: number, cost: number, budget: number, guess: number): number {
    if (cost <= budget) this.#fits = Math.max(this.#fits, allowance);
    else this.#over = Math.min(this.#over, allowance);
    const isInside = guess > this.#fits && guess < this.#over;
    if (isInside) return guess;
    return Number.isFinite(this.#over) ? (this.#fits + this.#over) / 2 : this.#fits * 2 + 1;
  }
}
