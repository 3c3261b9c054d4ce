import { stat } from "node:fs/promises";

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
    const found = await stat(this.#path).catch(() => undefined);
    const stamp = found === undefined ? "none" : `${found.mtimeMs} ${found.size} ${found.ino}`;
    if (this.#value === undefined || stamp !== this.#stamp) {
      this.#value = { read: await this.#load() };
      this.#stamp = stamp;
    }
    return this.#value.read;
  }
}
