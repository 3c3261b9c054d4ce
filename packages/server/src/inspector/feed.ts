import type { InspectedHistory } from "./inspector.ts";
import type { HelloEvent } from "./wire.ts";

/** Other processes write into the same history, so it is looked at while somebody listens. */
const POLL_MS = 200;

interface Listener {
  readonly after: HelloEvent;
  readonly wake: () => void;
}

function isNew({ last_seq, instance }: HelloEvent, after: HelloEvent): boolean {
  return last_seq > after.last_seq || instance !== after.instance;
}

/** Notifies listeners of new calls, with one query of the history for all. */
export class Feed {
  readonly #history: InspectedHistory;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(history: InspectedHistory) {
    this.#history = history;
  }

  /** Resolves when the history has gone on from there, or the signal says that nobody waits. */
  next(after: HelloEvent, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const listener: Listener = {
        after,
        wake: () => {
          signal.removeEventListener("abort", listener.wake);
          this.#listeners.delete(listener);
          this.#rest();
          resolve();
        },
      };
      if (signal.aborted) {
        resolve();
        return;
      }
      signal.addEventListener("abort", listener.wake, { once: true });
      this.#listeners.add(listener);
      this.#timer ??= setInterval(() => void this.#look(), POLL_MS);
    });
  }

  /** The next look is only taken for somebody. */
  #rest(): void {
    if (this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const now = await this.#history.mark();
      for (const { after, wake } of this.#listeners) if (isNew(now, after)) wake();
    } catch {
      // A file that cannot be read now may be the next time.
    } finally {
      this.#isLooking = false;
    }
  }
}
