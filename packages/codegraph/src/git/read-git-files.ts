import { statSync } from "node:fs";
import type { Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readPlainFileSync } from "@waybill/state/files";
import { runGit } from "./run.ts";
import type { GitRun } from "./run.ts";

/** The largest file of git to read. Its files are small, except for a list of many branches. */
const MAX_BYTES = 64_000_000;

/**
 * Reads plain files only. A link to a device, as an unpacked archive may have, would never end.
 */
export function readGitFile(file: string): string {
  return String(readPlainFileSync(file, MAX_BYTES));
}

const COMMIT = /^[0-9a-f]{40,64}$/;

/** The commit that is checked out; undefined if there is none. */
export async function headRev(options: GitRun): Promise<string | undefined> {
  const read = readHead(options.cwd);
  if (read !== undefined) return read;
  const output = await runGit(["rev-parse", "--verify", "--quiet", "HEAD"], options);
  return output?.trim() || undefined;
}

/**
 * Reads the commit from git's files, which is faster than running git. Undefined in unusual cases,
 * for which git is run.
 */
export function readHead(folder: string): string | undefined {
  try {
    const own = gitFolderAbove(folder);
    const head = own === undefined ? undefined : readGitFile(join(own, "HEAD")).trim();
    if (own === undefined || head === undefined || COMMIT.test(head)) return head;
    const ref = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
    if (ref === undefined || ref.includes("..")) return undefined;
    const rev = readRef(commonFolder(own), ref);
    return rev !== undefined && COMMIT.test(rev) ? rev : undefined;
  } catch {
    return undefined;
  }
}

/** A branch has its own file, or a line in `packed-refs`, as in every new clone. */
function readRef(folder: string, ref: string): string | undefined {
  try {
    return readGitFile(join(folder, ref)).trim();
  } catch {
    const lines = readGitFile(join(folder, "packed-refs")).split("\n");
    return lines.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
  }
}

/** A stamp that changes with the index; undefined if it cannot be read. */
export function indexStamp(folder: string): string | undefined {
  const found = indexStats(folder);
  return found && `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/** The size of git's index; 0 if there is none. */
export function indexBytes(folder: string): number {
  return indexStats(folder)?.size ?? 0;
}

function indexStats(folder: string): Stats | undefined {
  try {
    const own = gitFolderAbove(folder);
    return own === undefined ? undefined : statSync(join(own, "index"), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The git folder of a checkout. A worktree has a file that names the folder. */
export function gitFolderAbove(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const place = join(folder, ".git");
    const found = statSync(place, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return place;
    const isFile = found?.isFile() === true;
    const named = isFile ? /^gitdir: (.+)$/m.exec(readGitFile(place))?.[1] : undefined;
    if (found) return named === undefined ? undefined : resolve(folder, named);
    if (folder === dirname(folder)) return undefined;
  }
}

/** The folder with the branches, which the git folder of a worktree names. */
export function commonFolder(own: string): string {
  try {
    return resolve(own, readGitFile(join(own, "commondir")).trim());
  } catch {
    return own;
  }
}
