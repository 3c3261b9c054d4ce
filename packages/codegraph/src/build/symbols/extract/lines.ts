/** Lines and columns of a text, 1-based. Positions are mostly asked in order, so it remembers. */
export class Lines {
  readonly #starts: number[] = [0];
  #last = 0;

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  line(offset: number): number {
    const starts = this.#starts;
    if (starts[this.#last]! > offset) this.#last = this.#search(offset);
    while (this.#last + 1 < starts.length && starts[this.#last + 1]! <= offset) this.#last += 1;
    return this.#last + 1;
  }

  /** Of the offset whose line was asked last. */
  column(offset: number): number {
    return offset - this.#starts[this.#last]! + 1;
  }

  #search(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
