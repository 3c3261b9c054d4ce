/** The end of a text that may be endless; a program says last why it failed. */
export class TextTail {
  readonly #limit: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(chunk: Buffer): void {
    const joined = Buffer.concat([this.#bytes, chunk]);
    this.#bytes = joined.subarray(Math.max(0, joined.length - this.#limit));
  }

  get lastLine(): string | undefined {
    const lines = this.#bytes.toString("utf8").split("\n");
    return lines.findLast((line) => line.trim() !== "")?.trim();
  }
}
