import { existsSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { indexBytes } from "../../git/read-git-files.ts";
import { CACHE_FOLDER } from "../../settings/index.ts";
import type { GraphCache } from "../cache/graph-cache.ts";
import { FILES_WORTH_THREADS, Thread } from "../workers/threads.ts";
import type { OpenCodeGraph, OpenGraphOptions } from "./types.ts";
import { walkTree } from "./walk-tree.ts";

/**
 * Opens the graph of a folder: the saved one if it is still valid, otherwise a new module graph.
 */
export async function openCodeGraph(options: OpenGraphOptions): Promise<OpenCodeGraph> {
  const { signal } = options;
  signal?.throwIfAborted();
  const root = checkedRoot(options.root);
  const walked = walkTree(root, signal);
  if (isMuchToRead(root, options)) Thread.begin("modules");
  // The error is ignored here, because the session handles it. The session's code is loaded while
  // git runs.
  walked.catch(() => undefined);
  const [{ GraphSession }, cache] = await Promise.all([
    import("./session.ts"),
    options.cache === false ? undefined : openCache(root),
  ]);
  const session = new GraphSession(root, options, cache);
  await session.open(walked);
  return session;
}

/** The approximate size of a file's entry in git's index. */
const ENTRY_BYTES = 100;

/**
 * Estimates whether a thread will be needed before the files are listed, so that the thread can
 * start early.
 */
function isMuchToRead(root: string, { cache }: OpenGraphOptions): boolean {
  if (cache !== false && existsSync(join(root, CACHE_FOLDER))) return false;
  return indexBytes(root) > FILES_WORTH_THREADS * ENTRY_BYTES;
}

async function openCache(root: string): Promise<GraphCache> {
  const { GraphCache } = await import("../cache/graph-cache.ts");
  return new GraphCache(root);
}

function checkedRoot(root: string): string {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TypeError(`${root} is not a folder; pass the folder with the source files`);
  }
  return realpathSync(root);
}
