import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

interface Found {
  readonly path: string;
  readonly bytes: number;
  readonly time: number;
}

export interface SweepLimits {
  readonly maxBytes: number;
  /** (default: no limit) */
  readonly maxEntries?: number;
  /** Files that were last written before this time are removed in any case (default: none). */
  readonly oldest?: number;
}

/** Another process may remove a file between listing and looking; then it is gone, as wanted. */
async function look(path: string): Promise<Found | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { path, bytes: size, time: mtimeMs };
  } catch {
    return undefined;
  }
}

async function newestFirst(folder: string): Promise<Found[]> {
  // A lock belongs to its holder.
  const names = (await readdir(folder)).filter((name) => !name.endsWith(".lock"));
  const found = await Promise.all(names.map((name) => look(join(folder, name))));
  return found.filter((file) => file !== undefined).toSorted((one, two) => two.time - one.time);
}

/** Which files have to go so that the rest, newest first, stay within the limits. */
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
