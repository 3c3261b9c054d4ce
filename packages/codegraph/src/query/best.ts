/** The first of a list in an order, without putting the whole list in order where it is long. */
export function best<T>(items: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  if (items.length <= count * 4) return items.toSorted(compare).slice(0, count);
  let kept: T[] = [];
  for (let at = 0; at < items.length; at += count) {
    kept = [...kept, ...items.slice(at, at + count)].toSorted(compare).slice(0, count);
  }
  return kept;
}
