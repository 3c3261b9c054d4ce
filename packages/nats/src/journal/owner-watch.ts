import type { Found } from "./store.ts";

/**
 * Measures how long the record of an owner stays the same while a caller waits for it. It uses a
 * clock that nobody can set: if this machine's date is hours behind the server's, every owner looks
 * alive.
 */
export class OwnerWatch {
  #revision: number | undefined;
  #since = 0;

  /** How long the record is unchanged, in milliseconds. A live owner renews it. */
  unchangedMs({ revision }: Found): number {
    const now = performance.now();
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#since = now;
    }
    return now - this.#since;
  }
}
