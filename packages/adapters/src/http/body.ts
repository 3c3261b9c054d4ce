import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import type { Duplex, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { fail } from "@waybill/core";
import { parseExactJson } from "@waybill/core/schema";
import type { CallError } from "@waybill/core";
import type { ExactJson } from "@waybill/core/schema";

const ERROR_BYTES = 65_536;
const NOTHING = new Uint8Array();
/** Event servers send `content-encoding: none`, so that no proxy compresses and delays events. */
const PLAIN: ReadonlySet<string> = new Set(["", "identity", "none"]);

function getDecoder(encoding: string): Duplex {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw fail(
        "SERVER",
        `Waybill cannot decode the content encoding "${encoding.slice(0, 40)}"`,
        { hint: "The server should send gzip, deflate or br" },
      );
  }
}

function isBodiless({ statusCode }: IncomingMessage, method: string): boolean {
  return method === "HEAD" || statusCode === 204 || statusCode === 304;
}

export function decodedStream(response: IncomingMessage, method: string): Readable {
  const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (PLAIN.has(encoding) || isBodiless(response, method)) return response;
  // Needs no error handler, because errors reach the reader of the last stream.
  return pipeline(response, getDecoder(encoding), () => {});
}

function tooLarge(limit: number): CallError {
  const hint = "Request less data";
  return fail("TOO_LARGE", `The limit of ${limit} bytes was exceeded`, { hint });
}

/**
 * Reads the whole body and decompresses it. The limit applies to the decompressed size, so that
 * a decompression bomb is stopped too.
 */
export async function readBody(
  response: IncomingMessage,
  method: string,
  limit: number,
): Promise<Uint8Array> {
  const isTooLong = Number(response.headers["content-length"] ?? 0) > limit;
  if (isTooLong && method !== "HEAD") throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of decodedStream(response, method) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/**
 * Reads the body of an answer whose status is enough. A body that cannot be read is not an
 * error.
 */
export async function readErrorBody(
  response: IncomingMessage,
  method: string,
): Promise<Uint8Array> {
  try {
    return await readBody(response, method, ERROR_BYTES);
  } catch {
    response.destroy();
    return NOTHING;
  }
}

/** Parses a JSON body. Undefined if it is not JSON. */
export function parseJson(body: Uint8Array): ExactJson | undefined {
  try {
    return parseExactJson(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
