import { applyPatch, structuredPatch } from "diff";
import { mergeBase } from "./history.ts";
import type { Files, GitObjects } from "./objects.ts";

/** The files after a three-way merge; undefined if both sides changed the same lines. */
export function mergeFiles(objects: GitObjects, ours: string, theirs: string): Files | undefined {
  const base = objects.filesAt(mergeBase(objects, ours, theirs) ?? "");
  const mine = objects.filesAt(ours);
  const other = objects.filesAt(theirs);
  const merged = new Map<string, string>();
  for (const path of new Set([...base.keys(), ...mine.keys(), ...other.keys()])) {
    const oid = mergeFile(objects, [base.get(path), mine.get(path), other.get(path)]);
    if (oid === "conflict") return undefined;
    if (oid !== undefined) merged.set(path, oid);
  }
  return merged;
}

type Version = string | undefined;
type Versions = readonly [base: Version, ours: Version, theirs: Version];

function mergeFile(objects: GitObjects, [base, ours, theirs]: Versions): string | undefined {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  if (base === undefined || ours === undefined || theirs === undefined) return "conflict";
  const [from, mine, to] = [base, ours, theirs].map((oid) => objects.blob(oid)!.toString("utf8"));
  const patch = structuredPatch("", "", from!, to!, "", "", { context: 1 });
  const text = applyPatch(mine!, patch);
  return text === false ? "conflict" : objects.writeBlob(Buffer.from(text));
}
