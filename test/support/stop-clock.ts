import { onTestFinished, vi } from "vitest";
import { AbortNode, deadlineClock } from "../../packages/core/src/operation/index.ts";

class Nobody extends AbortNode {
  protected override onAbort(): void {}
}

let earliest = 0;

/**
 * All deadlines of a process share one timer. If the other clock had set it, a test would wait for
 * that clock. A deadline earlier than all others sets the timer again. A deadline of now would not,
 * because the timer may belong to a deadline that has already passed.
 */
function resetDeadlines(): void {
  earliest -= 1;
  deadlineClock.add(new Nobody(), earliest);
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
