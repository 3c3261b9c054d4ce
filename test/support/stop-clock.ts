import { onTestFinished, vi } from "vitest";
import { AbortNode, deadlineClock } from "../../packages/core/src/operation/index.ts";

class Nobody extends AbortNode {
  protected override onAbort(): void {}
}

/**
 * All deadlines of a process share one timer. If the real clock had set it, a test would wait for
 * the real clock. So a deadline that passes now sets the timer again.
 */
function resetDeadlines(): void {
  deadlineClock.add(new Nobody(), Date.now());
}

/**
 * Stops the clock for the rest of a test and returns a function that advances it. A deadline then
 * passes when the test says so, even on a busy machine. Clean-ups that were registered before this
 * call use the real clock again.
 */
export function stopClock(): (milliseconds: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  resetDeadlines();
  vi.advanceTimersByTime(0);
  // `expect.poll` advances a stopped clock by 20 ms with every poll, so a slow machine would reach
  // the deadline too early.
  vi.spyOn(vi, "isFakeTimers").mockReturnValue(false);
  onTestFinished(() => {
    // A timer that is still set would wait for the stopped clock, so it is set again.
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
    resetDeadlines();
  });
  return async (milliseconds) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  };
}
