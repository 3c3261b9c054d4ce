import { statSync } from "node:fs";

/** A settings file that people edit. It is read again when it has changed. */
export class WatchedFile<T> {
  readonly #path: string;
  readonly #load: () => Promise<T>;
  #stamp: string | undefined;
  #value: { readonly read: T } | undefined;

  constructor(path: string, load: () => Promise<T>) {
    this.#path = path;
    this.#load = load;
  }

  async read(): Promise<T> {
    const stamp = readStamp(this.#path);
    if (this.#value === undefined || stamp !== this.#stamp) {
      this.#value = { read: await this.#load() };
      this.#stamp = stamp;
    }
    return this.#value.read;
  }
}

/**
 * Synchronous, because every question needs it: an asynchronous call waits for a thread, which
 * takes much longer on a busy machine.
 */
function readStamp(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? "none" : `${found.mtimeMs} ${found.size} ${found.ino}`;
  } catch {
    return "none";
  }
}
