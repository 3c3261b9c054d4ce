import type { Io } from "./io.ts";

const PATIENCE_MS = 1_000;
const CLEAR = "\r\u001b[K";

/**
 * Tells a person at a terminal that something long is still under way, on a line that is gone
 * afterwards. Nobody else sees anything.
 */
export async function withProgress<T>(io: Io, what: string, work: Promise<T>): Promise<T> {
  if (io.isErrorTTY !== true || io.env["TERM"] === "dumb") return work;
  const began = Date.now();
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    const seconds = Math.round((Date.now() - began) / 1_000);
    io.stderr.write(`${CLEAR}waybill: ${what} … ${seconds} s, Ctrl-C cancels`);
  }, PATIENCE_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (isShown) io.stderr.write(CLEAR);
  }
}
