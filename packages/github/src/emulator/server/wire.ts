import type { ServerResponse } from "node:http";
import type { Reply } from "../rest/reply.ts";
import type { WireRequest } from "./request.ts";

/** An answer with all its headers, ready to send. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Uses the clock of this process, which tests may set. Node would use the machine's clock. */
function httpDate(): string {
  return new Date(Date.now()).toUTCString();
}

export function replyBytes({ body }: Reply): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

export function toWire(reply: Reply, { method }: WireRequest, requestId: string): WireReply {
  const { status, headers } = reply;
  const body = replyBytes(reply);
  const isEmpty = status === 204 || status === 205 || status === 304;
  const common: Record<string, string> = {
    server: "github.com",
    "x-github-request-id": requestId,
    "x-github-media-type": "github.v3; format=json",
  };
  if (body.length > 0 && !isEmpty) common["content-type"] = "application/json; charset=utf-8";
  if (!isEmpty) common["content-length"] = String(body.length);
  const kept = method === "HEAD" ? Buffer.alloc(0) : body;
  return { status, headers: { ...common, ...headers }, body: kept };
}

export function writeReply(response: ServerResponse, { status, headers, body }: WireReply): void {
  response.writeHead(status, { date: httpDate(), ...headers });
  response.end(body);
}

/** Declares the full length in the header, but sends only a part of the body. */
export function writeCut(
  response: ServerResponse,
  { status, headers, body }: WireReply,
  bytes: number,
): void {
  response.writeHead(status, { date: httpDate(), ...headers });
  response.write(body.subarray(0, bytes), () => response.socket?.destroy());
}
