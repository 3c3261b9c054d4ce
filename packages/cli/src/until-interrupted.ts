import { once } from "node:events";
import type { Io } from "./io.ts";

/** Resolves when the user interrupts; never, if there is no signal. */
export async function untilInterrupted({ signal }: Pick<Io, "signal">): Promise<void> {
  if (signal?.aborted === true) return;
  await (signal === undefined ? new Promise<never>(() => {}) : once(signal, "abort"));
}
