import { isRecord, setOwn } from "../envelope/index.ts";
import { parsePath } from "./path.ts";

/** The parts of a value to keep: the whole value, or only the named members. */
interface Selection {
  isWhole: boolean;
  readonly members: Map<string, Selection>;
  /** The member's name in the data. Absent if the selection uses the same name. */
  readonly from?: string;
}

/** Alternative names of members, by the name in the data. */
export type OtherNames = Readonly<Record<string, readonly string[]>>;

export interface Selected {
  readonly data: unknown;
  /** Paths that do not exist in the data. */
  readonly missing: readonly string[];
}

function addPath(root: Selection, asked: readonly string[], own: readonly string[]): void {
  let node = root;
  for (const [index, key] of asked.entries()) {
    const next = node.members.get(key) ?? { isWhole: false, members: new Map(), from: own[index]! };
    node.members.set(key, next);
    node = next;
  }
  node.isWhole = true;
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
  for (const [key, member] of selection.members) {
    const { from = key } = member;
    if (from !== key && Object.hasOwn(value, from)) setOwn(kept, key, prune(value[from], member));
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

/**
 * The value that a path starts at: the `items` of an answer, except if the answer itself has the
 * first key.
 */
function listOrData(data: unknown, [first = ""]: readonly string[]): unknown {
  const isList = isRecord(data) && Array.isArray(data[LIST]) && !Object.hasOwn(data, first);
  return isList && first !== "*" ? data[LIST] : data;
}

/** For an answer with `items`, `title` means the title of each item. */
function inList(data: unknown, path: readonly string[]): readonly string[] {
  const [first = ""] = path;
  if (!isRecord(data) || !Array.isArray(data[LIST]) || Object.hasOwn(data, first)) return path;
  return first !== "*" && exists(data[LIST], path) ? [LIST, ...path] : path;
}

/** Replaces alternative names in a path by the names that the data has. */
function ownPath(data: unknown, path: readonly string[], names: OtherNames): readonly string[] {
  const own = [...path];
  for (const [index, key] of path.entries()) {
    if (exists(data, own.slice(0, index + 1))) continue;
    const isThere = (name: string): boolean => exists(data, [...own.slice(0, index), name]);
    own[index] =
      Object.keys(names).find((name) => names[name]!.includes(key) && isThere(name)) ?? key;
  }
  return own;
}

/**
 * Keeps only the named paths, such as `number`, `author.login`, `items.*.title` or `items.0`. A
 * list in a path applies to each item, with or without `*`, and `items` may be omitted. A key with
 * a dot is written in double quotes. A member that was named by another name is returned under it.
 */
export function selectPaths(
  data: unknown,
  paths: readonly string[],
  names: OtherNames = {},
): Selected {
  const root: Selection = { isWhole: false, members: new Map() };
  const missing: string[] = [];
  for (const path of paths) {
    const asked = parsePath(path);
    const own = inList(data, ownPath(listOrData(data, asked), asked, names));
    const isListed = own.length > asked.length;
    if (!exists(data, own)) missing.push(path);
    addPath(root, isListed ? [LIST, ...asked] : asked, own);
  }
  return { data: prune(data, root), missing };
}

const MAX_NAMES = 24;

/**
 * The names that a path may start with. A path may omit `items`, so the names of an item come
 * first.
 */
function namesToSelect(value: Record<string, unknown>): string[] {
  const list = value[LIST];
  const item: unknown = Array.isArray(list) ? list[0] : undefined;
  return [...(isRecord(item) ? Object.keys(item) : []), ...Object.keys(value)];
}

/** The names that exist at the first missing part of a path. */
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

function omit(value: Record<string, unknown>, names: readonly string[], leftOut: Set<string>) {
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (names.includes(key)) leftOut.add(key);
    else setOwn(kept, key, member);
  }
  return kept;
}

/**
 * Leaves out fields of an object, or of each item of a list. If an object would become empty, it
 * is kept whole.
 */
export function omitFields(
  data: unknown,
  names: readonly string[],
): { readonly data: unknown; readonly leftOut: readonly string[] } {
  const leftOut = new Set<string>();
  const omitIn = (value: unknown): unknown => {
    const isOther = isRecord(value) && Object.keys(value).some((key) => !names.includes(key));
    return isOther ? omit(value, names, leftOut) : value;
  };
  const list = isRecord(data) ? data[LIST] : data;
  if (!Array.isArray(list)) return { data: omitIn(data), leftOut: [...leftOut] };
  const items = list.map(omitIn);
  return { data: isRecord(data) ? { ...data, [LIST]: items } : items, leftOut: [...leftOut] };
}
