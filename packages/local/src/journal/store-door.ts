import { isBusy, journalError } from "./failure.ts";
import { Backoff, whileBusy } from "./patience.ts";
import { Store } from "./store.ts";

const OPEN_TRIES = 3;

async function openPatiently(path: string): Promise<Store> {
  const backoff = new Backoff(20);
  for (let tries = 1; ; tries++) {
    try {
      return await Store.open(path);
    } catch (error) {
      // A busy file is waited for by whoever asked.
      if (isBusy(error) || tries >= OPEN_TRIES) throw error;
      await backoff.pause();
    }
  }
}

/** The way to the store: opened when first needed, and again after it failed or was moved aside. */
export class StoreDoor {
  readonly #path: string;
  readonly #waitMs: number;
  #store: Promise<Store> | undefined;
  #isClosed = false;

  constructor(path: string, waitMs: number) {
    this.#path = path;
    this.#waitMs = waitMs;
  }

  use<T>(step: (store: Store) => T): Promise<T> {
    return whileBusy(this.#waitMs, () => this.#use(step));
  }

  /** The same without waiting for a busy file. */
  useNow<T>(step: (store: Store) => T): Promise<T> {
    return this.#use(step);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const store = await this.#store?.catch(() => undefined);
    store?.close();
  }

  /** A user may move a damaged file aside while we run; then there is a new one to open. */
  async #use<T>(step: (store: Store) => T): Promise<T> {
    for (let tries = 1; tries <= OPEN_TRIES; tries++) {
      const store = await this.#opened();
      if (this.#isClosed) throw journalError("JOURNAL_CLOSED");
      if (store.isInPlace()) return this.#run(store, step);
      this.#forget(store);
    }
    throw journalError("JOURNAL_MOVED");
  }

  #run<T>(store: Store, step: (store: Store) => T): T {
    try {
      return step(store);
    } catch (error) {
      if (!isBusy(error)) this.#forget(store);
      throw error;
    }
  }

  #opened(): Promise<Store> {
    if (this.#store !== undefined) return this.#store;
    if (this.#isClosed) return Promise.reject(journalError("JOURNAL_CLOSED"));
    const opening = openPatiently(this.#path);
    this.#store = opening;
    opening.catch(() => {
      this.#store = undefined;
    });
    return opening;
  }

  /** Several calls may find the same store unusable; only the first one closes it. */
  #forget(store: Store): void {
    if (store.close()) this.#store = undefined;
  }
}
