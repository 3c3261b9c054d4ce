import type { JsonValue } from "@waybill/core";

/**
 * Small values that outlive a process: what a server can, its tokens. Values may be secrets, so they
 * are kept where only the user can read them.
 */
export interface StateStore {
  read(key: string): Promise<JsonValue | undefined>;
  write(key: string, value: JsonValue): Promise<void>;
  remove(key: string): Promise<void>;
  /** Runs one piece of work at a time for a key, whichever process asks. */
  exclusive<T>(key: string, work: () => Promise<T>): Promise<T>;
}
