/**
 * Looks for the largest allowance whose outcome fits. A guess in proportion is mostly right at
 * once; where it is not, halving what is left always ends.
 */
export class Narrowing {
  #fits = 0;
  #over = Infinity;

  /** Whether trying on would change next to nothing. */
  get isDone(): boolean {
    return this.#over - this.#fits <= Math.max(2, this.#fits / 50);
  }

  /** The next allowance to try, after `allowance` took `cost` of `budget`. */
  next(allowance: number, cost: number, budget: number, guess: number): number {
    if (cost <= budget) this.#fits = Math.max(this.#fits, allowance);
    else this.#over = Math.min(this.#over, allowance);
    const isInside = guess > this.#fits && guess < this.#over;
    if (isInside) return guess;
    return Number.isFinite(this.#over) ? (this.#fits + this.#over) / 2 : this.#fits * 2 + 1;
  }
}
