import { isRecord, setOwn } from "../envelope/index.ts";
import { parsePath } from "./path.ts";

/** The parts to keep below a path: everything, or only the named members. */
interface Selection {
  isWhole: boolean;
  readonly members: Map<string, Selection>;
}

export interface Selected {
  readonly data: unknown;
  /** Paths that do not exist in the data. */
  readonly missing: readonly string[];
}

function toTree(paths: readonly (readonly string[])[]): Selection {
  const root: Selection = { isWhole: false, members: new Map() };
  for (const path of paths) {
    let node = root;
    for (const key of path) {
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
    return pruneItems(value, selection);
  }
  return isRecord(value) ? pruneMembers(value, selection) : value;
}

/** Applies the selection to the items with the given numbers, or to every item. */
function pruneItems(list: readonly unknown[], selection: Selection): unknown[] {
  const every = selection.members.get("*");
  const picked = [...selection.members.keys()].filter((key) => isIndex(key));
  if (every === undefined && picked.length > 0) {
    const indexes = picked.map(Number).toSorted((a, b) => a - b);
    return indexes
      .filter((index) => index < list.length)
      .map((index) => prune(list[index], selection.members.get(String(index))!));
  }
  return list.map((item) => prune(item, every ?? selection));
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

function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(key);
}

function exists(value: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys;
  if (key === undefined) return true;
  if (Array.isArray(value)) {
    if (isIndex(key)) return Number(key) < value.length && exists(value[Number(key)], rest);
    const below = key === "*" ? rest : keys;
    return value.length === 0 || value.some((item) => exists(item, below));
  }
  if (!isRecord(value)) return false;
  if (key === "*") return Object.values(value).some((member) => exists(member, rest));
  return Object.hasOwn(value, key) && exists(value[key], rest);
}

const LIST = "items";

/** For an answer with `items`, `title` means the title of each item. */
function inList(data: unknown, path: readonly string[]): readonly string[] {
  const [first = ""] = path;
  if (!isRecord(data) || !Array.isArray(data[LIST]) || Object.hasOwn(data, first)) return path;
  return first !== "*" && exists(data[LIST], path) ? [LIST, ...path] : path;
}

/**
 * Keeps only the named paths, such as `number`, `author.login`, `items.*.title` or `items.0`. A
 * list in a path applies to each item, with or without `*`, and `items` may be omitted. A key with
 * a dot is written in double quotes.
 */
export function selectPaths(data: unknown, paths: readonly string[]): Selected {
  const parsed = paths.map((path) => inList(data, parsePath(path)));
  const missing = paths.filter((_, index) => !exists(data, parsed[index]!));
  return { data: prune(data, toTree(parsed)), missing };
}

const MAX_NAMES = 24;

/** The names of an object. A path may omit `items`, so names of an item come first. */
function namesToSelect(value: Record<string, unknown>): string[] {
  const list = value[LIST];
  const item: unknown = Array.isArray(list) ? list[0] : undefined;
  return [...(isRecord(item) ? Object.keys(item) : []), ...Object.keys(value)];
}

/** The names that exist where the first missing part of a path was expected. */
export function namesBeside(data: unknown, path: string): readonly string[] {
  let current = data;
  for (const key of parsePath(path)) {
    while (Array.isArray(current)) current = (current as readonly unknown[])[0];
    if (key === "*") continue;
    if (!isRecord(current)) return [];
    if (!Object.hasOwn(current, key)) return namesToSelect(current).slice(0, MAX_NAMES);
    current = current[key];
  }
  return [];
}
