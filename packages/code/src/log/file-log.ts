import { createHash, randomUUID } from "node:crypto";
import {
  appendFile,
  link,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { fail, isRecord } from "@waybill/core";
import { runUnderWay } from "./memory-log.ts";
import { KEEP_MS } from "./run-log.ts";
import type { ClaimedRun, LogLine, RunId, RunLog } from "./run-log.ts";

/** Limit for all runs; the oldest go first. */
const MAX_BYTES = 256_000_000;
/** A claim is given up so long after the run must have ended. */
const GRACE_MS = 10_000;
/** The folder is looked through at most this often. */
const SWEEP_MS = 600_000;

function isAlive(pid: unknown): boolean {
  if (typeof pid !== "number") return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive all the same.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A line that was cut off when its process died does not count, nor does anything after it. */
function parseLines(text: string): LogLine[] {
  const lines: LogLine[] = [];
  for (const line of text.split("\n")) {
    try {
      lines.push(JSON.parse(line) as LogLine);
    } catch {
      break;
    }
  }
  return lines;
}

function unusable(folder: string, cause: unknown): Error {
  const message = `Runs cannot be kept in ${folder}`;
  const hint = "Make the folder writable, or run the program without a key and without writes";
  return fail("NOT_READY", message, { outcome: "not_applied", hint }, { cause });
}

/** Takes the lock of a run: the file appears whole or not at all. */
async function lock(path: string, until: number): Promise<void> {
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, JSON.stringify({ pid: process.pid, until }), { mode: 0o600 });
  try {
    await takeLock(own, path);
  } finally {
    await rm(own, { force: true });
  }
}

async function takeLock(own: string, path: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await link(own, path);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (await isHeld(path)) throw runUnderWay();
    await removeStale(path);
  }
  throw runUnderWay();
}

/** Another process may have replaced the old lock by its own in the meantime: that one is put back. */
async function removeStale(path: string): Promise<void> {
  const moved = `${path}.${randomUUID()}`;
  try {
    await rename(path, moved);
    if (await isHeld(moved)) await link(moved, path);
  } catch {
    // It is gone, or there is a new one already; the next attempt will see.
  } finally {
    await rm(moved, { force: true });
  }
}

async function isHeld(path: string): Promise<boolean> {
  try {
    const held: unknown = JSON.parse(await readFile(path, "utf8"));
    if (!isRecord(held)) return false;
    return isAlive(held["pid"]) && Number(held["until"]) + GRACE_MS > Date.now();
  } catch (error) {
    // It was released a moment ago.
    return (error as NodeJS.ErrnoException).code !== "ENOENT" && !(error instanceof SyntaxError);
  }
}

class FileRun implements ClaimedRun {
  readonly lines: readonly LogLine[];
  readonly #path: string;
  /** A line that was cut off must not be continued by the next one. */
  #isClean: boolean;

  constructor(path: string, text: string) {
    this.#path = path;
    this.lines = parseLines(text);
    this.#isClean = text === "" || text.endsWith("\n");
  }

  async append(line: LogLine): Promise<void> {
    if (!this.#isClean) await this.#rewrite();
    await appendFile(this.#path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  async #rewrite(): Promise<void> {
    const text = this.lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await writeFile(this.#path, text, { mode: 0o600 });
    this.#isClean = true;
  }

  remove(): Promise<void> {
    return rm(this.#path, { force: true });
  }

  release(): Promise<void> {
    return rm(`${this.#path}.lock`, { force: true });
  }
}

async function sweep(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith(".lock"));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      return { path, size: found?.size ?? 0, usedAt: found?.mtimeMs ?? Infinity };
    }),
  );
  let bytes = 0;
  for (const { path, size, usedAt } of files.toSorted((a, b) => b.usedAt - a.usedAt)) {
    bytes += size;
    if (bytes > MAX_BYTES || usedAt < Date.now() - KEEP_MS) await rm(path, { force: true });
  }
}

/** Runs in a folder, a file each, shared by every process that uses the folder. */
export function fileRunLog(folder: string): RunLog {
  let sweptAt = 0;
  const prepare = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (Date.now() - sweptAt < SWEEP_MS) return;
    sweptAt = Date.now();
    await sweep(folder);
  };
  return {
    async claim({ key, caller }: RunId, until) {
      const name = createHash("sha256")
        .update(JSON.stringify([caller, key]))
        .digest("hex");
      const path = join(folder, `${name.slice(0, 40)}.jsonl`);
      await prepare().catch((cause: unknown) => {
        throw unusable(folder, cause);
      });
      await lock(`${path}.lock`, until);
      const text = await readFile(path, "utf8").catch(() => "");
      const found = await stat(path).catch(() => undefined);
      const isOld = found !== undefined && found.mtimeMs < Date.now() - KEEP_MS;
      if (isOld) await rm(path, { force: true });
      return new FileRun(path, isOld ? "" : text);
    },
  };
}
