import { appendFile, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ensurePrivateFolder } from "./files/index.ts";

export interface LineFileOptions {
  readonly path: string;
  /**
   * If the file is larger than this, it is renamed to `<path>.1` and replaces the earlier one
   * (default: the file only grows).
   */
  readonly maxBytes?: number;
  /**
   * Called when the file cannot be written, and with `undefined` once it can again (default: none).
   */
  readonly onProblem?: (problem: string | undefined) => void;
  /**
   * How many lines may wait while the disk is slow or fails (default: 1000). Lines above that are
   * counted and dropped.
   */
  readonly maxWaiting?: number;
}

const MAX_WAITING = 1_000;

/**
 * Appends lines to a file, in order. The file is opened for each batch, so that another program
 * may move it at any time. Nothing throws. Lines that cannot be written wait for the next batch.
 */
export class LineFile {
  readonly #options: LineFileOptions;
  readonly #maxWaiting: number;
  #waiting: string[] = [];
  #dropped = 0;
  #writing: Promise<void> | undefined;
  #problem: string | undefined;

  constructor(options: LineFileOptions) {
    this.#options = options;
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING;
  }

  /** Why the last lines are not in the file. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** How many lines wait to be written, without those of the current batch. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Adds a line, or drops it if `limit` lines are already waiting. */
  add(line: string, limit: number = this.#maxWaiting): void {
    if (this.#waiting.length >= limit) this.#dropped += 1;
    else this.#waiting.push(line);
    this.#writing ??= this.#write();
  }

  /** Waits until everything added so far is written, or cannot be written. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #write(): Promise<void> {
    do {
      const lines = this.#waiting;
      const dropped = this.#dropped;
      [this.#waiting, this.#dropped] = [[], 0];
      const told = dropped > 0 ? [JSON.stringify({ lines_dropped: dropped })] : [];
      try {
        await this.#append(`${[...lines, ...told].join("\n")}\n`);
        this.#tell(undefined);
      } catch (error) {
        this.#keep(lines, dropped);
        this.#tell(error instanceof Error ? error.message : String(error));
        break;
      }
    } while (this.#waiting.length > 0);
    this.#writing = undefined;
  }

  #keep(lines: readonly string[], dropped: number): void {
    const all = [...lines, ...this.#waiting];
    this.#waiting = all.slice(0, this.#maxWaiting);
    this.#dropped += dropped + all.length - this.#waiting.length;
  }

  #tell(problem: string | undefined): void {
    const isNews = (problem === undefined) !== (this.#problem === undefined);
    this.#problem = problem;
    if (isNews) this.#options.onProblem?.(problem);
  }

  async #append(text: string): Promise<void> {
    const { path, maxBytes = Infinity } = this.#options;
    await ensurePrivateFolder(dirname(path));
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    const isFull = size > 0 && size + Buffer.byteLength(text) > maxBytes;
    if (isFull) await rename(path, `${path}.1`);
    // Starts with a new line, because a batch that failed may have left a partial line.
    const whole = this.#problem !== undefined && size > 0 ? `\n${text}` : text;
    await appendFile(path, whole, { mode: 0o600 });
  }
}
