/**
 * The first `count` items in an order, without sorting a long list completely: items after the last
 * kept one are skipped, and the kept ones are sorted now and then.
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
