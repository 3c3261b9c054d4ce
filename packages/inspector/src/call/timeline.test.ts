import type { AttemptView } from "@waybill/server";
import { describe, expect, it } from "vitest";
import { getBar, getSpan } from "./timeline.ts";

function attempt(at_ms: number, duration_ms: number): AttemptView {
  return { route: "rest", status: "success", at_ms, duration_ms };
}

describe("timeline", () => {
  it("the inspector's timeline of a call is as long as the attempt that ended last", () => {
    expect(getSpan([attempt(0, 10), attempt(10, 30)], 20)).toBe(40);
    expect(getSpan([], 20)).toBe(20);
  });

  it("the inspector's timeline of a call places a bar by the start and duration of an attempt", () => {
    expect(getBar(attempt(25, 50), 100)).toEqual({ start: 25, width: 50 });
  });

  it("the inspector's timeline of a call shows a bar for an attempt with no duration", () => {
    const { start, width } = getBar(attempt(100, 0), 100);
    expect(width).toBeGreaterThan(0);
    expect(start + width).toBe(100);
  });

  it("the inspector's timeline of a call draws bars within its width when the clock jumped back", () => {
    expect(getBar(attempt(-50, 20), 0)).toEqual({ start: 0, width: 100 });
    expect(getBar(attempt(-50, -20), 100).start).toBe(0);
  });
});
