import type { GitCommit, GitObjects } from "./objects.ts";

/** The commit and all its ancestors, newest first. */
export function getHistory(objects: GitObjects, head: string): GitCommit[] {
  const seen = new Map<string, GitCommit>();
  const queue = [head];
  for (let oid = queue.shift(); oid !== undefined; oid = queue.shift()) {
    const commit = objects.commit(oid);
    if (commit === undefined || seen.has(oid)) continue;
    seen.set(oid, commit);
    queue.push(...commit.parents);
  }
  return [...seen.values()].toSorted(newestFirst(seen));
}

/** Sorts by date. For equal dates a child comes before its parents. */
function newestFirst(seen: ReadonlyMap<string, GitCommit>) {
  const order = new Map([...seen.keys()].map((oid, index) => [oid, index]));
  return (a: GitCommit, b: GitCommit): number =>
    b.committer.date.localeCompare(a.committer.date) || order.get(a.oid)! - order.get(b.oid)!;
}

/** The commits of `head` that are not in `base`, oldest first, as a pull request lists them. */
export function commitsBetween(objects: GitObjects, base: string, head: string): GitCommit[] {
  const known = new Set(getHistory(objects, base).map(({ oid }) => oid));
  return getHistory(objects, head)
    .filter(({ oid }) => !known.has(oid))
    .toReversed();
}

export function mergeBase(objects: GitObjects, a: string, b: string): string | undefined {
  const known = new Set(getHistory(objects, a).map(({ oid }) => oid));
  return getHistory(objects, b).find(({ oid }) => known.has(oid))?.oid;
}

/** The commits that changed a path: its blob or tree differs from that of every parent. */
export function touching(
  objects: GitObjects,
  commits: readonly GitCommit[],
  path: string,
): GitCommit[] {
  return commits.filter((commit) => {
    const own = entryAt(objects, commit.oid, path);
    if (commit.parents.length === 0) return own !== "";
    return commit.parents.every((parent) => entryAt(objects, parent, path) !== own);
  });
}

/** The entry at a path, as one comparable string. */
function entryAt(objects: GitObjects, commit: string, path: string): string {
  return [...objects.filesAt(commit)]
    .filter(([name]) => name === path || name.startsWith(`${path}/`))
    .map((pair) => pair.join(" "))
    .join("\n");
}
