import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file beside itself and moves it into place, so that nobody reads half of it. */
export async function writeWhole(given: string, text: string): Promise<void> {
  await mkdir(dirname(given), { recursive: true });
  // A link stays a link, and a file that others could not read stays one.
  const path = await realpath(given).catch(() => given);
  const mode = await stat(path).then(
    (found) => found.mode,
    () => 0o644,
  );
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, text, { mode });
    await rename(part, path);
  } finally {
    await rm(part, { force: true });
  }
}
