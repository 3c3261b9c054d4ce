import { headRev } from "../../git/read-git-files.ts";
import { walk } from "../files/walk.ts";
import type { WalkedFiles } from "../files/walk.ts";

/** The files of a tree on disk, and the commit that is checked out. */
export type Walked = readonly [walked: WalkedFiles, rev: string | undefined];

export function walkTree(root: string, signal: AbortSignal | undefined): Promise<Walked> {
  const options = { cwd: root, ...(signal && { signal }) };
  return Promise.all([walk(root, options), headRev(options)]);
}
