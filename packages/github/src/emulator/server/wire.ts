import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Reply } from "../rest/reply.ts";
import type { WireRequest } from "./request.ts";

/** An answer with all its headers, ready to be written. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function bytesOf({ body }: Reply): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

export function toWire(
  reply: Reply,
  { method, headers }: WireRequest,
  requestId: string,
): WireReply {
  const body = bytesOf(reply);
  const common: Record<string, string> = {
    server: "github.com",
    "x-github-request-id": requestId,
    "x-github-media-type": "github.v3; format=json",
    "x-github-api-version-selected": "2022-11-28",
    "content-type": "application/json; charset=utf-8",
  };
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead || reply.status !== 200) return finish(reply, common, body, method);
  const etag = `W/"${createHash("sha256").update(body).digest("hex")}"`;
  const cached = { ...common, etag, "cache-control": "private, max-age=60, s-maxage=60" };
  const known = (headers["if-none-match"] ?? "").split(/,\s*/);
  if (known.includes(etag))
    return finish({ ...reply, status: 304 }, cached, Buffer.alloc(0), method);
  return finish(reply, cached, body, method);
}

function finish(
  { status, headers }: Reply,
  common: Readonly<Record<string, string>>,
  body: Buffer,
  method: string,
): WireReply {
  const isEmpty = status === 204 || status === 205 || status === 304;
  const { "content-type": type, ...rest } = common;
  const typed: Record<string, string> =
    isEmpty || body.length === 0 ? {} : { "content-type": type! };
  const length: Record<string, string> = isEmpty ? {} : { "content-length": String(body.length) };
  const kept = method === "HEAD" ? Buffer.alloc(0) : body;
  return { status, headers: { ...rest, ...typed, ...length, ...headers }, body: kept };
}

export function write(response: ServerResponse, { status, headers, body }: WireReply): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** Promises the whole and breaks off in the middle. */
export function writeCut(
  response: ServerResponse,
  { status, headers, body }: WireReply,
  bytes: number,
): void {
  response.writeHead(status, headers);
  response.write(body.subarray(0, bytes), () => response.socket?.destroy());
}
