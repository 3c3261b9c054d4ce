import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Bytes on disk that no other user can read. The file is unlinked immediately, so it disappears
 * when it is closed or when the process ends in any way.
 */
export class Spool {
  readonly #file: FileHandle;
  #size = 0;
  #closed: Promise<void> | undefined;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(): Promise<Spool> {
    const path = join(tmpdir(), `waybill-${randomUUID()}`);
    const file = await open(path, "wx+", 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new Spool(file);
  }

  get size(): number {
    return this.#size;
  }

  async append(bytes: Uint8Array): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const position = this.#size + written;
      const rest = bytes.length - written;
      written += (await this.#file.write(bytes, written, rest, position)).bytesWritten;
    }
    this.#size += bytes.length;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.#size - offset));
    const bytes = new Uint8Array(wanted);
    const { bytesRead } = await this.#file.read(bytes, 0, wanted, offset);
    return bytes.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    this.#closed ??= this.#file.close();
    await this.#closed;
  }
}
