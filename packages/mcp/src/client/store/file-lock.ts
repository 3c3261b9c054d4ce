import { randomUUID } from "node:crypto";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "@waybill/core";

const POLL_MS = 50;
/** A holder shows that it lives this often, and counts as dead after several misses. */
const BEAT_MS = 5_000;
const DEAD_MS = 20_000;
/** Someone may be signing in under it, which takes a person's time. */
const MAX_WAIT_MS = 600_000;

async function isMade(path: string, holder: string): Promise<boolean> {
  try {
    await writeFile(path, holder, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (Reflect.get(error as object, "code") === "EEXIST") return false;
    throw error;
  }
}

/** Takes away the file of one holder only: another may have made a new one meanwhile. */
async function release(path: string, holder: string | undefined): Promise<void> {
  const found = await readFile(path, "utf8").catch(() => undefined);
  if (found !== undefined && found === holder) await rm(path, { force: true });
}

/** Takes away the file of a holder that died; says whether there was one. */
async function isBuried(path: string): Promise<boolean> {
  const holder = await readFile(path, "utf8").catch(() => undefined);
  const touched = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Infinity,
  );
  if (Date.now() - touched <= DEAD_MS) return false;
  await release(path, holder);
  return true;
}

/**
 * Runs work while a file exists that no other process could make meanwhile. A holder that died
 * leaves a file that is no longer touched, and the next one takes it away.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const holder = randomUUID();
  const until = Date.now() + MAX_WAIT_MS;
  while (!(await isMade(path, holder))) {
    if (await isBuried(path)) continue;
    if (Date.now() > until) throw fail("NOT_READY", `Another process holds ${path}`);
    await sleep(POLL_MS);
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, BEAT_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await release(path, holder);
  }
}
