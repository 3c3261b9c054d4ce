import type { AttemptMeta, ErrorCode, Route } from "../envelope/index.ts";

/** A duration to the microsecond. */
export function roundMilliseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}

/** A part of a call's timeline: an attempt, a skip, or the wait before the next attempt. */
export interface TimelineEntry {
  /** The route. */
  readonly route: Route;
  /** How the attempt, skip or wait ended. */
  readonly status: AttemptMeta["status"] | "wait";
  /** Why the attempt failed or the route was skipped. Absent otherwise. */
  readonly error_code?: NonNullable<AttemptMeta["error_code"]>;
  /** The reason as a sentence. Absent if there is nothing to say. */
  readonly reason?: string;
  /** Milliseconds since the call was received. */
  readonly at_ms: number;
  /** Milliseconds that the attempt or wait took. */
  readonly duration_ms: number;
}

/** The timeline of one call, for observers. Envelopes show less of it, and only on request. */
export class Timeline {
  readonly entries: TimelineEntry[] = [];
  readonly #began = performance.now();

  /** Adds an entry that began at `start` and ends now. */
  add(entry: Omit<TimelineEntry, "at_ms" | "duration_ms">, start: number): void {
    const now = performance.now();
    this.entries.push({
      ...entry,
      at_ms: roundMilliseconds(Math.max(0, start - this.#began)),
      duration_ms: roundMilliseconds(now - start),
    });
  }

  waited(route: Route, error_code: ErrorCode, reason: string, start: number): void {
    this.add({ route, status: "wait", error_code, reason }, start);
  }
}
