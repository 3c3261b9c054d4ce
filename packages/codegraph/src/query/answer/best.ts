/**
 * The first of a list in an order, without putting the whole list in order where it is long: what
 * comes after the last one that is kept is passed over, and the kept are ordered now and then.
 */
export function best<T>(items: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  if (items.length <= count * 4) return items.toSorted(compare).slice(0, count);
  let kept: T[] = [];
  let last: T | undefined;
  for (const item of items) {
    if (last !== undefined && compare(item, last) >= 0) continue;
    kept.push(item);
    if (kept.length < count * 4) continue;
    kept = kept.toSorted(compare).slice(0, count);
    last = kept.at(-1);
  }
  return kept.toSorted(compare).slice(0, count);
}
