const BALLAST = 64;

/**
 * Requests by id. Many requests are added and removed, but few exist at a time. V8 rebuilds a
 * small Map after every few deletions, which takes a third of a call's time. Permanent entries
 * keep the Map large enough to make that rare.
 */
export class RequestTable<T extends object> {
  readonly #requests = new Map<string | number, T | undefined>();

  /** Creates an empty table. */
  constructor() {
    for (let index = 0; index < BALLAST; index++) this.#requests.set(index, undefined);
  }

  /** Number of requests. */
  get size(): number {
    return this.#requests.size - BALLAST;
  }

  /** The request with this id, if there is one. */
  get(requestId: string): T | undefined {
    return this.#requests.get(requestId);
  }

  /** Adds a request. Returns false if the id is taken. */
  add(requestId: string, request: T): boolean {
    if (this.#requests.has(requestId)) return false;
    this.#requests.set(requestId, request);
    return true;
  }

  /** Removes a request. */
  delete(requestId: string): void {
    this.#requests.delete(requestId);
  }

  /** All requests. */
  values(): T[] {
    return [...this.#requests.values()].filter((request) => request !== undefined);
  }
}
