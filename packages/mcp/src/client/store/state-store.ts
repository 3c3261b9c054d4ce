/**
 * Small JSON values that outlive a process: what a server can, its tokens. Values may be secrets, so they
 * are kept where only the user can read them.
 */
export interface StateStore {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  /** Runs one piece of work at a time for a key, across all processes. */
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>;
}
