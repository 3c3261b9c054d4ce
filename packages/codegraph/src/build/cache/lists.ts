import type { Column } from "../../graph/index.ts";

const ABSENT = -1;
/** A separator that does not occur in any stored text. NUL does occur. */
const SEPARATOR = "\u0001\n";

/** A list of numbers for each file, stored as one array. A list may be absent. */
export class Lists {
  readonly #values: Int32Array;
  readonly #lengths: Int32Array;
  readonly #starts: Uint32Array;

  constructor(name: string, columns: ReadonlyMap<string, Column>) {
    this.#values = Int32Array.from(columns.get(`${name}.values`) ?? []);
    this.#lengths = Int32Array.from(columns.get(`${name}.lengths`) ?? []);
    this.#starts = new Uint32Array(this.#lengths.length + 1);
    for (const [file, length] of this.#lengths.entries()) {
      this.#starts[file + 1] = this.#starts[file]! + Math.max(0, length);
    }
  }

  static encode(
    name: string,
    lists: readonly (ArrayLike<number> | undefined)[],
    columns: Map<string, Column>,
  ): void {
    const lengths = Int32Array.from(lists, (list) => list?.length ?? ABSENT);
    const values = new Int32Array(lists.reduce((sum, list) => sum + (list?.length ?? 0), 0));
    let start = 0;
    for (const list of lists) {
      if (!list) continue;
      values.set(list, start);
      start += list.length;
    }
    columns.set(`${name}.lengths`, lengths);
    columns.set(`${name}.values`, values);
  }

  get(file: number): Int32Array<ArrayBuffer> | undefined {
    const length = this.#lengths[file] ?? ABSENT;
    if (length < 0) return undefined;
    const start = this.#starts[file]!;
    return this.#values.slice(start, start + length);
  }
}

export function encodeStrings(texts: readonly string[]): Uint8Array {
  return new TextEncoder().encode(texts.join(SEPARATOR));
}

export function textsIn(column: Column | undefined): string[] {
  return column ? new TextDecoder().decode(column).split(SEPARATOR) : [];
}
