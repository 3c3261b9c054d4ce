/** The part of a value that is drawn. The rest is drawn when the user expands it. */
export interface Members {
  readonly shown: readonly (readonly [string, unknown])[];
  readonly left: number;
}

export function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function visibleMembers(value: object, limit: number): Members {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const shown = items.slice(0, limit).map((item, index) => [String(index), item] as const);
    return { shown, left: items.length - shown.length };
  }
  const keys = Object.keys(value);
  const shown = keys
    .slice(0, limit)
    .map((key) => [key, (value as Record<string, unknown>)[key]] as const);
  return { shown, left: keys.length - shown.length };
}

const PREVIEW_KEYS = 5;

/** A short preview of a collapsed part. */
export function readPreview(value: object): string {
  if (Array.isArray(value)) return value.length === 1 ? "[1 item]" : `[${value.length} items]`;
  const keys = Object.keys(value);
  const few = keys.slice(0, PREVIEW_KEYS).map((key) => key.slice(0, 24));
  return `{${few.join(", ")}${keys.length > PREVIEW_KEYS ? ", …" : ""}}`;
}

const OPEN_DEPTH = 3;
const OPEN_MEMBERS = 25;

/** Small parts near the top are expanded at first. */
export function isOpenAtFirst(value: object, depth: number): boolean {
  const { length } = Array.isArray(value) ? value : Object.keys(value);
  return depth === 0 || (depth < OPEN_DEPTH && length <= OPEN_MEMBERS);
}
