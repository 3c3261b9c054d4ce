import { at } from "./columns.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Every text of a graph once, as UTF-8 behind one another; a text is decoded when it is read. */
export class Strings {
  readonly bytes: Uint8Array;
  /** Where each text starts, and where the last one ends. */
  readonly starts: Uint32Array;
  readonly #decoded: (string | undefined)[] = [];
  #ids: Map<string, number> | undefined;

  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.bytes = bytes;
    this.starts = starts;
  }

  get count(): number {
    return this.starts.length - 1;
  }

  get(id: number): string {
    return (this.#decoded[id] ??= decoder.decode(
      this.bytes.subarray(at(this.starts, id), at(this.starts, id + 1)),
    ));
  }

  /** The number of a text, if the graph has it. */
  find(text: string): number | undefined {
    return (this.#ids ??= this.#index()).get(text);
  }

  #index(): Map<string, number> {
    const ids = new Map<string, number>();
    for (let id = 0; id < this.count; id++) ids.set(this.get(id), id);
    return ids;
  }
}

/** Gives every text a number; the same text has the same number. */
export class Interner {
  readonly #ids = new Map<string, number>();

  idOf(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#ids.size);
    return this.#ids.size - 1;
  }

  finish(): Strings {
    const encoded = [...this.#ids.keys()].map((text) => encoder.encode(text));
    const starts = new Uint32Array(encoded.length + 1);
    for (const [id, { length }] of encoded.entries()) starts[id + 1] = at(starts, id) + length;
    const bytes = new Uint8Array(at(starts, encoded.length));
    for (const [id, text] of encoded.entries()) bytes.set(text, at(starts, id));
    return new Strings(bytes, starts);
  }
}
