import { agentErrorCode, errorFromUnknown } from "@waybill/core";
import type { ErrorCode } from "@waybill/core";
import type { DocumentCache, KeptDocument } from "./document-cache.ts";
import type { HttpResponse, HttpTransport } from "./transport.ts";

export interface FetchedDocument<T> {
  readonly value: T;
  /** The final URL, after redirects. */
  readonly url: string;
  /** A warning that the document may be outdated. Absent if it is current. */
  readonly warning?: string;
}

export interface FetchDocumentOptions<T> {
  /** Parses the bytes. If this throws, the document is not stored. */
  readonly read: (bytes: Buffer) => Promise<T>;
  readonly accept: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly cache?: DocumentCache | undefined;
}

const NOT_MODIFIED = 304;
/** The maximum time that a document counts as fresh, even if its server says longer. */
const MAX_FRESH_MS = 86_400_000;

/** If a document is cached, the request for a newer one gets only this much time. */
const SPARE_MS = 10_000;

/** Error codes of failures on the way to a document. They say nothing about the document itself. */
const AWAY: ReadonlySet<ErrorCode> = new Set(["NETWORK", "TIMEOUT", "SERVER", "RATE_LIMIT"]);

function spare(kept: KeptDocument, why: string): string {
  const day = new Date(kept.seenAt).toISOString().slice(0, 16).replace("T", " ");
  return `the copy from ${day} UTC is used, because ${why}`;
}

/** Returns the cached document if its URL cannot be reached. Undefined for any other failure. */
export function remembered(
  thrown: unknown,
  kept: KeptDocument | undefined,
): (KeptDocument & { readonly warning: string }) | undefined {
  const error = errorFromUnknown(thrown);
  if (kept === undefined || !AWAY.has(agentErrorCode(error))) return undefined;
  return { ...kept, warning: spare(kept, `it cannot be reached now: ${error.message}`) };
}

function directives({ headers }: HttpResponse): string[] {
  return (headers["cache-control"] ?? "").split(",").map((word) => word.trim().toLowerCase());
}

function freshMs(response: HttpResponse): number {
  const words = directives(response);
  const age = words.find((word) => /^max-age="?\d{1,9}"?$/u.test(word))?.replaceAll(/\D/gu, "");
  if (age === undefined || words.includes("no-cache")) return 0;
  const passed = Number(response.headers["age"]) || 0;
  return Math.min(MAX_FRESH_MS, Math.max(0, (Number(age) - passed) * 1_000));
}

function getDates(response: HttpResponse): Pick<KeptDocument, "seenAt" | "freshUntil"> {
  const seenAt = Date.now();
  return { seenAt, freshUntil: seenAt + freshMs(response) };
}

function getKept(response: HttpResponse): KeptDocument {
  const { headers, url, body } = response;
  const { etag, "last-modified": lastModified } = headers;
  return {
    bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    url,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
    ...getDates(response),
  };
}

function validators({ etag, lastModified }: Partial<KeptDocument>): Record<string, string> {
  if (etag !== undefined) return { "if-none-match": etag };
  return lastModified === undefined ? {} : { "if-modified-since": lastModified };
}

function requestDocument<T>(
  address: string,
  transport: HttpTransport,
  kept: KeptDocument | undefined,
  { accept, maxBytes, timeoutMs }: FetchDocumentOptions<T>,
): Promise<HttpResponse> {
  const headers = { accept, ...validators(kept ?? {}) };
  return transport.send(
    {
      method: "GET",
      url: address,
      headers,
      limits: { responseBytes: maxBytes },
      isAnswer: (status) =>
        Math.trunc(status / 100) === 2 || (status === NOT_MODIFIED && kept !== undefined),
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

interface Usable<T> {
  readonly kept: KeptDocument;
  readonly value: T;
}

/** Returns the cached document. Undefined if it is not usable. */
async function usable<T>(
  address: string,
  { cache, read }: FetchDocumentOptions<T>,
): Promise<Usable<T> | undefined> {
  const kept = await cache?.read(address);
  if (kept === undefined) return undefined;
  try {
    return { kept, value: await read(kept.bytes) };
  } catch {
    return undefined;
  }
}

/** Stores a document only after it was parsed, so that a broken one does not replace a good one. */
async function takeResponse<T>(
  address: string,
  response: HttpResponse,
  old: Usable<T> | undefined,
  { cache, read }: FetchDocumentOptions<T>,
): Promise<FetchedDocument<T>> {
  const isSame = response.status === NOT_MODIFIED && old !== undefined;
  const document = isSame ? { ...old.kept, ...getDates(response) } : getKept(response);
  const value = isSame ? old.value : await read(document.bytes);
  if (!directives(response).includes("no-store")) await cache?.write(address, document);
  return { value, url: document.url };
}

/**
 * Returns the document at a URL. The cached document is used while it is fresh or unchanged. If
 * the URL cannot be reached or has a broken document, the cached one is returned with a warning.
 */
export async function fetchDocument<T>(
  address: string,
  transport: HttpTransport,
  options: FetchDocumentOptions<T>,
): Promise<FetchedDocument<T>> {
  const old = await usable(address, options);
  if (old === undefined) {
    return takeResponse(
      address,
      await requestDocument(address, transport, undefined, options),
      old,
      options,
    );
  }
  const { kept, value } = old;
  if (kept.freshUntil > Date.now()) return { value, url: kept.url };
  const withOld = (warning: string): FetchedDocument<T> => ({ value, url: kept.url, warning });
  try {
    const response = await requestDocument(address, transport, kept, options);
    return await takeResponse(address, response, old, options).catch((thrown: unknown) =>
      withOld(
        spare(kept, `its current version is not usable: ${errorFromUnknown(thrown).message}`),
      ),
    );
  } catch (thrown) {
    const known = remembered(thrown, kept);
    if (known === undefined) throw thrown;
    return withOld(known.warning);
  }
}
