import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./failure.ts";

const FIRST_MS = 2;

/**
 * Pauses that grow up to a limit. Random differences keep waiting processes from retrying at the
 * same time.
 */
export class Backoff {
  #next = FIRST_MS;
  readonly #longestMs: number;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  async pause(signal?: AbortSignal): Promise<void> {
    const ms = Math.ceil(this.#next * (0.5 + Math.random() / 2));
    this.#next = Math.min(this.#next * 2, this.#longestMs);
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  }
}

/**
 * Retries a step while the file is busy. SQLite's own wait would block the event loop, so it is
 * turned off and the wait happens here.
 */
export async function whileBusy<T>(waitMs: number, step: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + waitMs;
  const backoff = new Backoff(50);
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
      await backoff.pause();
    }
  }
}
