import type { Column, Columns } from "../../graph/index.ts";

/** A growing table. It ends as typed arrays, each as narrow as its values allow. */
export class Table<Name extends string> {
  readonly #names: readonly Name[];
  readonly #values: number[][];

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#values = names.map(() => []);
  }

  get length(): number {
    return this.#values[0]?.length ?? 0;
  }

  /** Adds a row and returns its number. */
  push(row: Readonly<Record<Name, number>>): number {
    const [names, values] = [this.#names, this.#values];
    for (let place = 0; place < names.length; place++) values[place]!.push(row[names[place]!]);
    return this.length - 1;
  }

  set(row: number, name: Name, value: number): void {
    this.#values[this.#names.indexOf(name)]![row] = value;
  }

  finish(): Columns<Name> {
    const columns = this.#names.map((name, place) => [name, packed(this.#values[place]!)] as const);
    return Object.fromEntries(columns) as Columns<Name>;
  }
}

/** The values in the narrowest typed array. */
export function packed(values: ArrayLike<number>): Column {
  let low = 0;
  let high = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value < low) low = value;
    else if (value > high) high = value;
  }
  if (low < 0) return new Int32Array(values);
  if (high < 2 ** 8) return new Uint8Array(values);
  return high < 2 ** 16 ? new Uint16Array(values) : new Uint32Array(values);
}
