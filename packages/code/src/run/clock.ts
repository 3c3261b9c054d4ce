import { fail } from "@waybill/core";

/** Ends a run at its deadline, or when the caller cancels. */
export interface RunClock {
  readonly signal: AbortSignal;
  readonly deadline: number;
  stop(): void;
}

export function startClock(deadlineMs: number, given: AbortSignal | undefined): RunClock {
  const controller = new AbortController();
  const late = fail(
    "TIMEOUT",
    `The run took longer than ${deadlineMs} ms. Do less in one run, or raise deadline_ms`,
    { limit: "time" },
  );
  const timer = setTimeout(() => controller.abort(late), deadlineMs);
  const cancel = (): void => controller.abort(fail("CANCELLED", "The run was cancelled"));
  if (given?.aborted === true) cancel();
  given?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    deadline: Date.now() + deadlineMs,
    stop() {
      clearTimeout(timer);
      given?.removeEventListener("abort", cancel);
    },
  };
}
