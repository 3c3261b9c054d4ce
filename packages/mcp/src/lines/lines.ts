/** How many bytes at both ends of a line that is too long are kept. */
const END_BYTES = 512;
const NEWLINE = 10;

export interface LineListener {
  onLine(line: string): void;
  /** Called for a line that was too long, with its two ends. */
  onTooLong(head: string, tail: string): void;
}

/** Splits a stream of bytes into lines. It never keeps more of a line than allowed. */
export class Lines {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  #chunks: Buffer[] = [];
  #size = 0;
  /** The first bytes of a line that is being skipped. */
  #head: Buffer | undefined;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  write(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      if (end < 0) break;
      this.#take(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
  }

  /** Text after the last newline is also a line. */
  end(): void {
    if (this.#size > 0) this.#endLine();
  }

  #take(part: Buffer): void {
    this.#chunks.push(part);
    this.#size += part.length;
    if (this.#size <= this.#maxBytes && this.#head === undefined) return;
    const joined = Buffer.concat(this.#chunks);
    this.#head ??= Buffer.from(joined.subarray(0, END_BYTES));
    this.#chunks = [Buffer.from(joined.subarray(-END_BYTES))];
  }

  #endLine(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const head = this.#head;
    this.#chunks = [];
    this.#size = 0;
    this.#head = undefined;
    const text = bytes.toString("utf8");
    if (head === undefined) this.#listener.onLine(text);
    else this.#listener.onTooLong(head.toString("utf8"), text);
  }
}
