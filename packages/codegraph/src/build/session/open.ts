import { realpathSync, statSync } from "node:fs";
import type { OpenCodeGraph, OpenGraphOptions } from "./types.ts";
import { walkTree } from "./walk-tree.ts";

/** Opens the graph of a folder: the saved one where it still holds, else one of modules. */
export async function openCodeGraph(options: OpenGraphOptions): Promise<OpenCodeGraph> {
  const { signal } = options;
  signal?.throwIfAborted();
  const root = checkedRoot(options.root);
  const walked = walkTree(root, signal);
  // Looked at by the session, which is loaded while git is at work.
  walked.catch(() => undefined);
  const { GraphSession } = await import("./session.ts");
  const session = new GraphSession(root, options);
  await session.open(walked);
  return session;
}

function checkedRoot(root: string): string {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TypeError(`${root} is no folder; pass the folder that holds the source files`);
  }
  return realpathSync(root);
}
