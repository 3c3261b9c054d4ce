import { once } from "node:events";
import type { Io } from "./io.ts";

/** Resolves when the user interrupts. Without a signal, it never resolves. */
export async function untilInterrupted({ signal }: Pick<Io, "signal">): Promise<void> {
  if (signal?.aborted === true) return;
  await (signal === undefined ? new Promise<never>(() => {}) : once(signal, "abort"));
}
