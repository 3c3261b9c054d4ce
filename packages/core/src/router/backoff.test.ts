import { describe, expect, it } from "vitest";
import { DEFAULT_RETRY, retryDelay, wait } from "./backoff.ts";

const policy = { ...DEFAULT_RETRY, baseDelayMs: 100, maxDelayMs: 1_000, random: () => 0.5 };

describe("retryDelay", () => {
  it("retryDelay doubles the delay with each failure up to its maximum", () => {
    const delays = [1, 2, 3, 4, 5, 50].map((failures) => retryDelay(policy, failures, {}));
    expect(delays).toEqual([50, 100, 200, 400, 500, 500]);
  });

  it("retryDelay is a random value between 0 and the exponential bound", () => {
    expect(retryDelay({ ...policy, random: () => 0 }, 3, {})).toBe(0);
    expect(retryDelay({ ...policy, random: () => 0.999 }, 3, {})).toBeCloseTo(399.6);
  });

  it("retryDelay is the upstream's retry_after_ms, even above the maximum", () => {
    expect(retryDelay(policy, 1, { retry_after_ms: 7_000 })).toBe(7_000);
    expect(retryDelay(policy, 1, { retry_after_ms: -5 })).toBe(0);
  });
});

describe("timers that can be aborted", () => {
  it("wait() resolves after the given time", async () => {
    await expect(wait(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  it("wait() rejects with the reason of an abort, before and during the wait", async () => {
    const reason = new Error("enough");
    await expect(wait(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = wait(60_000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
