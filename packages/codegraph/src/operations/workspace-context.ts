import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { WorkspaceContext } from "@waybill/core";
import { originName } from "../git/repository-name.ts";
import { gitFolderAbove, readHead } from "../git/read-git-files.ts";
import { GIT_FLAGS, gitEnvironment } from "../git/run.ts";

export const REV_LENGTH = 12;
const GIT_LIMIT_MS = 10_000;

/** Asks git for the commit if git's files are unusual; undefined if nothing is checked out. */
function askGit(cwd: string): string | undefined {
  const args = [...GIT_FLAGS, "rev-parse", "--verify", "--quiet", "HEAD"];
  const options = { cwd, env: gitEnvironment(), timeout: GIT_LIMIT_MS, encoding: "utf8" } as const;
  return spawnSync("git", args, options).stdout?.trim() || undefined;
}

/** The name of the tree's repository, or of its folder. */
export function repositoryName(root: string): string {
  return originName(root) ?? (basename(root) || root);
}

export function makeContext(
  root: string,
  rev: string | undefined,
  repoName: string = repositoryName(root),
): WorkspaceContext {
  return rev === undefined ? { root, repoName } : { root, repoName, rev: rev.slice(0, REV_LENGTH) };
}

/** Git is not run outside of a repository, because that would block the process for nothing. */
function mayBeInGit(folder: string): boolean {
  try {
    return gitFolderAbove(folder) !== undefined || existsSync(join(folder, "HEAD"));
  } catch {
    return true;
  }
}

/**
 * Describes the tree of an answer: its root, the name of its repository, and the commit that is
 * checked out, if any.
 */
export function getWorkspaceContext(root: string = process.cwd()): WorkspaceContext {
  const folder = resolve(root);
  const rev = readHead(folder) ?? (mayBeInGit(folder) ? askGit(folder) : undefined);
  return makeContext(folder, rev);
}
