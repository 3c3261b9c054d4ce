import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrivateFolder, withLock, writePrivate } from "@waybill/state/files";
import type { StateStore } from "./state-store.ts";
import { Turns } from "./turns.ts";

const READABLE = 40;
/** The lock is held for a long time, because a person may be signing in. */
const MAX_WAIT_MS = 600_000;

/** A readable file name that cannot point outside the folder. */
function fileName(key: string): string {
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 16);
  const words = key.replaceAll(/[^\w.-]+/gu, "-").slice(0, READABLE);
  return `${words}-${digest}`;
}

/** Stores values as files in a folder that only its user can read. */
export function fileStore(folder: string): StateStore {
  const turns = new Turns();
  const pathOf = (key: string): string => join(folder, `${fileName(key)}.json`);
  return {
    async read(key) {
      try {
        return JSON.parse(await readFile(pathOf(key), "utf8")) as unknown;
      } catch {
        // A value that is missing, or incomplete after a crash, is treated as unknown.
        return undefined;
      }
    },
    async write(key, value) {
      await writePrivate(pathOf(key), JSON.stringify(value));
    },
    async exclusive(key, work) {
      await ensurePrivateFolder(folder);
      return turns.take(key, () => withLock(`${pathOf(key)}.lock`, work, { waitMs: MAX_WAIT_MS }));
    },
  };
}
