import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly answer: { readonly status: number; readonly type: string; readonly body: string };
}

/** Headers of a connection, which are not forwarded. */
const HOP = new Set(["connection", "content-length", "host", "keep-alive", "transfer-encoding"]);

async function readIncoming(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A server that records every request, forwards it and returns the response. */
export class Recorder {
  readonly requests: Recorded[] = [];
  readonly #server = createServer((incoming, response) => void this.#serve(incoming, response));
  url = "";
  /** The target of forwarded requests. Without it, the response is an empty object. */
  target: string | undefined;

  async start(): Promise<void> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readIncoming(incoming);
    const { method = "GET", url = "/" } = incoming;
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    const answer = await this.#answer(method, url, headers, bytes);
    this.requests.push({ method, url: `${this.url}${url}`, headers, body: bytes, answer });
    response.writeHead(answer.status, { "content-type": answer.type });
    response.end(answer.status === 204 ? undefined : answer.body);
  }

  async #answer(
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
  ): Promise<Recorded["answer"]> {
    const plain = { status: 200, type: "application/json", body: "{}" };
    if (this.target === undefined) return plain;
    const passed = Object.entries(headers).filter(([name]) => !HOP.has(name));
    const sent = request(`${this.target}${url}`, {
      method,
      headers: { ...Object.fromEntries(passed), "content-length": body.length },
    });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const type = response.headers["content-type"] ?? "";
    const text = (await readIncoming(response)).toString("utf8");
    return { status: response.statusCode ?? 500, type, body: text };
  }
}
