import type { Io } from "../io.ts";

/** Waits that are shorter than this print nothing. */
const QUIET_MS = 300;
const ERASE_LINE = "\r\u001B[K";

/** One line on stderr that is overwritten and removed at the end. */
export class ProgressLine {
  readonly #io: Io;
  #nextAt = Date.now() + QUIET_MS;
  #isShown = false;

  constructor(io: Io) {
    this.#io = io;
  }

  show(text: string): void {
    if (Reflect.get(this.#io.stderr, "isTTY") !== true || Date.now() < this.#nextAt) return;
    this.#nextAt = Date.now() + QUIET_MS;
    this.#isShown = true;
    this.#io.stderr.write(`${ERASE_LINE}${text}`);
  }

  clear(): void {
    if (this.#isShown) this.#io.stderr.write(ERASE_LINE);
    this.#isShown = false;
  }
}
