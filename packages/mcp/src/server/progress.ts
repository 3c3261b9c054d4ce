import type { ServerContext } from "@modelcontextprotocol/server";

/**
 * Clients give up on a call that is silent for a minute, and count anew with every word. A call that
 * asked for progress hears how many seconds it has taken, until it ends.
 */
export async function withProgress<T>(
  { mcpReq }: ServerContext,
  everyMs: number,
  run: () => Promise<T>,
): Promise<T> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return run();
  const started = performance.now();
  const timer = setInterval(() => {
    const progress = Math.round((performance.now() - started) / 100) / 10;
    const params = { progressToken, progress, message: `${progress} s` };
    // A client that has gone away is noticed where the answer is sent.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  }, everyMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
