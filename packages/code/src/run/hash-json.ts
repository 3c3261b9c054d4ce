import { createHash } from "node:crypto";
import type { GuestCall } from "../sandbox/index.ts";

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member)]);
}

/** A hash of a JSON value that ignores the order of members. */
export function hashJson(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value)) ?? "")
    .digest("hex")
    .slice(0, 32);
}

/** Digests of the calls of a turn, by index. */
export interface Digests {
  readonly length: number;
  at(index: number): string | undefined;
}

/** Digests that are computed when they are first needed: most runs only read, and store nothing. */
export class CallDigests implements Digests {
  readonly #calls: readonly GuestCall[];
  readonly #known: string[] = [];

  constructor(calls: readonly GuestCall[]) {
    this.#calls = calls;
  }

  get length(): number {
    return this.#calls.length;
  }

  at(index: number): string | undefined {
    const call = this.#calls[index];
    return call && (this.#known[index] ??= hashJson([call.name, call.args]));
  }
}
