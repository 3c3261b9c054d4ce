import { AsyncLocalStorage } from "node:async_hooks";

const levels = new AsyncLocalStorage<number>();
/** How many programs wait for the answers of their calls: with a recorded level, and without. */
let tracked = 0;
let untracked = 0;

/**
 * The level of a program that starts now: how many programs are running around it. A local function
 * can run programs, and their calls can run the function again. Tracking this slows down every
 * promise of the process. So it starts only when a nested program could wait for the thread of an
 * outer program: when all threads are in use and some program waits for calls.
 */
export function levelOfNextProgram(isPoolFull: () => boolean): number {
  const around = levels.getStore();
  if (around !== undefined) return around + 1;
  return untracked > 0 && isPoolFull() ? 1 : 0;
}

/**
 * Makes the calls of a program at this level. Programs that start inside these calls get a higher
 * level.
 */
export function nestCalls<T>(level: number, work: () => Promise<T>): Promise<T> {
  return level === 0 ? countUntracked(work) : track(level, work);
}

async function track<T>(level: number, work: () => Promise<T>): Promise<T> {
  tracked += 1;
  try {
    return await levels.run(level, work);
  } finally {
    tracked -= 1;
    if (tracked === 0) levels.disable();
  }
}

async function countUntracked<T>(work: () => Promise<T>): Promise<T> {
  untracked += 1;
  try {
    return await work();
  } finally {
    untracked -= 1;
  }
}
