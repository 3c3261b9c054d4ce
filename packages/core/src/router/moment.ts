/**
 * A point in time on two clocks. The user can change the wall clock, and the monotonic clock may
 * stop while the machine sleeps. The real time between two moments lies between both
 * differences.
 */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export function now(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/** The minimum and the maximum time between two moments, in milliseconds. */
export function between(
  from: Moment,
  to: Moment,
): { readonly least: number; readonly most: number } {
  const spans = [to.wall - from.wall, to.steady - from.steady];
  return { least: Math.min(...spans), most: Math.max(...spans) };
}
