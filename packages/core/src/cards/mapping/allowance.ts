import { fail } from "../../envelope/index.ts";

/** The maximum number of steps in one evaluation. They take about one second. */
const MAX_WORK = 20_000_000;
/** The maximum size of one value: 1 unit per value, and 1 per block of characters. */
const MAX_SIZE = 4_000_000;
const CHARACTERS = 16;
const MAX_DEPTH = 1_000;

/** Counts the work of one evaluation and limits the size of its values. */
export class Allowance {
  #left = MAX_WORK;
  /**
   * Caches the sizes of values. A value that occurs several times is counted each time but
   * measured once.
   */
  #sizes = new WeakMap<object, number>();

  renew(): void {
    this.#left = MAX_WORK;
    this.#sizes = new WeakMap();
  }

  spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw tooMuch();
  }

  refuseOver(size: number): void {
    if (size > MAX_SIZE) throw tooMuch();
  }

  /** The size of a value as JSON, with repeated parts counted each time. */
  sizeOf(value: unknown, depth = 0): number {
    if (typeof value === "string") return 1 + value.length / CHARACTERS;
    if (typeof value !== "object" || value === null) return 1;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH) throw tooMuch();
    this.spend(1);
    let size = 1;
    for (const member of Object.values(value)) size += this.sizeOf(member, depth + 1);
    this.#sizes.set(value, size);
    return size;
  }
}

function tooMuch(): Error {
  return fail("TOO_LARGE", "The expression needs too many steps, or its result is too large", {
    hint: "Use a simpler expression, or request less data",
  });
}
