import type { IncomingMessage } from "node:http";

/** A complete request as it arrived. */
export interface WireRequest {
  readonly method: string;
  readonly host: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const MAX_BODY = 64 * 1024 * 1024;

export async function readRequest(message: IncomingMessage, scheme: string): Promise<WireRequest> {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  );
  const target = message.url ?? "/";
  // A client that uses a proxy sends the whole URL.
  const isWhole = /^https?:\/\//.test(target);
  const own = headers["host"] ?? "localhost";
  const url = isWhole ? new URL(target) : new URL(`${scheme}://${own}${target}`);
  const host = isWhole ? url.host : own;
  return { method: message.method ?? "GET", host, url, headers, body: await readBody(message) };
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error("The request is larger than the emulator accepts");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}
