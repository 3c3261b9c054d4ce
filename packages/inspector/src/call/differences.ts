/** A member that differs between two values. */
export interface Difference {
  /** A path such as `data.items.0.title`; empty for the whole value. */
  readonly path: string;
  /** The value as shortened JSON; undefined if it is absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The most differences to show. */
export const MAX_DIFFERENCES = 100;
const MAX_DEPTH = 12;
const MAX_TEXT = 200;

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  if (text === undefined || text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}…`;
}

/** The members in which two values differ, in their original order. */
export function differences(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  collect({ before, after, path: "", depth: 0 }, found);
  return found;
}

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly path: string;
  readonly depth: number;
}

function collect({ before, after, path, depth }: Pair, found: Difference[]): void {
  if (found.length >= MAX_DIFFERENCES || Object.is(before, after)) return;
  const isDeep = depth < MAX_DEPTH && isObject(before) && isObject(after);
  if (!isDeep || Array.isArray(before) !== Array.isArray(after)) {
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    found.push({ path, before: shown(before), after: shown(after) });
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inside = path === "" ? name : `${path}.${name}`;
    collect({ before: before[name], after: after[name], path: inside, depth: depth + 1 }, found);
  }
}
