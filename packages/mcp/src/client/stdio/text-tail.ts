const NAMES_ERROR = /^\s*(?:\w*(?:error|exception)\w*(?:\s\[\w+\])?|fatal|panic):\s*\S/iu;

/** Keeps the end of a text of any length, because programs print their error last. */
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

  /**
   * The last line that names an error, because runtimes print more lines after it. If there is
   * none, the last line.
   */
  get lastLine(): string | undefined {
    const lines = this.#bytes.toString("utf8").split("\n");
    const line =
      lines.findLast((each) => NAMES_ERROR.test(each)) ??
      lines.findLast((each) => each.trim() !== "");
    return line?.trim();
  }
}
