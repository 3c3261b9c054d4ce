import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

interface Found {
  readonly path: string;
  readonly bytes: number;
  readonly time: number;
}

export interface SweepLimits {
  readonly maxBytes: number;
  /** The maximum number of files to keep (default: no limit). */
  readonly maxEntries?: number;
  /** Files that were last written before this time are always removed (default: none). */
  readonly oldest?: number;
}

/** Ignored: another process may have removed the file already. */
async function look(path: string): Promise<Found | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { path, bytes: size, time: mtimeMs };
  } catch {
    return undefined;
  }
}

async function newestFirst(folder: string): Promise<Found[]> {
  // Lock files are kept, because they belong to their holders.
  const names = (await readdir(folder)).filter((name) => !name.endsWith(".lock"));
  const found = await Promise.all(names.map((name) => look(join(folder, name))));
  return found.filter((file) => file !== undefined).toSorted((one, two) => two.time - one.time);
}

/** Selects the files to remove so that the newest ones stay within the limits. */
function outside(files: readonly Found[], limits: SweepLimits): Found[] {
  const { maxBytes, maxEntries = Infinity, oldest = -Infinity } = limits;
  let bytes = 0;
  return files.filter((file, index) => {
    bytes += file.bytes;
    return index >= maxEntries || bytes > maxBytes || file.time <= oldest;
  });
}

/** Removes files that are too old, and the oldest ones of a folder that is too large. */
export async function sweepFolder(folder: string, limits: SweepLimits): Promise<void> {
  const files = outside(await newestFirst(folder), limits);
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
}
