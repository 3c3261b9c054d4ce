import { onTestFinished, vi } from "vitest";

/**
 * Stops the clock for the rest of a test and returns a function that lets time pass. A deadline then
 * passes when the test says so, however busy the machine is. `expect.poll` keeps real time. Clean-ups
 * that were registered before this call run on the real clock again.
 */
export function stopClock(): (milliseconds: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => {
    // A timer of the process that is still set would otherwise wait for a clock that is gone.
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
  });
  return async (milliseconds) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  };
}
