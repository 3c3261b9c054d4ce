import type { AttemptView, CallSummary } from "@waybill/server";

/** The position of a bar, in percent. */
export interface Bar {
  readonly start: number;
  readonly width: number;
}

/** The smallest width, so that a bar without duration is visible. */
const LEAST = 0.6;

/**
 * The later of two times: the end of the call and the end of its last attempt. Their clocks may
 * disagree.
 */
export function getSpan(timeline: readonly AttemptView[], duration: number): number {
  const ends = timeline.map(({ at_ms, duration_ms }) => at_ms + duration_ms);
  return Math.max(duration, ...ends, 0);
}

/** The time axis of a tree of calls. */
export interface TimeAxis {
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** The length of the axis, in milliseconds. */
  readonly span: number;
}

type Timed = Pick<CallSummary, "started_at" | "duration_ms">;

/** The time axis from the start of the outermost call to the end of the last call. */
export function timeAxis(outermost: Timed, calls: readonly Timed[]): TimeAxis {
  const all = [outermost, ...calls];
  const start = Math.min(...all.map(({ started_at }) => started_at));
  const end = Math.max(...all.map(({ started_at, duration_ms }) => started_at + duration_ms));
  return { start, span: end - start };
}

export function callBar({ started_at, duration_ms }: Timed, { start, span }: TimeAxis): Bar {
  return getBar({ at_ms: started_at - start, duration_ms }, span);
}

export function getBar(
  { at_ms, duration_ms }: Pick<AttemptView, "at_ms" | "duration_ms">,
  span: number,
): Bar {
  if (span <= 0) return { start: 0, width: 100 };
  const width = within((duration_ms / span) * 100, LEAST, 100);
  return { start: within((at_ms / span) * 100, 0, 100 - width), width };
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Number.isFinite(value) ? value : least));
}
