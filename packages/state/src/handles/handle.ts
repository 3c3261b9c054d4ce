export interface HandleStoreOptions {
  /** The folder (default: `results` in the user's state folder). */
  readonly path?: string;
  /** The maximum total size of all values. The oldest are removed first (default: 256 MB). */
  readonly maxBytes?: number;
  /** How long a value is stored (default: one day). */
  readonly keepMs?: number;
  readonly now?: () => number;
}

export interface HandleInfo {
  readonly contentType: string;
  readonly bytes: number;
  /** When the value was stored, in milliseconds since 1970. */
  readonly created: number;
}

export interface HandlePart extends HandleInfo {
  readonly offset: number;
  readonly part: Uint8Array;
}

/** Stores results that are too long for an answer, so that they can be read in parts later. */
export interface HandleStore {
  put(value: string | Uint8Array, options: { readonly contentType: string }): Promise<string>;
  read(handle: string, range?: { offset?: number; length?: number }): Promise<HandlePart>;
  info(handle: string): Promise<HandleInfo>;
}
