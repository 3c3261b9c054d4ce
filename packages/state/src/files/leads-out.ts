import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, relative, resolve, sep } from "node:path";

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

/** The real path of a file, even if it does not exist yet. A link can name such a file. */
async function realTarget(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined || dirname(path) === path) return found ?? path;
  const folder = await realTarget(dirname(path));
  const target = await readlink(path).catch(() => basename(path));
  return resolve(folder, target);
}

/**
 * Whether a path below a folder is a link to the outside, so that reading or writing it would
 * use another file of the user. A cloned repository can contain such links.
 */
export async function leadsOut(folder: string, path: string): Promise<boolean> {
  if (!isBelow(folder, path)) return false;
  return !isBelow(await realpath(folder), await realTarget(path));
}
