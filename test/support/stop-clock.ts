import { onTestFinished, vi } from "vitest";
import { AbortNode, deadlineClock } from "../../packages/core/src/operation/index.ts";

class Nobody extends AbortNode {
  protected override onAbort(): void {}
}

/**
 * All deadlines of a process share one timer. If it was set by the other clock, a test would wait for
 * that one; a deadline that passes now has it set anew.
 */
function resetDeadlines(): void {
  deadlineClock.add(new Nobody(), Date.now());
}

/**
 * Stops the clock for the rest of a test and returns a function that lets time pass. A deadline then
 * passes when the test says so, however busy the machine is. Clean-ups that were registered before
 * this call run on the real clock again.
 */
export function stopClock(): (milliseconds: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  resetDeadlines();
  vi.advanceTimersByTime(0);
  // `expect.poll` lets 20 ms of a stopped clock pass with every look, so a slow machine would meet the
  // deadline before what the test waits for.
  vi.spyOn(vi, "isFakeTimers").mockReturnValue(false);
  onTestFinished(() => {
    // A timer of the process that is still set would otherwise wait for a clock that is gone.
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
    resetDeadlines();
  });
  return async (milliseconds) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  };
}
