import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFileSync } from "@waybill/state/files";
import { CACHE_FOLDER } from "../../settings/index.ts";

/** The largest saved file to read: far larger than the graph of 500,000 files. */
const MAX_BYTES = 2_000_000_000;

/** The folder of a saved graph. If reading or writing fails, the graph is only slower to open. */
export class CacheStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  read(name: string): Uint8Array<ArrayBuffer> | undefined {
    try {
      const bytes = readPlainFileSync(join(this.#root, CACHE_FOLDER, name), MAX_BYTES);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    } catch {
      return undefined;
    }
  }

  /** Writes each file completely or not at all; false if the folder is not writable. */
  write(files: Readonly<Record<string, Uint8Array>>): boolean {
    try {
      const folder = this.#folder();
      if (folder === undefined) return false;
      writeFileSync(join(folder, ".gitignore"), "*\n");
      for (const [name, bytes] of Object.entries(files)) replaceFile(join(folder, name), bytes);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * The path of the folder; undefined if a part of it is a symbolic link, which might lead out of
   * the tree.
   */
  #folder(): string | undefined {
    let folder = this.#root;
    for (const part of CACHE_FOLDER.split("/")) {
      folder = join(folder, part);
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      if (!stats) mkdirSync(folder);
      else if (!stats.isDirectory()) return undefined;
    }
    return folder;
  }
}

function replaceFile(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, bytes, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
