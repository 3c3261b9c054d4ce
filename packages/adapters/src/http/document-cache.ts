import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "@waybill/core/schema";
import { sweepFolder, writePrivate } from "@waybill/state/files";

/** A stored document. */
export interface KeptDocument {
  readonly bytes: Buffer;
  /** The final URL, after redirects. */
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /**
   * When the server last confirmed that the document is current, in milliseconds since the epoch.
   */
  readonly seenAt: number;
  /** Until this time the document is used without a request, in milliseconds since the epoch. */
  readonly freshUntil: number;
}

/** Documents by URL. Unreadable entries count as missing, and a failed write is ignored. */
export interface DocumentCache {
  read(address: string): Promise<KeptDocument | undefined>;
  write(address: string, document: KeptDocument): Promise<void>;
}

const MAX_DOCUMENT_BYTES = 64_000_000;
const MAX_BYTES = 256_000_000;
const MAX_DOCUMENTS = 200;
const LINE_END = 0x0a;

type Head = Omit<KeptDocument, "bytes"> & { readonly address: string; readonly size: number };

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function readHead(line: string): Head | undefined {
  const head: unknown = JSON.parse(line);
  if (!isRecord(head) || typeof head["url"] !== "string") return undefined;
  const areTexts = isOptionalText(head["etag"]) && isOptionalText(head["lastModified"]);
  const areTimes = [head["seenAt"], head["freshUntil"], head["size"]].every(Number.isFinite);
  return areTexts && areTimes ? (head as unknown as Head) : undefined;
}

/** Parses a file: one line with the metadata, then the document. One file keeps both consistent. */
function decode(address: string, file: Buffer): KeptDocument | undefined {
  const end = file.indexOf(LINE_END);
  const head = readHead(file.toString("utf8", 0, Math.max(0, end)));
  const bytes = file.subarray(end + 1);
  // The file name is only a digest of the URL, so the URL is compared too.
  if (head?.address !== address || head.size !== bytes.length) return undefined;
  const { address: _address, size: _size, ...facts } = head;
  return { ...facts, bytes };
}

function encode(address: string, { bytes, ...facts }: KeptDocument): Buffer {
  const head = { ...facts, address, size: bytes.length };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
}

/** Stores documents in a folder that only its user can read. */
export function documentCache(folder: string): DocumentCache {
  const pathOf = (address: string): string =>
    join(folder, createHash("sha256").update(address).digest("hex"));
  const put = async (path: string, entry: Buffer): Promise<void> => {
    await writePrivate(path, entry, { flush: false });
    await sweepFolder(folder, { maxBytes: MAX_BYTES, maxEntries: MAX_DOCUMENTS });
  };
  return {
    async read(address) {
      try {
        return decode(address, await readFile(pathOf(address)));
      } catch {
        return undefined;
      }
    },
    async write(address, document) {
      if (document.bytes.length > MAX_DOCUMENT_BYTES) return;
      await put(pathOf(address), encode(address, document)).catch(() => {});
    },
  };
}
