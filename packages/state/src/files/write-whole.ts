import { randomUUID } from "node:crypto";
import { readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { ensurePrivateFolder } from "./state-folder.ts";

export interface WriteOptions {
  /** Permissions of the file (default: those of the file that it replaces, or 0o644). */
  readonly mode?: number;
  /**
   * Whether the content must survive a power failure (default: true). A cache does not need that.
   */
  readonly flush?: boolean;
}

async function currentMode(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.mode,
    () => 0o644,
  );
}

/** The path to write to. For a link this is its target, which may not exist yet; the link stays. */
async function targetPath(given: string): Promise<string> {
  const missingTarget = (): Promise<string> =>
    readlink(given).then(
      (target) => resolve(dirname(given), target),
      () => given,
    );
  return realpath(given).catch(missingTarget);
}

/** Writes to a temporary file and renames it, so that no reader sees a partial file. */
export async function writeWhole(
  given: string,
  content: string | Uint8Array,
  { mode, flush = true }: WriteOptions = {},
): Promise<void> {
  const path = await targetPath(given);
  await makeFolder(dirname(path));
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, content, { mode: mode ?? (await currentMode(path)), flag: "wx", flush });
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}

/** Writes a file that only its user can read, in a folder that only its user can read. */
export async function writePrivate(
  path: string,
  content: string | Uint8Array,
  options: Pick<WriteOptions, "flush"> = {},
): Promise<void> {
  await ensurePrivateFolder(dirname(path));
  await writeWhole(path, content, { ...options, mode: 0o600 });
}
