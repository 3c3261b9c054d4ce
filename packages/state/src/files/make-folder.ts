import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

async function isExistingFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * Creates a folder and its parents. Does not change a folder that exists.
 *
 * Node's `recursive` option never returns on a file system that answers ENOENT to every mkdir, such
 * as `/proc`: Node finds that the parent exists and tries again.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isExistingFolder(folder)) return;
    const above = dirname(folder);
    if (Reflect.get(error as object, "code") !== "ENOENT" || above === folder) throw error;
    // Tries both again, because another process may create any of these folders at the same time.
    if (!(await isExistingFolder(above))) await makeFolder(above, mode);
    await mkdir(folder, { mode }).catch(async (again: unknown) => {
      if (!(await isExistingFolder(folder))) throw again;
    });
  }
}
