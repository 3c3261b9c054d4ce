import * as http from "node:http";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import * as https from "node:https";
import { Readable } from "node:stream";
import { fail, isCallError } from "@waybill/core";
import type { AddressGuard } from "../addresses.ts";

/** Statuses without a body. `Response` refuses a body for them. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

export interface NodeFetchOptions {
  readonly guard: AddressGuard | undefined;
  /** Uses a new connection, because only then a failure to connect can be recognised. */
  readonly isFresh: boolean;
}

/** Returns a function that tells whether the first byte of the request may have been sent. */
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

/** Sets the content type of a form, like `fetch` does. */
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
      const hint = "Check the address, and that the server runs";
      const details = { outcome: "not_applied", hint } as const;
      const unreached = fail("NETWORK", `${url.host} cannot be reached`, details, { cause });
      const isTold = isCallError(cause) || isConnected() || init.signal?.aborted === true;
      reject(isTold ? cause : unreached);
    });
    sent.once("response", (incoming) => resolve(getResponse(incoming)));
    sent.end(fetchBody(init));
  });
}

/**
 * The redirect target of a plain read, if it is on the same host. Credentials must not be sent
 * to another host.
 */
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
 * Like `fetch`, but it controls which addresses are reached, and knows whether a failed request
 * may have been sent. If the server has already closed a kept-alive connection, a write on it
 * has an unknown outcome.
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
