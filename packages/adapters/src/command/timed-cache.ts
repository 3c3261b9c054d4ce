interface Entry<Value> {
  readonly value: Promise<Value>;
  /** When the value expires. Undefined while the value is being fetched; all callers wait then. */
  expiresAt: number | undefined;
}

/** Caches values for a limited time. Concurrent callers share one fetch. */
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

  /** Drops a value, even one that is being fetched, because it may already be outdated. */
  forget(key: Key): void {
    this.#entries.delete(key);
  }
}
