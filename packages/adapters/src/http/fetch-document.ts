import { errorCodeOf, errorFromUnknown } from "@waybill/core";
import type { ErrorCode } from "@waybill/core";
import type { DocumentCache, KeptDocument } from "./document-cache.ts";
import type { HttpResponse, HttpTransport } from "./transport.ts";

export interface FetchedDocument {
  readonly bytes: Buffer;
  /** Where it came from, after redirects. */
  readonly url: string;
  /** It is not known to be what the address has now. */
  readonly warning?: string;
}

export interface FetchDocumentOptions {
  readonly accept: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly cache?: DocumentCache | undefined;
}

const NOT_MODIFIED = 304;
/** However long an address says that its document is fresh. */
const MAX_FRESH_MS = 86_400_000;

/** Who has a document already does not wait long to hear whether there is another. */
const SPARE_MS = 10_000;

/** Failures of the way to a document, which say nothing of the document. */
const AWAY: ReadonlySet<ErrorCode> = new Set(["NETWORK", "TIMEOUT", "SERVER", "RATE_LIMIT"]);

/** What is remembered will do when its address cannot be reached; undefined when that is not why. */
export function remembered(
  thrown: unknown,
  kept: KeptDocument | undefined,
): (FetchedDocument & { readonly warning: string }) | undefined {
  const error = errorFromUnknown(thrown);
  if (kept === undefined || !AWAY.has(errorCodeOf(error))) return undefined;
  const day = new Date(kept.seenAt).toISOString().slice(0, 16).replace("T", " ");
  const warning = `what it had at ${day} UTC is used, for it cannot be asked now: ${error.message}`;
  return { bytes: kept.bytes, url: kept.url, warning };
}

function directives({ headers }: HttpResponse): string[] {
  return (headers["cache-control"] ?? "").split(",").map((word) => word.trim().toLowerCase());
}

function freshMs(response: HttpResponse): number {
  const words = directives(response);
  const age = words.find((word) => /^max-age="?\d{1,9}"?$/u.test(word))?.replaceAll(/\D/gu, "");
  if (age === undefined || words.includes("no-cache")) return 0;
  const passed = Number(response.headers["age"] ?? 0) || 0;
  return Math.min(MAX_FRESH_MS, Math.max(0, (Number(age) - passed) * 1_000));
}

function datesOf(response: HttpResponse): Pick<KeptDocument, "seenAt" | "freshUntil"> {
  const seenAt = Date.now();
  return { seenAt, freshUntil: seenAt + freshMs(response) };
}

function keptOf(response: HttpResponse): KeptDocument {
  const { headers, url, body } = response;
  const { etag, "last-modified": lastModified } = headers;
  return {
    bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    url,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
    ...datesOf(response),
  };
}

function validators({ etag, lastModified }: Partial<KeptDocument>): Record<string, string> {
  if (etag !== undefined) return { "if-none-match": etag };
  return lastModified === undefined ? {} : { "if-modified-since": lastModified };
}

function send(
  address: string,
  transport: HttpTransport,
  kept: KeptDocument | undefined,
  { accept, maxBytes, timeoutMs }: FetchDocumentOptions,
): Promise<HttpResponse> {
  const headers = { accept, ...validators(kept ?? {}) };
  return transport.send(
    {
      method: "GET",
      url: address,
      headers,
      limits: { responseBytes: maxBytes },
      isAnswer: (status) =>
        (status >= 200 && status < 300) || (status === NOT_MODIFIED && kept !== undefined),
    },
    {
      effect: "read",
      isRepeatable: true,
      signal: new AbortController().signal,
      deadline: Date.now() + (kept === undefined ? timeoutMs : Math.min(timeoutMs, SPARE_MS)),
      beforeSend: () => Promise.resolve(),
    },
  );
}

/**
 * The document at an address: the remembered one as long as it is fresh, or the address says that it
 * still is, or when the address cannot be reached, which is then told.
 */
export async function fetchDocument(
  address: string,
  transport: HttpTransport,
  options: FetchDocumentOptions,
): Promise<FetchedDocument> {
  const { cache } = options;
  const kept = await cache?.read(address);
  if (kept !== undefined && kept.freshUntil > Date.now()) return kept;
  try {
    const response = await send(address, transport, kept, options);
    const isSame = response.status === NOT_MODIFIED && kept !== undefined;
    const document = isSame ? { ...kept, ...datesOf(response) } : keptOf(response);
    if (!directives(response).includes("no-store")) await cache?.write(address, document);
    return { bytes: document.bytes, url: document.url };
  } catch (thrown) {
    const spare = remembered(thrown, kept);
    if (spare !== undefined) return spare;
    throw thrown;
  }
}
