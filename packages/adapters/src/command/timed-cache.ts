interface Entry<Value> {
  readonly value: Promise<Value>;
  /** Unknown while the answer is on its way, which everybody then waits for together. */
  expiresAt: number | undefined;
}

/** Remembers answers for a while. Those who ask at the same time share one question. */
export class TimedCache<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>();
  readonly #lifetime: (value: Value) => number;
  readonly #now: () => number;

  constructor(lifetime: (value: Value) => number, now: () => number = Date.now) {
    this.#lifetime = lifetime;
    this.#now = now;
  }

  get(key: Key, ask: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    if (known !== undefined && (known.expiresAt ?? Infinity) > this.#now()) return known.value;
    const entry: Entry<Value> = { value: ask(), expiresAt: undefined };
    this.#entries.set(key, entry);
    void this.#settle(key, entry);
    return entry.value;
  }

  async #settle(key: Key, entry: Entry<Value>): Promise<void> {
    try {
      entry.expiresAt = this.#now() + this.#lifetime(await entry.value);
    } catch {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }

  /** Also releases an answer on its way: it may be about what has changed since. */
  forget(key: Key): void {
    this.#entries.delete(key);
  }
}
