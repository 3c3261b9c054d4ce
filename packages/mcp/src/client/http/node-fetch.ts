import * as http from "node:http";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import * as https from "node:https";
import { Readable } from "node:stream";
import { fail, isCallError } from "@waybill/core";
import type { AddressGuard } from "../addresses.ts";

/** Statuses whose answer has no body, which a Response insists on. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

export interface NodeFetchOptions {
  readonly guard: AddressGuard | undefined;
  /** A connection of its own, so that a failure to connect is known for what it is. */
  readonly isFresh: boolean;
}

/** Tells once the first byte of the request can have left. */
function watchConnecting(request: ClientRequest, isSecure: boolean): () => boolean {
  let isConnected = false;
  request.once("socket", (socket) => {
    if (!socket.connecting) isConnected = true;
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      isConnected = true;
    });
  });
  return () => isConnected;
}

function fetchHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  return headers;
}

function getResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = "" } = incoming;
  const facts = { status, statusText, headers: fetchHeaders(incoming) };
  if (!WITHOUT_BODY.has(status)) {
    return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, facts);
  }
  incoming.resume();
  return new Response(null, facts);
}

function fetchBody({ body }: RequestInit): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new TypeError("Only strings can be sent to an MCP server");
}

/** As `fetch` says of a form what it is. */
function sentHeaders({ headers: given, body }: RequestInit): Record<string, string> {
  const headers = new Headers(given);
  if (body instanceof URLSearchParams && !headers.has("content-type")) {
    headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
  }
  return Object.fromEntries(headers);
}

function exchange(url: URL, init: RequestInit, options: NodeFetchOptions): Promise<Response> {
  const isSecure = url.protocol === "https:";
  const { request } = isSecure ? https : http;
  const { guard, isFresh } = options;
  const asked: RequestOptions = {
    method: init.method ?? "GET",
    ...(isFresh && { agent: false }),
    ...(guard !== undefined && { lookup: guard.lookup }),
    headers: sentHeaders(init),
    ...(init.signal != null && { signal: init.signal }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, asked);
    const isConnected = watchConnecting(sent, isSecure);
    sent.once("error", (cause) => {
      const details = { outcome: "not_applied" } as const;
      const unreached = fail("NETWORK", `${url.host} cannot be reached`, details, { cause });
      const isTold = isCallError(cause) || isConnected() || init.signal?.aborted === true;
      reject(isTold ? cause : unreached);
    });
    sent.once("response", (incoming) => resolve(getResponse(incoming)));
    sent.end(fetchBody(init));
  });
}

/** Where a plain read is sent on to, on the same host; what it was sent with is for no other. */
function getRedirect(
  response: Response,
  url: URL,
  { method = "GET" }: RequestInit,
): URL | undefined {
  const location = response.headers.get("location") ?? "";
  if (method !== "GET" || !REDIRECTS.has(response.status) || !URL.canParse(location, url.href)) {
    return undefined;
  }
  const next = new URL(location, url);
  return next.origin === url.origin ? next : undefined;
}

/**
 * As `fetch`, over sockets of which more can be said: where they may lead, and whether a request that
 * failed can have left. On a connection that was kept the server may have hung up already, and a
 * write that meets that has an unknown outcome.
 */
export async function nodeFetch(
  given: URL,
  init: RequestInit,
  options: NodeFetchOptions,
): Promise<Response> {
  let url = given;
  for (let redirects = 0; ; redirects += 1) {
    options.guard?.assert(url);
    const response = await exchange(url, init, options);
    const next = redirects < MAX_REDIRECTS ? getRedirect(response, url, init) : undefined;
    if (next === undefined) return response;
    await response.body?.cancel();
    url = next;
  }
}
