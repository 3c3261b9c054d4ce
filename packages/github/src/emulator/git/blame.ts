import { diffArrays } from "diff";
import type { GitObjects } from "./objects.ts";

export interface BlameRange {
  readonly oid: string;
  readonly startingLine: number;
  readonly endingLine: number;
}

function linesAt(objects: GitObjects, commit: string, path: string): string[] {
  const oid = new Map(objects.filesAt(commit)).get(path);
  const text = oid === undefined ? "" : (objects.blob(oid)?.toString("utf8") ?? "");
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Maps the index of each unchanged line to its index in the earlier version. */
function keptLines(before: readonly string[], after: readonly string[]): Map<number, number> {
  const kept = new Map<number, number>();
  let [old, now] = [0, 0];
  for (const { added, removed, value } of diffArrays([...before], [...after])) {
    if (!added && !removed) value.forEach((_line, index) => kept.set(now + index, old + index));
    if (!added) old += value.length;
    if (!removed) now += value.length;
  }
  return kept;
}

/** The commit that each line of a file comes from. */
class Blame {
  readonly #objects: GitObjects;
  readonly #path: string;
  readonly #known = new Map<string, readonly string[]>();

  constructor(objects: GitObjects, path: string) {
    this.#objects = objects;
    this.#path = path;
  }

  at(head: string): readonly string[] {
    const waiting = [head];
    for (let oid = waiting.at(-1); oid !== undefined; oid = waiting.at(-1)) {
      const parents = this.#objects.commit(oid)?.parents ?? [];
      const missing = parents.filter((parent) => !this.#known.has(parent));
      if (missing.length > 0) waiting.push(...missing);
      else this.#known.set(waiting.pop()!, this.#origins(oid, parents));
    }
    return this.#known.get(head) ?? [];
  }

  #origins(oid: string, parents: readonly string[]): readonly string[] {
    const lines = linesAt(this.#objects, oid, this.#path);
    const origins = lines.map(() => oid);
    for (const parent of parents.toReversed()) {
      const older = this.#known.get(parent) ?? [];
      const kept = keptLines(linesAt(this.#objects, parent, this.#path), lines);
      for (const [now, old] of kept) origins[now] = older[old] ?? oid;
    }
    return origins;
  }
}

/** Neighbouring lines of the same commit form a range, as in `git blame`. */
export function blameRanges(objects: GitObjects, head: string, path: string): BlameRange[] {
  const origins = new Blame(objects, path).at(head);
  const starts = origins.flatMap((oid, index) => (oid === origins[index - 1] ? [] : [index]));
  return starts.map((start, place) => ({
    oid: origins[start]!,
    startingLine: start + 1,
    endingLine: starts[place + 1] ?? origins.length,
  }));
}
