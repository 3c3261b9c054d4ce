import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "./file-lock.ts";
import type { StateStore } from "./state-store.ts";
import { Turns } from "./turns.ts";

const READABLE = 40;

/** A name that says what it is about and cannot leave the folder. */
function fileName(key: string): string {
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
  const words = key.replaceAll(/[^\w.-]+/gu, "-").slice(0, READABLE);
  return `${words}-${digest}`;
}

/** Values as files of a folder that only its user can look into. */
export function fileStore(folder: string): StateStore {
  const turns = new Turns();
  const pathOf = (key: string): string => join(folder, `${fileName(key)}.json`);
  const ensureFolder = (): Promise<unknown> => mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    async read(key) {
      try {
        return JSON.parse(await readFile(pathOf(key), "utf8")) as unknown;
      } catch {
        // A value that is missing or half-written by a machine that fell is one not known.
        return undefined;
      }
    },
    /** Written beside and moved into place: a reader sees all of it or nothing. */
    async write(key, value) {
      await ensureFolder();
      const path = pathOf(key);
      const part = `${path}.${randomUUID()}`;
      try {
        await writeFile(part, JSON.stringify(value), { mode: 0o600, flag: "wx" });
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async exclusive(key, work) {
      await ensureFolder();
      return turns.take(key, () => withFileLock(`${pathOf(key)}.lock`, work));
    },
  };
}
