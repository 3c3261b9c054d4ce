import type { Input } from "../input.ts";

function compareValues(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Sorts by orderBy. Without it the order does not change. */
export function ordered<T>(
  items: readonly T[],
  args: Input,
  keys: Readonly<Record<string, (item: T) => string | number>>,
): T[] {
  const order = args.child("orderBy");
  const key = keys[order.string("field")];
  if (key === undefined) return [...items];
  const rows = items.map((item, index) => ({ item, key: key(item), index }));
  const sign = order.text("direction") === "DESC" ? -1 : 1;
  return rows
    .toSorted((a, b) => sign * (compareValues(a.key, b.key) || a.index - b.index))
    .map(({ item }) => item);
}
