import { fail, randomDigits } from "../envelope/index.ts";
import type { Identity } from "../operation/index.ts";

/** Metadata of a stored result. */
export interface HandleInfo {
  /** The capability that returned the stored text. */
  readonly capability_id: string;
  /** Set to `base64` if the text encodes bytes, such as a file. Absent for plain text. */
  readonly encoding?: "base64";
  /**
   * Id of the identity that owns the result. Other identities may not read it. Absent if anybody
   * with the handle may read it.
   */
  readonly owner?: string;
}

/** A part of a stored result. */
export interface HandleText {
  /** The text. */
  readonly text: string;
  /** Length of the whole text. */
  readonly total: number;
  /** Set to `base64` if the text encodes bytes. Absent for plain text. */
  readonly encoding?: "base64";
  /** Id of the identity that owns the result. Absent if anybody with the handle may read it. */
  readonly owner?: string;
}

/** Keeps removed data for a limited time. A handle is a secret: its holder may read the data. */
export interface HandleStore {
  /** Stores a text and returns its handle. */
  put(text: string, info: HandleInfo): Promise<string>;
  /** A part of a stored text. Undefined if the handle is unknown or expired. */
  read(handle: string, offset: number, length: number): Promise<HandleText | undefined>;
}

/**
 * Whether an identity may read a stored text. A handle of another identity is treated as
 * unknown.
 */
function mayRead({ owner }: HandleText, identity: Identity): boolean {
  return owner === undefined || owner === identity.id;
}

/**
 * A store for one identity. The identity owns what it stores and cannot read the results of
 * others.
 */
export function keptFor<Store extends HandleStore | undefined>(
  store: Store,
  identity: Identity | undefined,
): HandleStore | Store {
  if (store === undefined || identity === undefined) return store;
  return {
    put: (text, info) => store.put(text, { ...info, owner: identity.id }),
    async read(handle, offset, length) {
      const kept = await store.read(handle, offset, length);
      return kept !== undefined && mayRead(kept, identity) ? kept : undefined;
    },
  };
}

/** Options of memoryHandles. */
export interface MemoryHandlesOptions {
  /** Limit of all stored bytes; the oldest entries are removed first (default: 64000000). */
  readonly maxBytes?: number;
  /** How long a text is kept, in milliseconds (default: one hour). */
  readonly maxAge?: number;
}

interface Kept {
  readonly text: string;
  readonly facts: Pick<HandleInfo, "encoding" | "owner">;
  readonly expires: number;
}

const DEFAULT_BYTES = 64_000_000;
const DEFAULT_AGE = 60 * 60 * 1_000;
const BYTES_PER_UNIT = 2;
/** About 80 random bits. */
const HANDLE_DIGITS = 24;

function newHandle(): string {
  return `r${randomDigits(HANDLE_DIGITS)}`;
}

/**
 * Stores cut results in memory, up to a number of bytes.
 *
 * @example
 * ```ts
 * import { createWaybill, defineOperation, memoryHandles } from "@waybill/core";
 *
 * const long = defineOperation({
 *   id: "text.long",
 *   description: "A long text",
 *   effect: "read",
 *   handler: () => "word ".repeat(5_000),
 * });
 * const waybill = createWaybill({ operations: [long], handles: memoryHandles() });
 * const { meta } = await waybill.execute("text.long", {}, { max_tokens: 300 });
 * console.log(meta.truncated !== undefined);
 * ```
 *
 * ```text
 * true
 * ```
 */
export function memoryHandles(options: MemoryHandlesOptions = {}): HandleStore {
  const { maxBytes = DEFAULT_BYTES, maxAge = DEFAULT_AGE } = options;
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const drop = (handle: string): void => {
    bytes -= (kept.get(handle)?.text.length ?? 0) * BYTES_PER_UNIT;
    kept.delete(handle);
  };
  const makeRoom = (now: number): void => {
    for (const [handle, { expires }] of kept) {
      if (bytes <= maxBytes && expires > now) return;
      drop(handle);
    }
  };
  return {
    put: async (text, { encoding, owner }) => {
      const size = text.length * BYTES_PER_UNIT;
      if (size > maxBytes)
        throw fail(
          "TOO_LARGE",
          `The result is larger than the limit of ${maxBytes} bytes. Request less data`,
        );
      const handle = newHandle();
      const facts = {
        ...(encoding !== undefined && { encoding }),
        ...(owner !== undefined && { owner }),
      };
      kept.set(handle, { text, facts, expires: Date.now() + maxAge });
      bytes += size;
      makeRoom(Date.now());
      return handle;
    },
    read: async (handle, offset, length) => {
      makeRoom(Date.now());
      const found = kept.get(handle);
      if (found === undefined) return undefined;
      const { text, facts } = found;
      return { text: text.slice(offset, offset + length), total: text.length, ...facts };
    },
  };
}
