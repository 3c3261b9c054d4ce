interface Candidate {
  readonly number: number;
  readonly score: number;
}

/**
 * Keeps the best results without sorting all of them. Results with the same score are ordered by
 * id.
 */
export class TopHits {
  readonly #kept: Candidate[] = [];
  readonly #limit: number;
  readonly #idOf: (number: number) => string;

  constructor(limit: number, idOf: (number: number) => string) {
    this.#limit = Math.max(0, limit);
    this.#idOf = idOf;
  }

  /** The lowest score that is kept. */
  get least(): number {
    return this.#kept.length < this.#limit ? 0 : (this.#kept.at(-1)?.score ?? Infinity);
  }

  offer(number: number, score: number): void {
    const last = this.#kept.at(-1);
    const isFull = this.#kept.length >= this.#limit;
    if (isFull && (last === undefined || !this.#isBetter({ number, score }, last))) return;
    if (isFull) this.#kept.pop();
    this.#insert({ number, score });
  }

  ranked(): readonly Candidate[] {
    return this.#kept;
  }

  #isBetter(a: Candidate, b: Candidate): boolean {
    if (a.score !== b.score) return a.score > b.score;
    return this.#idOf(a.number) < this.#idOf(b.number);
  }

  #insert(candidate: Candidate): void {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBetter(candidate, this.#kept[middle]!)) high = middle;
      else low = middle + 1;
    }
    this.#kept.splice(low, 0, candidate);
  }
}
