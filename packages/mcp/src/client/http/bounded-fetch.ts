import type { FetchLike } from "@modelcontextprotocol/client";
import { fail } from "@waybill/core";

function hasBlankLine(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return bytes.includes("\n\n") || bytes.includes("\r\n\r\n");
}

/** Lets bytes through up to a limit: of the whole body, or of one event of a stream. */
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
        const message = `The server's answer is longer than ${maxBytes} bytes`;
        controller.error(fail("TOO_LARGE", message, { outcome: "unknown" }));
        return;
      }
      if (isStream && hasBlankLine(chunk)) seen = 0;
      controller.enqueue(chunk);
    },
  });
}

/** A `fetch` whose answers cannot fill the memory. */
export function boundedFetch(maxBytes: number, onTooLarge: () => void): FetchLike {
  return async (url, init) => {
    // What is posted stays with who it was meant for.
    const redirect = init?.method === "POST" ? "error" : "follow";
    const response = await fetch(url, { redirect, ...init });
    if (response.body === null || !response.ok) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(limiter(maxBytes, isStream, onTooLarge));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}
