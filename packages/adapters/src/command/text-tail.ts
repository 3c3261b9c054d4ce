/** The end of a text that may be endless; errors are at the end of what a program says. */
export class TextTail {
  readonly #limit: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(chunk: Uint8Array): void {
    const joined = Buffer.concat([this.#bytes, chunk]);
    this.#bytes = joined.subarray(Math.max(0, joined.length - this.#limit));
  }

  toString(): string {
    return this.#bytes.toString("utf8");
  }
}
