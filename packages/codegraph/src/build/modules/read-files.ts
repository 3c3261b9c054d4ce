import type { Stamp } from "../files/walk.ts";
import { readFile } from "./read-file.ts";
import type { ReadFile } from "./read-file.ts";

export interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly onRead?: (done: number, total: number) => void;
}

/**
 * The parser works on threads of its own, and waking one costs more than parsing a small file, so
 * they are given much at once; how much is bounded by what the texts take.
 */
const BATCH_FILES = 2048;
const BATCH_BYTES = 32 * 1024 * 1024;

/** Reads many files, many at a time, in the given order. */
export async function readFiles(
  root: string,
  stamps: readonly Stamp[],
  { signal, onRead }: ReadOptions = {},
): Promise<ReadFile[]> {
  const files: ReadFile[] = [];
  let done = 0;
  const read = async (stamp: Stamp): Promise<ReadFile> => {
    signal?.throwIfAborted();
    const file = await readFile(root, stamp);
    signal?.throwIfAborted();
    onRead?.(++done, stamps.length);
    return file;
  };
  for (const batch of batchesOf(stamps)) files.push(...(await Promise.all(batch.map(read))));
  return files;
}

function* batchesOf(stamps: readonly Stamp[]): Generator<Stamp[]> {
  let batch: Stamp[] = [];
  let bytes = 0;
  for (const stamp of stamps) {
    batch.push(stamp);
    bytes += stamp.size;
    if (batch.length < BATCH_FILES && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
