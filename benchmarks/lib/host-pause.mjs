// @ts-check
import { closeSync, openSync, readSync } from "node:fs";

const EVERY_MS = 1;

/**
 * Nanoseconds for which the main thread was ready but other processes had the processors. Available
 * only on Linux; elsewhere it is 0, and a busy machine looks like a pause.
 */
function openWaitTime() {
  const buffer = Buffer.alloc(128);
  /** @type {number | undefined} */
  let file;
  try {
    file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  } catch {
    return { read: () => 0, close: () => {} };
  }
  const opened = file;
  return {
    read() {
      const length = readSync(opened, buffer, 0, buffer.length, 0);
      return Number(buffer.toString("latin1", 0, length).split(" ")[1] ?? 0);
    },
    close: () => closeSync(opened),
  };
}

/**
 * The longest time for which this process blocked its event loop, in milliseconds. Time spent
 * waiting for a processor is not counted, because that is load of the machine.
 * @param {() => Promise<unknown>} work
 */
export async function longestPause(work) {
  const waitTime = openWaitTime();
  let longest = 0;
  let last = performance.now();
  let waited = waitTime.read();
  const look = () => {
    const now = performance.now();
    const waitedNow = waitTime.read();
    longest = Math.max(longest, now - last - EVERY_MS - (waitedNow - waited) / 1e6);
    last = now;
    waited = waitedNow;
  };
  const timer = setInterval(look, EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    look();
    waitTime.close();
  }
  return longest;
}
