import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { stateFiles, sweepFolder, writePrivate } from "../files/index.ts";
import { decodeHeader, encodeEntry, headerBytes, isHandle, newHandle } from "./entry.ts";
import type { HandleInfo, HandlePart, HandleStore, HandleStoreOptions } from "./handle.ts";

const MAX_ENTRIES = 1_000;
const DEFAULT_LENGTH = 1_000_000;

function notFound(handle: string): CallError {
  return fail("NOT_FOUND", `There is no stored result with the handle ${handle.slice(0, 40)}`, {
    hint: "Results are stored for a limited time. Make the call again",
  });
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

class FolderHandleStore implements HandleStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #keepMs: number;
  readonly #now: () => number;

  constructor(options: HandleStoreOptions) {
    this.#folder = options.path ?? stateFiles().results;
    this.#maxBytes = options.maxBytes ?? 256_000_000;
    this.#keepMs = options.keepMs ?? 86_400_000;
    this.#now = options.now ?? Date.now;
  }

  async put(value: string | Uint8Array, { contentType }: { contentType: string }): Promise<string> {
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    const entry = encodeEntry(bytes, contentType);
    if (entry.byteLength > this.#maxBytes) throw this.#tooLarge(bytes.byteLength);
    const handle = newHandle();
    try {
      await this.#write(handle, entry);
    } catch (cause) {
      const hint = `${this.#folder}: check that it is writable and has space`;
      throw fail("NOT_READY", "The result could not be stored", { hint }, { cause });
    }
    return handle;
  }

  async info(handle: string): Promise<HandleInfo> {
    return this.#withFile(handle, async (_file, info) => info);
  }

  async read(
    handle: string,
    { offset = 0, length = DEFAULT_LENGTH }: { offset?: number; length?: number } = {},
  ): Promise<HandlePart> {
    return this.#withFile(handle, async (file, info) => {
      const from = Math.min(Math.max(0, Math.trunc(offset)), info.bytes);
      const wanted = Math.min(Math.max(0, Math.trunc(length)), info.bytes - from);
      return { ...info, offset: from, part: await readAt(file, headerBytes + from, wanted) };
    });
  }

  async #write(handle: string, entry: Uint8Array): Promise<void> {
    await writePrivate(join(this.#folder, handle), entry, { flush: false });
    const oldest = this.#now() - this.#keepMs;
    await sweepFolder(this.#folder, { maxBytes: this.#maxBytes, maxEntries: MAX_ENTRIES, oldest });
  }

  async #withFile<T>(
    handle: string,
    use: (file: FileHandle, info: HandleInfo) => Promise<T>,
  ): Promise<T> {
    if (!isHandle(handle)) throw notFound(handle);
    const file = await open(join(this.#folder, handle)).catch(() => undefined);
    if (file === undefined) throw notFound(handle);
    try {
      return await use(file, await this.#describe(file, handle));
    } finally {
      await file.close();
    }
  }

  async #describe(file: FileHandle, handle: string): Promise<HandleInfo> {
    const { size, mtimeMs } = await file.stat();
    if (mtimeMs <= this.#now() - this.#keepMs) throw notFound(handle);
    const { contentType } = decodeHeader(await readAt(file, 0, headerBytes));
    return { contentType, bytes: size - headerBytes, created: mtimeMs };
  }

  #tooLarge(bytes: number): CallError {
    const message = `The result has ${bytes} bytes, which is too large to be stored`;
    return fail("TOO_LARGE", message, { hint: `At most ${this.#maxBytes} bytes can be stored` });
  }
}

/**
 * Stores values in a folder and reads them by handle. The folder is created with the first
 * value.
 */
export function openHandleStore(options: HandleStoreOptions = {}): HandleStore {
  return new FolderHandleStore(options);
}
