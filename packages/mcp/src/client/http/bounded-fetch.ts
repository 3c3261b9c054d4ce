import type { FetchLike } from "@modelcontextprotocol/client";
import { fail } from "@waybill/core";
import { unmarkText, unquoteDigits } from "@waybill/core/schema";
import type { AddressGuard } from "../addresses.ts";
import { integerMarker } from "./integer-marker.ts";
import { nodeFetch } from "./node-fetch.ts";
import { REPEATABLE_HEADER } from "./repeatable-header.ts";

function hasBlankLine(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return bytes.includes("\n\n") || bytes.includes("\r\n\r\n");
}

/** Passes bytes up to a limit, which applies to the whole body or to one event of a stream. */
function limiter(
  maxBytes: number,
  isStream: boolean,
  onTooLarge: () => void,
): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > maxBytes) {
        onTooLarge();
        const message = `The server's answer is longer than ${maxBytes} bytes. Request less data`;
        controller.error(fail("TOO_LARGE", message, { outcome: "unknown" }));
        return;
      }
      if (isStream && hasBlankLine(chunk)) seen = 0;
      controller.enqueue(chunk);
    },
  });
}

/** Matches a tool call. Inside a string of the message, the quotes would be escaped. */
const TOOL_CALL = '"method":"tools/call"';

/** Calls that must not be sent twice use a new connection, other calls a kept-alive one. */
function sendFetch(
  url: string | URL,
  init: RequestInit | undefined,
  guard: AddressGuard | undefined,
): Promise<Response> {
  const headers = new Headers(init?.headers);
  const isRepeatable = headers.has(REPEATABLE_HEADER);
  headers.delete(REPEATABLE_HEADER);
  for (const [name, value] of headers) headers.set(name, unmarkText(value));
  const { method, body: given } = init ?? {};
  const body = typeof given === "string" ? unquoteDigits(given) : given;
  const isCall = method === "POST" && typeof body === "string" && body.includes(TOOL_CALL);
  const isFresh = isCall && !isRepeatable;
  if (isFresh || guard !== undefined) {
    return nodeFetch(new URL(url), { ...init, ...(body && { body }), headers }, { guard, isFresh });
  }
  // Redirects of a POST are not followed.
  const redirect = method === "POST" ? "error" : "follow";
  return fetch(url, { redirect, ...init, ...(body && { body }), headers });
}

/** A `fetch` with a size limit for responses. */
export function boundedFetch(
  maxBytes: number,
  onTooLarge: () => void,
  guard: AddressGuard | undefined,
): FetchLike {
  return async (url, init) => {
    const response = await sendFetch(url, init, guard);
    if (response.body === null || !response.ok) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body
      .pipeThrough(limiter(maxBytes, isStream, onTooLarge))
      .pipeThrough(integerMarker());
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}
