import { once } from "node:events";
import type { Io } from "./io.ts";

/** Ends when the user interrupts; never, where nobody can. */
export async function untilInterrupted({ signal }: Pick<Io, "signal">): Promise<void> {
  if (signal?.aborted === true) return;
  await (signal === undefined ? new Promise<never>(() => {}) : once(signal, "abort"));
}
