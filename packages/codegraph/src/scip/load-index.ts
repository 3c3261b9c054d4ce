import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@waybill/core";
import { decodeIndex } from "./decode-index.ts";
import type { IndexedFile } from "./decode-index.ts";

/** The path of an index that another tool wrote. */
export const SCIP_FILE = ".waybill/graph/index.scip";

const MAX_BYTES = 512 * 1024 * 1024;

/** A SCIP index with its time. It does not apply to files that changed later. */
export interface ScipIndex {
  readonly files: readonly IndexedFile[];
  readonly writtenAt: number;
}

function broken(why: string, cause?: unknown): Error {
  const hint = `Write ${SCIP_FILE} again with its indexer, or remove it`;
  return fail("VALIDATION", `${SCIP_FILE} cannot be used: ${why}`, { hint }, { cause });
}

/** Reads the index; undefined if there is none. */
export async function loadScipIndex(root: string): Promise<ScipIndex | undefined> {
  const path = join(root, SCIP_FILE);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile()) throw broken("it is not a file");
  if (found.size > MAX_BYTES) throw broken("it has more than 512 MB");
  try {
    const files = await decodeIndex(await readFile(path));
    if (files.length === 0) throw new TypeError("it contains no files");
    return { files, writtenAt: found.mtimeMs };
  } catch (error) {
    throw broken(error instanceof Error ? error.message : String(error), error);
  }
}
