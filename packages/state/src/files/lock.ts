import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "@waybill/core";
import type { CallError } from "@waybill/core";
import { isProvablyDead, newOwner } from "./owner.ts";

const POLL_MS = 40;
/** How often a holder updates its lock file. After several missed updates it counts as dead. */
const BEAT_MS = 5_000;
const DEAD_MS = 20_000;
/** The maximum number of attempts to remove a file. */
const MAX_REMOVALS = 10;
const DEFAULT_WAIT_MS = 15_000;

export interface LockOptions {
  /** How long to wait for another holder, in milliseconds (default: 15000; 0 does not wait). */
  readonly waitMs?: number;
  /** Milliseconds after which another process may take the lock (default: never). */
  readonly maxMs?: number;
}

/** A lock that this process holds. */
export interface HeldLock {
  release(): Promise<void>;
}

async function isMade(path: string, owner: string): Promise<boolean> {
  try {
    await writeFile(path, owner, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (Reflect.get(error as object, "code") === "EEXIST") return false;
    throw error;
  }
}

function readOwner(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

/**
 * Returns the owner of a lock if it is dead: its process has ended, or it has not updated the
 * file for long.
 */
async function deadOwner(path: string): Promise<string | undefined> {
  const owner = await readOwner(path);
  if (owner === undefined || isProvablyDead(owner)) return owner;
  const touched = await stat(path).catch(() => undefined);
  return touched !== undefined && Date.now() - touched.mtimeMs > DEAD_MS ? owner : undefined;
}

/**
 * Removes the lock of a dead owner. If another process has taken the lock in the meantime, its
 * file is put back.
 */
async function removeDead(path: string, owner: string): Promise<void> {
  const moved = `${path}.${randomUUID()}`;
  try {
    await rename(path, moved);
    if ((await readOwner(moved)) !== owner) await link(moved, path);
  } catch {
    // Ignored: the file is gone or already replaced, and the next attempt shows which.
  } finally {
    await rm(moved, { force: true });
  }
}

function hold(path: string, owner: string, { maxMs = Infinity }: LockOptions): HeldLock {
  const until = Date.now() + maxMs;
  const beat = setInterval(() => {
    const now = new Date();
    if (now.getTime() < until) utimes(path, now, now).catch(() => {});
  }, BEAT_MS).unref();
  return {
    /**
     * Removes the file only if it still belongs to this owner, because another process may have
     * created a new one.
     */
    async release() {
      clearInterval(beat);
      if ((await readOwner(path)) === owner) await rm(path, { force: true });
    },
  };
}

/**
 * Takes a lock: a file that only one process at a time can create. Returns undefined if another
 * holder keeps it for longer than the wait. A dead holder on this machine is detected immediately,
 * and one on another machine after 20 seconds.
 */
export async function takeLock(
  path: string,
  options: LockOptions = {},
): Promise<HeldLock | undefined> {
  const owner = newOwner();
  const until = Date.now() + (options.waitMs ?? DEFAULT_WAIT_MS);
  let removals = 0;
  for (;;) {
    if (await isMade(path, owner)) return hold(path, owner, options);
    const dead = removals < MAX_REMOVALS ? await deadOwner(path) : undefined;
    if (dead !== undefined) {
      removals += 1;
      await removeDead(path, dead);
    } else if (Date.now() >= until) return undefined;
    else await sleep(POLL_MS);
  }
}

function busy(path: string): CallError {
  return fail("NOT_READY", `Another process has locked ${path}`, {
    outcome: "not_applied",
    hint: "Call again when that process has finished",
  });
}

/** Runs a function that no other process may run at the same time. `path` is the lock file. */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const lock = await takeLock(path, options);
  if (lock === undefined) throw busy(path);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
