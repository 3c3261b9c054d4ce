import { structuredPatch } from "diff";
import type { StructuredPatchHunk } from "diff";
import type { GitObjects } from "./objects.ts";

type FileStatus = "added" | "removed" | "modified" | "renamed";

export interface FileChange {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: FileStatus;
  readonly oid: string;
  readonly oldOid: string | null;
  readonly additions: number;
  readonly deletions: number;
  /** The text of the hunks, as in REST's `patch`; null for a binary file. */
  readonly patch: string | null;
}

const NO_BLOB = "0000000";

/** The changes between two commits, file by file. */
export function changesBetween(objects: GitObjects, from: string | null, to: string): FileChange[] {
  const before = new Map(from === null ? [] : objects.filesAt(from));
  const after = objects.filesAt(to);
  const changes: FileChange[] = [];
  for (const [path, oid] of after) {
    const old = before.get(path);
    if (old === oid) continue;
    if (old !== undefined) changes.push(describeChange(objects, "modified", path, [old, oid]));
    else changes.push(addedOrRenamed(objects, { path, oid }, before, after));
  }
  const moved = new Set(changes.map(({ previousPath }) => previousPath));
  for (const [path, oid] of before) {
    if (after.has(path) || moved.has(path)) continue;
    changes.push(describeChange(objects, "removed", path, [oid, null]));
  }
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** A file counts as renamed only if its content is unchanged. */
function addedOrRenamed(
  objects: GitObjects,
  { path, oid }: { readonly path: string; readonly oid: string },
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): FileChange {
  const source = [...before].find(([old, blob]) => blob === oid && !after.has(old))?.[0];
  if (source === undefined) return describeChange(objects, "added", path, [null, oid]);
  return { ...describeChange(objects, "renamed", path, [oid, oid]), previousPath: source };
}

function describeChange(
  objects: GitObjects,
  status: FileStatus,
  path: string,
  [old, oid]: readonly [string | null, string | null],
): FileChange {
  const hunks = getHunks(objects, old, oid);
  const lines = hunks?.flatMap(({ lines: some }) => some) ?? [];
  return {
    path,
    previousPath: null,
    status,
    oid: oid ?? old!,
    oldOid: old,
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
    patch: hunks?.map(hunkText).join("\n") ?? null,
  };
}

function getHunks(
  objects: GitObjects,
  old: string | null,
  oid: string | null,
): StructuredPatchHunk[] | undefined {
  const texts = [old, oid].map((one) => (one === null ? Buffer.alloc(0) : objects.blob(one)!));
  if (texts.some((text) => text.includes(0))) return undefined;
  const [before, after] = texts.map((text) => text.toString("utf8"));
  return structuredPatch("", "", before!, after!, "", "", { context: 3 }).hunks;
}

function side(start: number, count: number): string {
  const first = count === 0 ? start - 1 : start;
  return count === 1 ? String(first) : `${first},${count}`;
}

function hunkText({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  return [`@@ -${side(oldStart, oldLines)} +${side(newStart, newLines)} @@`, ...lines].join("\n");
}

/** All changes in the format of `git diff`. */
export function diffText(changes: readonly FileChange[]): string {
  return changes.map(fileDiff).join("");
}

function fileDiff(change: FileChange): string {
  const { path, previousPath, status, oid, oldOid, patch } = change;
  const old = previousPath ?? path;
  const head = [`diff --git a/${old} b/${path}`];
  if (status === "renamed") {
    return `${[...head, "similarity index 100%", `rename from ${old}`, `rename to ${path}`].join("\n")}\n`;
  }
  if (status === "added") head.push("new file mode 100644");
  if (status === "removed") head.push("deleted file mode 100644");
  const ids = [oldOid?.slice(0, 7) ?? NO_BLOB, status === "removed" ? NO_BLOB : oid.slice(0, 7)];
  head.push(`index ${ids.join("..")}${status === "modified" ? " 100644" : ""}`);
  const names = [
    status === "added" ? "/dev/null" : `a/${old}`,
    status === "removed" ? "/dev/null" : `b/${path}`,
  ];
  if (patch === null)
    return `${[...head, `Binary files ${names.join(" and ")} differ`].join("\n")}\n`;
  if (patch === "") return `${head.join("\n")}\n`;
  return `${[...head, `--- ${names[0]!}`, `+++ ${names[1]!}`, patch].join("\n")}\n`;
}
