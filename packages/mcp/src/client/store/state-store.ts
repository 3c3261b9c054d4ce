/**
 * Stores small JSON values across processes, such as a server's tools and tokens. Values may be
 * secret, so only the user may read them.
 */
export interface StateStore {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  /** Runs one piece of work at a time for a key, across all processes. */
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>;
}
