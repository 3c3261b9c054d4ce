import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

interface Found {
  readonly path: string;
  readonly bytes: number;
  readonly time: number;
}

export interface Limits {
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** Older than this is removed in any case. */
  readonly oldest: number;
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
  const names = await readdir(folder);
  const found = await Promise.all(names.map((name) => look(join(folder, name))));
  return found.filter((file) => file !== undefined).toSorted((one, two) => two.time - one.time);
}

/** Which files have to go so that the rest, newest first, stay within the limits. */
function outside(files: readonly Found[], limits: Limits): Found[] {
  let bytes = 0;
  return files.filter((file, index) => {
    bytes += file.bytes;
    return index >= limits.maxEntries || bytes > limits.maxBytes || file.time <= limits.oldest;
  });
}

/** Removes what is too old, and the oldest of what is too much. */
export async function sweep(folder: string, limits: Limits): Promise<void> {
  const files = outside(await newestFirst(folder), limits);
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
}
