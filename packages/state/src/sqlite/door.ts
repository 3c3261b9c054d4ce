import { fileError, isBusy } from "./failure.ts";
import { Backoff, whileBusy } from "./retry-while-busy.ts";

const OPEN_TRIES = 3;

async function openPatiently<Store>(open: () => Promise<Store>): Promise<Store> {
  const backoff = new Backoff(20);
  for (let tries = 1; ; tries++) {
    try {
      return await open();
    } catch (error) {
      // A busy file is not a failure here. The caller waits and tries again.
      if (isBusy(error) || tries >= OPEN_TRIES) throw error;
      await backoff.pause();
    }
  }
}

/** The methods of an open database file that this class calls. */
interface Openable {
  isInPlace(): boolean;
  /** Closes the file. Returns whether it was open. */
  close(): boolean;
}

/**
 * Access to a file. The file is opened when it is first needed, and again after it failed or was
 * moved.
 */
export class FileDoor<Store extends Openable> {
  readonly #open: () => Promise<Store>;
  readonly #waitMs: number;
  #store: Promise<Store> | undefined;
  #isClosed = false;

  constructor(open: () => Promise<Store>, waitMs: number) {
    this.#open = open;
    this.#waitMs = waitMs;
  }

  use<T>(step: (store: Store) => T): Promise<T> {
    return whileBusy(this.#waitMs, () => this.#use(step));
  }

  /** Like `use`, but does not wait for a busy file. */
  useNow<T>(step: (store: Store) => T): Promise<T> {
    return this.#use(step);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const store = await this.#store?.catch(() => undefined);
    store?.close();
  }

  /** If a user moves a damaged file away while Waybill runs, a new file is opened. */
  async #use<T>(step: (store: Store) => T): Promise<T> {
    for (let tries = 1; tries <= OPEN_TRIES; tries++) {
      const store = await this.#opened();
      if (this.#isClosed) throw fileError("FILE_CLOSED");
      if (store.isInPlace()) return this.#run(store, step);
      this.#forget(store);
    }
    throw fileError("FILE_MOVED");
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
    if (this.#isClosed) return Promise.reject(fileError("FILE_CLOSED"));
    const opening = openPatiently(this.#open);
    this.#store = opening;
    opening.catch(() => {
      this.#store = undefined;
    });
    return opening;
  }

  /** Several calls may notice that the same store has failed. Only the first one closes it. */
  #forget(store: Store): void {
    if (store.close()) this.#store = undefined;
  }
}
