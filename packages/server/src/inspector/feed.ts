import type { InspectedHistory } from "./inspector.ts";
import type { HelloEvent } from "./wire.ts";

/** Polls the history while there are listeners, because other processes write to it too. */
const POLL_MS = 200;

interface Listener {
  readonly after: HelloEvent;
  readonly wake: () => void;
}

function isNew({ last_seq, instance }: HelloEvent, after: HelloEvent): boolean {
  return last_seq > after.last_seq || instance !== after.instance;
}

/** Notifies all listeners of new calls, with one query of the history for all of them. */
export class Feed {
  readonly #history: InspectedHistory;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(history: InspectedHistory) {
    this.#history = history;
  }

  /** Resolves when there are calls after this position, or when the signal is aborted. */
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

  /** Stops polling when the last listener has left. */
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
      // Ignores errors, because the file may be readable at the next poll.
    } finally {
      this.#isLooking = false;
    }
  }
}
