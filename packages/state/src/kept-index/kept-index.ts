import { createHash } from "node:crypto";
import { readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packSummaries, unpackSummaries } from "@waybill/core/cards";
import type { KeptOperations } from "@waybill/core/cards";
import type { OperationSummary, SourceProblem } from "@waybill/core";
import { sweepFolder, writePrivate } from "../files/index.ts";

/** Other bytes for the same operations, or other words for the same bytes, are another format. */
const FORMAT = 2;
const ALIGNMENT = 4;
const LINE_END = 0x0a;
const MAX_BYTES = 256_000_000;
const MAX_FILES = 500;
/** How long what an address said is taken for what it says now. */
const MAX_AGE_MS = 3_600_000;

/** A file or an address that operations were read from; a file with its time and size then. */
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
  /** Names the operations: another list has another one. */
  readonly hash: string;
}

/** `changed`: a file is another one than was read. `old`: an address may have something else by now. */
export type Freshness = "fresh" | "changed" | "old";

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function readStamp(location: string): Promise<string> {
  if (!location.startsWith("file:")) return "";
  const found = await stat(fileURLToPath(location)).catch(() => undefined);
  return found === undefined ? "gone" : `${found.mtimeMs}:${found.size}`;
}

/** Padded, so that the numbers behind it can be read where they are. */
function headLine(head: Head): Buffer {
  const line = Buffer.from(JSON.stringify(head));
  const padding = ALIGNMENT - ((line.length + 1) % ALIGNMENT);
  return Buffer.concat([line, Buffer.from(`${" ".repeat(padding % ALIGNMENT)}\n`)]);
}

/** The operations of one source and the index of their words, in a file of the state folder. */
export class KeptIndex {
  readonly #folder: string;
  readonly #path: string;
  readonly #key: string;
  #head: Head | undefined;
  #checkedAt = 0;

  /** The key is all that decides on the operations besides the documents that they are read from. */
  constructor(folder: string, key: string) {
    this.#folder = folder;
    this.#key = sha256(Buffer.from(JSON.stringify([FORMAT, key])));
    this.#path = join(folder, this.#key);
  }

  /** Whether there is a file; it may be damaged or old. */
  isKept(): Promise<boolean> {
    return stat(this.#path).then(
      () => true,
      () => false,
    );
  }

  /** Undefined when nothing is kept, or what is kept is damaged. */
  async read(): Promise<LearntOperations | undefined> {
    try {
      const [file, { mtimeMs }] = await Promise.all([readFile(this.#path), stat(this.#path)]);
      const end = file.indexOf(LINE_END) + 1;
      const head = JSON.parse(file.toString("utf8", 0, end)) as Head;
      const bytes = file.subarray(end);
      if (head.key !== this.#key || head.hash !== sha256(bytes)) return undefined;
      const kept = unpackSummaries(bytes);
      if (kept === undefined) return undefined;
      this.#head = head;
      this.#checkedAt = mtimeMs;
      return { ...kept, problems: head.problems, hash: head.hash };
    } catch {
      return undefined;
    }
  }

  /** Whether the documents are still those that were read. */
  async freshness(): Promise<Freshness> {
    const { documents = [] } = this.#head ?? {};
    const now = await Promise.all(documents.map(([location]) => readStamp(location)));
    if (documents.some(([, stamp], index) => stamp !== now[index])) return "changed";
    const isRemote = documents.some(([location]) => !location.startsWith("file:"));
    return isRemote && Date.now() - this.#checkedAt > MAX_AGE_MS ? "old" : "fresh";
  }

  /** Keeps what a source listed; what cannot be kept is only returned. */
  async write(
    summaries: readonly OperationSummary[],
    locations: readonly string[],
    problems: readonly SourceProblem[],
  ): Promise<LearntOperations | undefined> {
    const bytes = packSummaries(summaries);
    const kept = bytes && unpackSummaries(bytes);
    if (bytes === undefined || kept === undefined) return undefined;
    const hash = sha256(bytes);
    const stamps = await Promise.all(locations.map(readStamp));
    const documents = locations.map((location, index) => [location, stamps[index]!] as const);
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
    this.#checkedAt = now.getTime();
  }
}
