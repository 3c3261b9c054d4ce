import { createHash } from "node:crypto";
import { appendFile, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@waybill/core";
import { ensurePrivateFolder, sweepFolder, takeLock, writePrivate } from "@waybill/state/files";
import type { HeldLock } from "@waybill/state/files";
import { runUnderWay } from "./memory-log.ts";
import { KEEP_MS } from "./run-log.ts";
import type { ClaimedRun, LogLine, RunId, RunLog } from "./run-log.ts";

/** Size limit of all stored runs together; the oldest runs are removed first. */
const MAX_BYTES = 256_000_000;
/** How long a claim lasts after the time at which its run must have ended. */
const GRACE_MS = 10_000;
/** How often old files are removed, at most. */
const SWEEP_MS = 600_000;

/**
 * Reads the complete lines. Ignores a line that was cut off when its process died, and everything
 * after it.
 */
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
  const message = `Runs cannot be stored in ${folder}`;
  const hint = "Make the folder writable, or run the program without a key and without writes";
  return fail("NOT_READY", message, { outcome: "not_applied", hint }, { cause });
}

class FileRun implements ClaimedRun {
  readonly lines: readonly LogLine[];
  readonly #path: string;
  readonly #lock: HeldLock;
  /** Whether the last line is complete. If it is not, the next line starts on a new line. */
  #isClean: boolean;

  constructor(path: string, text: string, lock: HeldLock) {
    this.#path = path;
    this.#lock = lock;
    this.lines = parseLines(text);
    this.#isClean = text === "" || text.endsWith("\n");
  }

  async append(line: LogLine): Promise<number> {
    if (!this.#isClean) await this.#rewrite();
    const text = JSON.stringify(line);
    await appendFile(this.#path, `${text}\n`, { mode: 0o600 });
    return text.length;
  }

  async #rewrite(): Promise<void> {
    const text = this.lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await writePrivate(this.#path, text);
    this.#isClean = true;
  }

  remove(): Promise<void> {
    return rm(this.#path, { force: true });
  }

  release(): Promise<void> {
    return this.#lock.release();
  }
}

/** Stores runs in a folder, one file each. All processes that use the folder share them. */
export function fileRunLog(folder: string): RunLog {
  let sweptAt = 0;
  const prepare = async (): Promise<void> => {
    await ensurePrivateFolder(folder);
    if (Date.now() - sweptAt < SWEEP_MS) return;
    sweptAt = Date.now();
    await sweepFolder(folder, { maxBytes: MAX_BYTES, oldest: Date.now() - KEEP_MS });
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
      const maxMs = until + GRACE_MS - Date.now();
      const lock = await takeLock(`${path}.lock`, { waitMs: 0, maxMs });
      if (lock === undefined) throw runUnderWay();
      const text = await readFile(path, "utf8").catch(() => "");
      const found = await stat(path).catch(() => undefined);
      const isOld = found !== undefined && found.mtimeMs < Date.now() - KEEP_MS;
      if (isOld) await rm(path, { force: true });
      return new FileRun(path, isOld ? "" : text, lock);
    },
  };
}
