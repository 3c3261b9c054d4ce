/** Keeps the end of a text of any length, because programs print errors last. */
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
