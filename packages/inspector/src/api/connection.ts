import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

export type LinkState = "asking" | "up" | "down";

const state = signal<LinkState>("asking");
const returns = signal(0);
const wait = signal(0);

/** Whether the server answers. */
export const link: ReadonlySignal<LinkState> = state;

/** Counts reconnections, so that views load again after each one. */
export const comebacks: ReadonlySignal<number> = returns;

/** Time until the next attempt, in milliseconds. */
export const nextTryIn: ReadonlySignal<number> = wait;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** How often an idle page checks whether the server is there. */
const LOOK_EVERY_MS = 5_000;

let timer: ReturnType<typeof setTimeout> | undefined;

export function reached(): void {
  if (state.value === "down") returns.value += 1;
  state.value = "up";
  wait.value = 0;
}

export function lost(): void {
  if (state.value === "down") return;
  state.value = "down";
  lookIn(FIRST_WAIT_MS);
}

/** Reconnects immediately, without waiting for the timer. */
export function lookNow(): void {
  lookIn(0);
}

export function watchServer(): void {
  lookIn(LOOK_EVERY_MS);
}

function lookIn(ms: number): void {
  clearTimeout(timer);
  wait.value = state.value === "down" ? ms : 0;
  timer = setTimeout(() => void look(ms), ms);
}

async function look(waited: number): Promise<void> {
  try {
    await fetch("./health", { signal: AbortSignal.timeout(LOOK_EVERY_MS) });
    reached();
    lookIn(LOOK_EVERY_MS);
  } catch {
    state.value = "down";
    lookIn(Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, waited * 2)));
  }
}
