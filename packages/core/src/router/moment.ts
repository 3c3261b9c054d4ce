/**
 * A point in time by both clocks. The wall clock can be set, and the steady one stands still while
 * the machine sleeps; how much time went by lies between what the two say.
 */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export function now(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/** The least and the most time, in milliseconds, that may lie between two moments. */
export function between(
  from: Moment,
  to: Moment,
): { readonly least: number; readonly most: number } {
  const spans = [to.wall - from.wall, to.steady - from.steady];
  return { least: Math.min(...spans), most: Math.max(...spans) };
}
