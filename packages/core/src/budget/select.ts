import { isRecord, setOwn } from "../envelope/index.ts";

/** What to keep below a place: everything, or only the named members. */
interface Selection {
  isWhole: boolean;
  readonly members: Map<string, Selection>;
}

export interface Selected {
  readonly data: unknown;
  /** Paths that name nothing in the data. */
  readonly missing: readonly string[];
}

function toTree(paths: readonly string[]): Selection {
  const root: Selection = { isWhole: false, members: new Map() };
  for (const path of paths) {
    let node = root;
    for (const key of path.split(".")) {
      const next = node.members.get(key) ?? { isWhole: false, members: new Map() };
      node.members.set(key, next);
      node = next;
    }
    node.isWhole = true;
  }
  return root;
}

function prune(value: unknown, selection: Selection): unknown {
  if (selection.isWhole) return value;
  if (Array.isArray(value)) {
    const each = selection.members.get("*") ?? selection;
    return value.map((item) => prune(item, each));
  }
  return isRecord(value) ? pruneMembers(value, selection) : value;
}

function pruneMembers(value: Record<string, unknown>, selection: Selection): unknown {
  const kept: Record<string, unknown> = {};
  const every = selection.members.get("*");
  for (const key of Object.keys(value)) {
    const member = selection.members.get(key) ?? every;
    if (member !== undefined) setOwn(kept, key, prune(value[key], member));
  }
  return kept;
}

function exists(value: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys;
  if (key === undefined) return true;
  if (Array.isArray(value)) {
    const below = key === "*" ? rest : keys;
    return value.length === 0 || value.some((item) => exists(item, below));
  }
  if (!isRecord(value)) return false;
  if (key === "*") return Object.values(value).some((member) => exists(member, rest));
  return Object.hasOwn(value, key) && exists(value[key], rest);
}

/**
 * Keeps only the named paths, such as `number`, `author.login` or `items.*.title`. A list on the
 * way is gone through item by item, with or without the `*`.
 */
export function selectPaths(data: unknown, paths: readonly string[]): Selected {
  const missing = paths.filter((path) => !exists(data, path.split(".")));
  return { data: prune(data, toTree(paths)), missing };
}
