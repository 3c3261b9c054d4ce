import { isAscii } from "node:buffer";
import { at } from "./columns.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const NO_BYTES = new Uint8Array();
const NO_STARTS = new Uint32Array(1);

interface LiveTexts {
  readonly texts: string[];
  readonly ids: ReadonlyMap<string, number>;
  readonly count: number;
}

interface EncodedTexts {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

function asciiText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}

/**
 * All strings of a graph, each once, by number. A saved graph stores them in UTF-8 and decodes each
 * on demand; a new graph encodes them when it is saved.
 */
export class Strings {
  readonly count: number;
  readonly #texts: (string | undefined)[];
  #ids: ReadonlyMap<string, number> | undefined;
  #encoded: EncodedTexts | undefined;
  /** All strings joined; null if they are not pure ASCII. */
  #whole: string | null | undefined;

  constructor(bytes: Uint8Array, starts: Uint32Array, live?: LiveTexts) {
    this.#encoded = live ? undefined : { bytes, starts };
    this.count = live?.count ?? starts.length - 1;
    // Strings are read in any order, and an array of the final size is faster than a growing one.
    this.#texts = live?.texts ?? Array.from({ length: this.count });
    this.#ids = live?.ids;
  }

  get bytes(): Uint8Array {
    return (this.#encoded ??= this.#encode()).bytes;
  }

  /** The start of each text, and the end of the last one. */
  get starts(): Uint32Array {
    return (this.#encoded ??= this.#encode()).starts;
  }

  get(id: number): string {
    return (this.#texts[id] ??= this.#decode(id));
  }

  /** The number of a text; undefined if the graph does not contain it. */
  find(text: string): number | undefined {
    const id = (this.#ids ??= this.#index()).get(text);
    return id !== undefined && id < this.count ? id : undefined;
  }

  #encode(): EncodedTexts {
    const encoded = Array.from({ length: this.count }, (_, id) => encoder.encode(this.get(id)));
    const starts = new Uint32Array(encoded.length + 1);
    for (const [id, { length }] of encoded.entries()) starts[id + 1] = at(starts, id) + length;
    const bytes = new Uint8Array(at(starts, encoded.length));
    for (const [id, text] of encoded.entries()) bytes.set(text, at(starts, id));
    return { bytes, starts };
  }

  #decode(id: number): string {
    const { bytes, starts } = (this.#encoded ??= this.#encode());
    const whole = (this.#whole ??= isAscii(bytes) ? asciiText(bytes) : null);
    // In ASCII each byte is a character, and slicing is ten times faster than decoding.
    if (whole !== null) return whole.slice(at(starts, id), at(starts, id + 1));
    return decoder.decode(bytes.subarray(at(starts, id), at(starts, id + 1)));
  }

  #index(): Map<string, number> {
    const ids = new Map<string, number>();
    for (let id = 0; id < this.count; id++) ids.set(this.get(id), id);
    return ids;
  }
}

/** Assigns a number to every text. The same text always has the same number. */
export class Interner {
  readonly #ids = new Map<string, number>();
  readonly #texts: string[] = [];

  /** Continues the numbers of existing strings. */
  static from(strings: Strings): Interner {
    const interner = new Interner();
    for (let id = 0; id < strings.count; id++) interner.idOf(strings.get(id));
    return interner;
  }

  get count(): number {
    return this.#texts.length;
  }

  idOf(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  /** The strings so far, without later ones. */
  finish(): Strings {
    const live = { texts: this.#texts, ids: this.#ids, count: this.#texts.length };
    return new Strings(NO_BYTES, NO_STARTS, live);
  }
}
