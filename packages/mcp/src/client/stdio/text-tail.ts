const NAMES_ERROR = /^\s*(?:\w*(?:error|exception)\w*(?:\s\[\w+\])?|fatal|panic):\s*\S/iu;

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

  /** The last line that names an error, which runtimes print more after; or else the last. */
  get lastLine(): string | undefined {
    const lines = this.#bytes.toString("utf8").split("\n");
    const line =
      lines.findLast((each) => NAMES_ERROR.test(each)) ??
      lines.findLast((each) => each.trim() !== "");
    return line?.trim();
  }
}
