import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrivateFolder, withLock, writePrivate } from "@waybill/state/files";
import type { StateStore } from "./state-store.ts";
import { Turns } from "./turns.ts";

const READABLE = 40;
/** Somebody may be signing in, which takes a person's time. */
const MAX_WAIT_MS = 600_000;

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
  return {
    async read(key) {
      try {
        return JSON.parse(await readFile(pathOf(key), "utf8")) as unknown;
      } catch {
        // A value that is missing or half-written by a machine that fell is one not known.
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
