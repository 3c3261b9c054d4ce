import { isRecord } from "../envelope/index.ts";
import { tokenCost } from "./tokens.ts";

/**
 * The number of tokens that a member or an item adds to its value: for a comma, or for a colon and
 * a comma.
 */
export const SEPARATOR_COST = 1;
const BRACKETS_COST = 2;
/** Long strings are measured piece by piece, to stop as soon as the limit is exceeded. */
const PIECE = 4_096;
const LONG_TEXT = 1_024;
/**
 * Records with more members than this list their names once, because V8 sorts the names each
 * time.
 */
const LARGE_RECORD = 256;

/** Escapes a text as it is written between the quotes of a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function keyCost(key: string): number {
  return tokenCost(JSON.stringify(key)) + SEPARATOR_COST;
}

/**
 * The token cost of each part of some data as JSON. Every part is measured at most once and only up
 * to the limit, so that a huge result costs no more than its visible part.
 */
export class Costs {
  readonly #cap: number;
  readonly #known = new Map<unknown, number>();
  readonly #names = new Map<object, readonly string[]>();

  constructor(cap: number) {
    this.#cap = cap;
  }

  of(value: unknown): number {
    if (typeof value === "string") return this.#ofText(value);
    if (typeof value !== "object" || value === null) return tokenCost(String(value));
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const cost = Array.isArray(value) ? this.#ofList(value) : this.#ofRecord(value);
    this.#known.set(value, cost);
    return cost;
  }

  /** The names of a record, in order. */
  namesIn(record: object): readonly string[] {
    const known = this.#names.get(record);
    if (known !== undefined) return known;
    const names = Object.keys(record);
    if (names.length > LARGE_RECORD) this.#names.set(record, names);
    return names;
  }

  #ofText(text: string): number {
    if (text.length < LONG_TEXT) return tokenCost(JSON.stringify(text));
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    let cost = BRACKETS_COST;
    for (let at = 0; at < text.length && cost <= this.#cap; at += PIECE) {
      cost += tokenCost(escaped(text.slice(at, at + PIECE)));
    }
    this.#known.set(text, cost);
    return cost;
  }

  #ofList(list: readonly unknown[]): number {
    let cost = BRACKETS_COST;
    for (let index = 0; index < list.length && cost <= this.#cap; index++) {
      cost += this.of(list[index]) + SEPARATOR_COST;
    }
    return cost;
  }

  #ofRecord(record: object): number {
    let cost = BRACKETS_COST;
    if (!isRecord(record)) return cost;
    for (const key of this.namesIn(record)) {
      if (cost > this.#cap) break;
      cost += keyCost(key) + this.of(record[key]);
    }
    return cost;
  }
}
