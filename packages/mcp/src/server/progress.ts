import type { ServerContext } from "@modelcontextprotocol/server";
import type { RelayedProgress } from "../relay/index.ts";

/**
 * Progress may only increase, so the numbers of another server are used only if no seconds were
 * reported before.
 */
class ProgressTeller {
  readonly #send: (progress: RelayedProgress) => void;
  readonly #started = performance.now();
  #last = -1;
  #isRelayed = true;

  constructor(send: (progress: RelayedProgress) => void) {
    this.#send = send;
  }

  /** Reports how many seconds the call has taken. */
  tick(): void {
    if (this.#last >= 0 && this.#isRelayed) return;
    this.#isRelayed = false;
    this.#tell({ progress: this.#seconds, message: `${this.#seconds} s` });
  }

  relay({ progress, total, message }: RelayedProgress): void {
    if (this.#isRelayed) {
      this.#tell({ progress, ...(total !== undefined && { total }), ...progressMessage(message) });
    } else {
      const told = `${progress}${total === undefined ? "" : `/${total}`} ${message ?? ""}`.trim();
      this.#tell({ progress: this.#seconds, message: told });
    }
  }

  get #seconds(): number {
    return Math.round((performance.now() - this.#started) / 100) / 10;
  }

  #tell(progress: RelayedProgress): void {
    if (progress.progress <= this.#last) return;
    this.#last = progress.progress;
    this.#send(progress);
  }
}

function progressMessage(message: string | undefined): { message?: string } {
  return message === undefined ? {} : { message };
}

/**
 * Sends progress to clients that requested it. Clients abort a call that is silent for a minute,
 * and every message restarts that time. The progress is that of the called server, or the
 * seconds that the call has taken.
 */
export async function withProgress<T>(
  { mcpReq }: ServerContext,
  everyMs: number,
  run: (onProgress: (progress: RelayedProgress) => void) => Promise<T>,
): Promise<T> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return run(() => {});
  const teller = new ProgressTeller((progress) => {
    const params = { progressToken, ...progress };
    // Ignored: if the client has disconnected, sending the answer will fail and report it.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  });
  const timer = setInterval(() => teller.tick(), everyMs);
  try {
    return await run((progress) => teller.relay(progress));
  } finally {
    clearInterval(timer);
  }
}
