import type { Io } from "../io.ts";
import { ProgressLine } from "./progress.ts";

const TICK_MS = 1_000;

/**
 * Shows a person at a terminal that a long call is still running, on a line that is removed
 * afterwards. Prints nothing on a simple terminal or for a program.
 */
export async function whileWaiting<T>(io: Io, what: string, work: Promise<T>): Promise<T> {
  if (io.env["TERM"] === "dumb") return work;
  const began = Date.now();
  const line = new ProgressLine(io);
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - began) / 1_000);
    line.show(`waybill: ${what} … ${seconds} s, Ctrl-C cancels`);
  }, TICK_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    line.clear();
  }
}
