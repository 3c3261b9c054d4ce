import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { Spool } from "./spool.ts";

/** The part of a program's output that is not in memory. Close it after reading. */
export interface OutputRest {
  /** The size of the whole output in bytes. */
  readonly size: number;
  /** At most `length` bytes from `offset`, counted from the beginning of the whole output. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface OutputLimits {
  /** Output beyond this size is written to disk. */
  readonly maxOutputBytes: number;
  /** Output beyond this size is refused. */
  readonly hardLimitBytes: number;
}

/** Collects output: the beginning in memory, the rest on disk, up to a hard limit. */
export class Output {
  readonly #limits: OutputLimits;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #spool: Spool | undefined;

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  /** Adds a chunk. Returns an error if the output is too large or cannot be stored. */
  async write(chunk: Uint8Array): Promise<CallError | undefined> {
    const room = Math.max(0, this.#limits.maxOutputBytes - this.#kept);
    const kept = chunk.subarray(0, room);
    if (kept.length > 0) this.#chunks.push(kept);
    this.#kept += kept.length;
    return chunk.length > room ? this.#spill(chunk.subarray(room)) : undefined;
  }

  async #spill(bytes: Uint8Array): Promise<CallError | undefined> {
    const { hardLimitBytes } = this.#limits;
    if (this.#kept + (this.#spool?.size ?? 0) + bytes.length > hardLimitBytes) {
      return tooLarge(`The program printed more than ${hardLimitBytes} bytes. Request less data`);
    }
    try {
      this.#spool ??= await Spool.open();
      await this.#spool.append(bytes);
      return undefined;
    } catch (cause) {
      return tooLarge(
        "The output of the program could not be stored; check the space in the folder for temporary files",
        cause,
      );
    }
  }

  head(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#kept);
  }

  rest(head: Uint8Array): OutputRest | undefined {
    const spool = this.#spool;
    if (spool === undefined) return undefined;
    return {
      size: head.length + spool.size,
      async read(offset, length) {
        if (offset < head.length) return head.subarray(offset, offset + length);
        return spool.read(offset - head.length, length);
      },
      close: () => spool.close(),
    };
  }

  async discard(): Promise<void> {
    await this.#spool?.close();
  }
}

function tooLarge(message: string, cause?: unknown): CallError {
  return fail("TOO_LARGE", message, { outcome: "unknown" }, { cause });
}
