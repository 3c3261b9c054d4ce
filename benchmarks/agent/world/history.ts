import type { Store } from "@waybill/github/emulator";

type Objects = Store["objects"];

/** A commit and all its ancestors. */
export function reachable(objects: Objects, from: string): Set<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (seen.has(oid)) continue;
    seen.add(oid);
    open.push(...(objects.commit(oid)?.parents ?? []));
  }
  return seen;
}

export interface Divergence {
  readonly ahead: number;
  readonly behind: number;
  /** Paths that changed since the common ancestor. */
  readonly files: string[];
}

/** How a branch differs from another, computed only from the commits. */
export function divergence(objects: Objects, base: string, head: string): Divergence {
  const [ofBase, ofHead] = [reachable(objects, base), reachable(objects, head)];
  const own = [...ofHead].filter((oid) => !ofBase.has(oid));
  const others = [...ofBase].filter((oid) => !ofHead.has(oid));
  const parents = own.flatMap((oid) => objects.commit(oid)?.parents ?? []);
  const parted = parents.find((oid) => ofBase.has(oid)) ?? head;
  const [before, after] = [objects.filesAt(parted), objects.filesAt(head)];
  const paths = new Set([...before.keys(), ...after.keys()]);
  const files = [...paths].filter((path) => before.get(path) !== after.get(path));
  return { ahead: own.length, behind: others.length, files };
}
