import { realpathSync, statSync } from "node:fs";
import { GraphSession } from "./session.ts";
import type { OpenCodeGraph, OpenGraphOptions } from "./types.ts";

/** Opens the graph of a folder: the saved one where it still holds, else one of modules. */
export async function openCodeGraph(options: OpenGraphOptions): Promise<OpenCodeGraph> {
  options.signal?.throwIfAborted();
  const session = new GraphSession(checkedRoot(options.root), options);
  await session.open();
  return session;
}

function checkedRoot(root: string): string {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TypeError(`${root} is no folder; pass the folder that holds the source files`);
  }
  return realpathSync(root);
}
