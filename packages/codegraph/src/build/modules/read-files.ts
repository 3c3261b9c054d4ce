import type { Stamp } from "../files/walk.ts";
import { readFile } from "./read-file.ts";
import type { ReadFile } from "./read-file.ts";

export interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly onRead?: (done: number, total: number) => void;
}

/** The parser works on threads of its own; more texts than this at once only cost memory. */
const IN_FLIGHT = 64;

/** Reads many files, several at a time, in the given order. */
export async function readFiles(
  root: string,
  stamps: readonly Stamp[],
  { signal, onRead }: ReadOptions = {},
): Promise<ReadFile[]> {
  const files = Array.from<ReadFile>({ length: stamps.length });
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (next < stamps.length) {
      signal?.throwIfAborted();
      const place = next++;
      files[place] = await readFile(root, stamps[place]!);
      onRead?.(++done, stamps.length);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return files;
}
