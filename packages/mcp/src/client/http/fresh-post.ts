import * as http from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import * as https from "node:https";
import { Readable } from "node:stream";
import { fail } from "@waybill/core";

/** Statuses whose answer has no body, which a Response insists on. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Tells once the first byte of the request can have left. */
function watchConnecting(request: ClientRequest, isSecure: boolean): () => boolean {
  let isConnected = false;
  request.once("socket", (socket) => {
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      isConnected = true;
    });
  });
  return () => isConnected;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  return headers;
}

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = "" } = incoming;
  const facts = { status, statusText, headers: headersOf(incoming) };
  if (!WITHOUT_BODY.has(status)) {
    return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, facts);
  }
  incoming.resume();
  return new Response(null, facts);
}

/**
 * Posts on a connection of its own. On one that was kept the server may have hung up already, and a
 * write that meets that has an unknown outcome; here a failure to connect is known for what it is.
 */
export function freshPost(url: URL, init: RequestInit, body: string): Promise<Response> {
  const isSecure = url.protocol === "https:";
  const { request } = isSecure ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      agent: false,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal != null && { signal: init.signal }),
    });
    const isConnected = watchConnecting(sent, isSecure);
    sent.once("error", (cause) => {
      const details = { outcome: "not_applied" } as const;
      const unreached = fail("NETWORK", `${url.host} cannot be reached`, details, { cause });
      reject(isConnected() || init.signal?.aborted === true ? cause : unreached);
    });
    sent.once("response", (incoming) => resolve(responseOf(incoming)));
    sent.end(body);
  });
}
