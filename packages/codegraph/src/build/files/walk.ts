import { existsSync, lstatSync, readdirSync } from "node:fs";
import type { Dirent, Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { readPlainFileSync } from "@waybill/state/files";
import { gitFolderAbove } from "../../git/read-git-files.ts";
import { runGit, splitZero } from "../../git/run.ts";
import { isIgnored, parseIgnore } from "./ignore.ts";
import type { IgnoreScope } from "./ignore.ts";

/** Path, size and time of a file on disk. */
export interface Stamp {
  /** The path relative to the root, with `/`. */
  readonly path: string;
  readonly mtimeMs: number;
  readonly size: number;
}

/** Files that belong to the tree but are not on disk. */
export interface AbsentFiles {
  /** Folders of other repositories. */
  readonly submodules: readonly string[];
  /** How many files a sparse checkout leaves out. */
  readonly missing: number;
}

export interface WalkedFiles {
  readonly stamps: readonly Stamp[];
  readonly absent: AbsentFiles;
}

export interface WalkOptions {
  readonly signal?: AbortSignal;
}

/** The longest time without a pause, so that other work of the process can continue. */
const SLICE_MS = 12;
const MAX_FILES = 500_000;
const MAX_DEPTH = 64;
const MAX_IGNORE_BYTES = 4_000_000;
const NEVER = new Set([".git", "node_modules", ".hg", ".svn"]);
const OWN_CACHE = ".waybill/graph/cache";
/**
 * Files of Yarn, which stores its program and packages in the repository. Like node_modules, they
 * are not the repository's own code.
 */
const OF_YARN =
  /(?:^|\/)(?:\.yarn\/(?:releases|sdks|cache|unplugged)\/|\.pnp\.(?:loader\.)?[cm]?js$)/;

function isNever(path: string): boolean {
  if (path.startsWith(`${OWN_CACHE}/`) || OF_YARN.test(path)) return true;
  return path.split("/").some((part) => NEVER.has(part));
}

/** The paths that a walk would include. Only their location is checked. */
export function walkedPaths(paths: readonly string[]): string[] {
  return paths.filter((path) => !isNever(path)).slice(0, MAX_FILES);
}

/**
 * Lists every file below the root that git would track, sorted by path. Links are not followed:
 * their target is listed anyway, or is outside of the tree. Submodules are separate repositories.
 */
export async function walk(root: string, { signal }: WalkOptions = {}): Promise<WalkedFiles> {
  const listed = await listByGit(root, signal);
  signal?.throwIfAborted();
  // If git ignores the root itself, it lists nothing, and the folder is walked without git.
  const submodules: string[] = [];
  const paths = listed?.length ? listed : walkFolders(root, submodules, signal);
  const stamps: Stamp[] = [];
  let missing = 0;
  let sliceEnd = performance.now() + SLICE_MS;
  for (const path of paths) {
    const stamp = findStamp(root, path);
    if (stamp) stamps.push(stamp);
    else if (isFolder(root, path)) submodules.push(path);
    else missing += 1;
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    signal?.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
  stamps.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { stamps, absent: { submodules, missing: isSparse(root) ? missing : 0 } };
}

/** Git lists only files, so a listed folder is another repository. */
function isFolder(root: string, path: string): boolean {
  return readStats(root, path)?.isDirectory() === true;
}

/** Only in a sparse checkout are listed files missing on purpose; otherwise they were deleted. */
function isSparse(root: string): boolean {
  const git = gitFolderAbove(root);
  return git !== undefined && existsSync(join(git, "info", "sparse-checkout"));
}

/** Undefined for anything but a plain file: missing, a folder, a link or a device. */
export function findStamp(root: string, path: string): Stamp | undefined {
  const stats = readStats(root, path);
  if (!stats?.isFile()) return undefined;
  return { path, mtimeMs: stats.mtimeMs, size: stats.size };
}

async function listByGit(root: string, signal?: AbortSignal): Promise<string[] | undefined> {
  const output = await runGit(["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: root,
    ...(signal && { signal }),
  });
  if (output === undefined) return undefined;
  const paths = splitZero(output).filter((path) => !isNever(path));
  return [...new Set(paths)].slice(0, MAX_FILES);
}

function walkFolders(root: string, submodules: string[], signal?: AbortSignal): string[] {
  const found: string[] = [];
  const exclude = getRules(join(root, ".git/info/exclude"));
  const top: IgnoreScope = { folder: "", rules: exclude, parent: undefined };
  const pending = [{ folder: "", scope: top, depth: 0 }];
  for (let next = pending.pop(); next && found.length < MAX_FILES; next = pending.pop()) {
    signal?.throwIfAborted();
    const { folder, depth } = next;
    const scope = { folder, rules: getRules(join(root, folder, ".gitignore")), parent: next.scope };
    for (const entry of getEntries(join(root, folder))) {
      const path = folder + entry.name;
      if (isNever(path) || isIgnored(scope, path, entry.isDirectory())) continue;
      if (entry.isFile()) found.push(path);
      else if (!entry.isDirectory()) continue;
      else if (isRepository(root, path)) submodules.push(path);
      else if (depth < MAX_DEPTH) {
        pending.push({ folder: `${path}/`, scope, depth: depth + 1 });
      }
    }
  }
  return found;
}

function getEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function getRules(file: string): IgnoreScope["rules"] {
  try {
    return parseIgnore(String(readPlainFileSync(file, MAX_IGNORE_BYTES)));
  } catch {
    return [];
  }
}

/** A folder with its own `.git` is a submodule or a nested checkout. */
function isRepository(root: string, path: string): boolean {
  return readStats(root, `${path}/.git`) !== undefined;
}

/** Undefined also if the folder may not be entered or the path is longer than the system allows. */
function readStats(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(join(root, path));
  } catch {
    return undefined;
  }
}
