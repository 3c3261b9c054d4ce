import { realpath, rm, rmdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { leadsOut, readPlainFile, writeWhole } from "@waybill/state/files";
import type { SetupFolders } from "./agents.ts";
import { refuseFile } from "./piece.ts";
import type { Piece } from "./piece.ts";

/** The change to one file. */
export interface Change {
  readonly path: string;
  /** Undefined if the file does not exist yet. */
  readonly before: string | undefined;
  /** Undefined if the file is deleted. */
  readonly after: string | undefined;
}

const MAX_BYTES = 32_000_000;

/** The text of a file; undefined if it does not exist. */
export async function readFileText(path: string): Promise<string | undefined> {
  const bytes = await readPlainFile(path, MAX_BYTES).catch((error: unknown) => {
    const code: unknown = Reflect.get(Object(error), "code");
    if (code === "ENOENT") return undefined;
    if (code === "EFBIG") {
      throw refuseFile(path, "is too large", "Check that it is the right file");
    }
    throw refuseFile(path, "cannot be read", "Check the permissions of the file");
  });
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuseFile(path, "is not UTF-8 text", "Fix the file, then run this again");
  }
}

async function readChange(piece: Piece, isRemoval: boolean): Promise<Change> {
  const before = await readFileText(piece.path);
  if (!isRemoval) return { path: piece.path, before, after: piece.add(before) };
  return { path: piece.path, before, after: before && piece.remove(before) };
}

/** Plans the changes without writing. If one file cannot be changed, none is. */
export async function plannedChanges(
  pieces: readonly Piece[],
  isRemoval: boolean,
): Promise<readonly Change[]> {
  // Several agents read the same AGENTS.md, so they share one block in it.
  const byPath = new Map(pieces.map((piece) => [piece.path, piece]));
  const changes = await Promise.all(
    [...byPath.values()].map((piece) => readChange(piece, isRemoval)),
  );
  return changes.filter(({ before, after }) => before !== after);
}

/** The files in which `--remove` keeps a part, because the user changed it. */
export async function keptFiles(pieces: readonly Piece[]): Promise<readonly string[]> {
  const kept = await Promise.all(
    pieces.map(async ({ path, keepsOwn }) => {
      const text = await readFileText(path);
      return text !== undefined && keepsOwn?.(text) === true ? [path] : [];
    }),
  );
  return kept.flat();
}

export interface OtherServer {
  readonly path: string;
  readonly words: readonly string[];
}

/** The entries that a user changed, so setup keeps them, and that start another copy of Waybill. */
export async function otherServers(
  pieces: readonly Piece[],
  launcher: readonly string[],
): Promise<readonly OtherServer[]> {
  const found = await Promise.all(
    pieces.map(async ({ path, keepsOwn, server }) => {
      const text = await readFileText(path);
      if (text === undefined || keepsOwn?.(text) !== true) return [];
      const words = server?.(text)?.words ?? launcher;
      return launcher.every((word, at) => words[at] === word) ? [] : [{ path, words }];
    }),
  );
  return found.flat();
}

/**
 * Refuses symbolic links that lead out of a project. A clone can contain such a link to a private
 * file, for example from AGENTS.md to ~/.bashrc. Links in the home folder are allowed, because the
 * user created them.
 */
export async function assertOwnFiles(
  changes: readonly Change[],
  { root, isUsers }: SetupFolders,
): Promise<void> {
  for (const { path } of isUsers ? [] : changes) {
    if (!(await leadsOut(root, path))) continue;
    const hint = "Replace the link by a file, then run this again";
    throw refuseFile(path, "is a link that leads out of this folder", hint);
  }
}

/**
 * Deletes a file and its empty parent folders, up to the folder that was set up. If the path is a
 * link, which the user made, the link stays and its target is deleted.
 */
async function removeFile(path: string, root: string): Promise<void> {
  await rm(await realpath(path), { force: true });
  for (let folder = dirname(path); folder.startsWith(join(root, sep)); folder = dirname(folder)) {
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

export async function applyChanges(changes: readonly Change[], root: string): Promise<void> {
  for (const { path, after } of changes) {
    await (after === undefined ? removeFile(path, root) : writeWhole(path, after));
  }
}
