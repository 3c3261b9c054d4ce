/** The last few thousand of something, to know one again that comes twice. */
export class Recent {
  readonly #limit: number;
  #young = new Set<string>();
  #old = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False when it was there already. */
  add(item: string): boolean {
    if (this.#young.has(item) || this.#old.has(item)) return false;
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(item);
    return true;
  }
}
