import type { CardFunctions } from "@waybill/core/cards";
import { getNumber, over, stringParam } from "./typed.ts";
import type { Params } from "./typed.ts";

/** A changed file in REST. */
interface RestFile {
  readonly filename: string;
  readonly previous_filename?: string;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  /** Absent for a binary file or a very large change. */
  readonly patch?: string;
}

interface ChangedFile {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
}

interface FileDiff extends ChangedFile {
  /** The number of hunks; null if GitHub returns no text. */
  readonly hunks: number | null;
  readonly patch: string | null;
  /** The first hunk that is not included. */
  readonly nextHunk: number | null;
}

/** Maps REST's status of a file to that of GraphQL. */
const STATUSES: Readonly<Record<string, string>> = {
  added: "ADDED",
  removed: "DELETED",
  modified: "MODIFIED",
  renamed: "RENAMED",
  copied: "COPIED",
};

function changedFile(file: RestFile): ChangedFile {
  return {
    path: file.filename,
    previousPath: file.previous_filename ?? null,
    status: STATUSES[file.status] ?? "CHANGED",
    additions: file.additions,
    deletions: file.deletions,
  };
}

/** Splits at the `@@` lines. No other line of a patch starts with an @. */
export function splitHunks(patch: string): string[] {
  return patch.split(/^(?=@@ )/mu).filter((hunk) => hunk !== "");
}

export interface HunkPage {
  readonly text: string;
  readonly nextHunk: number | null;
}

/**
 * The hunks that fit, starting with the given number (the first hunk is 1). Returns at least one,
 * and cuts it if it is too long.
 */
export function pageHunks(hunks: readonly string[], from: number, maxLines: number): HunkPage {
  const lines: string[] = [];
  for (const [index, hunk] of hunks.slice(from - 1).entries()) {
    const own = hunk.replace(/\n$/u, "").split("\n");
    if (index > 0 && lines.length + own.length > maxLines) {
      return { text: lines.join("\n"), nextHunk: from + index };
    }
    lines.push(...cut(own, maxLines));
  }
  return { text: lines.join("\n"), nextHunk: null };
}

/** A diff has no lines in brackets, so this line cannot be mistaken for content. */
function cut(lines: readonly string[], maxLines: number): readonly string[] {
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `[${lines.length - maxLines} more lines in this hunk]`];
}

const MAX_LINES = 300;

function getDiff(file: RestFile, params: Params): FileDiff {
  const facts = changedFile(file);
  if (file.patch === undefined) return { ...facts, hunks: null, patch: null, nextHunk: null };
  const hunks = splitHunks(file.patch);
  const from = getNumber(params, "fromHunk", 1);
  const { text: patch, nextHunk } = pageHunks(
    hunks,
    from,
    getNumber(params, "maxLines", MAX_LINES),
  );
  return { ...facts, hunks: hunks.length, patch, nextHunk };
}

function isAsked({ filename, previous_filename: previous }: RestFile, path?: string): boolean {
  return path === undefined || path === filename || path === previous;
}

/** The files with their hunks, or only the file in the input. */
function fileDiffs(files: readonly RestFile[], params: Params): FileDiff[] {
  return files
    .filter((file) => isAsked(file, stringParam(params, "path")))
    .map((file) => getDiff(file, params));
}

export const diffFunctions: CardFunctions = {
  fileDiffs: over(fileDiffs),
  changedFiles: over((files: readonly RestFile[], params) =>
    params["diff"] === true ? fileDiffs(files, params) : files.map(changedFile),
  ),
};
