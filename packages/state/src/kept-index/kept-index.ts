import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packSummaries, unpackSummaries } from "@waybill/core/cards";
import type { KeptOperations } from "@waybill/core/cards";
import type { Source, SourceProblem } from "@waybill/core";
import { sweepFolder, writePrivate } from "../files/index.ts";

/**
 * The version of the stored bytes. Increase it if they, or the words of the index, change for
 * the same operations.
 */
const FORMAT = 2;
const ALIGNMENT = 4;
const LINE_END = 0x0a;
const MAX_BYTES = 256_000_000;
const MAX_FILES = 500;
/** How long the content of a URL counts as current. */
const MAX_AGE_MS = 3_600_000;

/** A file or URL that operations were read from. The stamp of a file has its time and size. */
type SeenDocument = readonly [location: string, stamp: string];

interface Head {
  readonly key: string;
  readonly hash: string;
  readonly documents: readonly SeenDocument[];
  readonly problems: readonly SourceProblem[];
}

/** The operations that a source listed. */
export interface LearntOperations extends KeptOperations {
  readonly problems: readonly SourceProblem[];
  /** A hash of the operations. */
  readonly hash: string;
}

/**
 * Whether stored operations are current. `changed`: a file differs from the one that was read.
 * `old`: a URL may have new content by now.
 */
export type Freshness = "fresh" | "changed" | "old";

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function readStamp(location: string): string {
  if (!location.startsWith("file:")) return "";
  try {
    const { mtimeMs, size } = statSync(fileURLToPath(location));
    return `${mtimeMs}:${size}`;
  } catch {
    return "gone";
  }
}

/** Padded, so that the numbers after it are aligned and can be read without a copy. */
function headLine(head: Head): Buffer {
  const line = Buffer.from(JSON.stringify(head));
  const padding = ALIGNMENT - ((line.length + 1) % ALIGNMENT);
  return Buffer.concat([line, Buffer.from(`${" ".repeat(padding % ALIGNMENT)}\n`)]);
}

/**
 * The operations of one source and their search index, in a file of the state folder. A command
 * reads all of these files when it starts, synchronously: reading a small file in another thread
 * takes several times as long.
 */
export class KeptIndex {
  readonly #folder: string;
  readonly #path: string;
  readonly #key: string;
  #head: Head | undefined;
  #isWhole = true;
  #checkedAt = 0;

  /**
   * `key` identifies everything that determines the operations, except the documents that they
   * are read from.
   */
  constructor(folder: string, key: string) {
    this.#folder = folder;
    this.#key = sha256(Buffer.from(JSON.stringify([FORMAT, key])));
    this.#path = join(folder, this.#key);
  }

  /** Whether the file exists. It may be damaged or old. */
  isKept(): boolean {
    return existsSync(this.#path);
  }

  /** Reads the file. Undefined if nothing is stored, or if the file is damaged. */
  read(): LearntOperations | undefined {
    try {
      const file = readFileSync(this.#path);
      const { mtimeMs } = statSync(this.#path);
      const end = file.indexOf(LINE_END) + 1;
      const head = JSON.parse(file.toString("utf8", 0, end)) as Head;
      const bytes = file.subarray(end);
      if (head.key !== this.#key || head.hash !== sha256(bytes)) return undefined;
      const kept = unpackSummaries(bytes);
      if (kept === undefined) return undefined;
      this.#head = head;
      this.#isWhole = kept.hasSignatures || kept.summaries.length === 0;
      this.#checkedAt = mtimeMs;
      return { ...kept, problems: head.problems, hash: head.hash };
    } catch {
      return undefined;
    }
  }

  /**
   * Whether the documents are unchanged since they were read. A file of an earlier version without
   * signatures is old.
   */
  freshness(): Freshness {
    const { documents = [] } = this.#head ?? {};
    if (documents.some(([location, stamp]) => stamp !== readStamp(location))) return "changed";
    if (!this.#isWhole) return "old";
    const isRemote = documents.some(([location]) => !location.startsWith("file:"));
    return isRemote && Date.now() - this.#checkedAt > MAX_AGE_MS ? "old" : "fresh";
  }

  /**
   * Stores the operations of a source, read from these documents, and returns them. If storing
   * fails, they are still returned.
   */
  async write(source: Source, locations: readonly string[]): Promise<LearntOperations | undefined> {
    const bytes = packSummaries(await source.list(), (id) => source.describe(id));
    const problems = source.problems?.() ?? [];
    const kept = bytes && unpackSummaries(bytes);
    if (bytes === undefined || kept === undefined) return undefined;
    const hash = sha256(bytes);
    const documents = locations.map((location) => [location, readStamp(location)] as const);
    const head = { key: this.#key, hash, documents, problems };
    await this.#put(head, bytes).catch(() => {});
    return { ...kept, problems, hash };
  }

  async #put(head: Head, bytes: Uint8Array): Promise<void> {
    const isSame = JSON.stringify(head) === JSON.stringify(this.#head);
    const now = new Date();
    if (isSame) await utimes(this.#path, now, now);
    else {
      await writePrivate(this.#path, Buffer.concat([headLine(head), bytes]), { flush: false });
      await sweepFolder(this.#folder, { maxBytes: MAX_BYTES, maxEntries: MAX_FILES });
    }
    this.#head = head;
    this.#isWhole = true;
    this.#checkedAt = now.getTime();
  }
}
