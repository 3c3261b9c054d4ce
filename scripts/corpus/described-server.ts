import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RawOperation } from "./raw-operations.ts";

/** The answer that the server sends next, and its operation. */
export interface Plan {
  readonly raw: RawOperation;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string | Buffer;
}

function pathPattern(path: string): RegExp {
  const [template = ""] = path.split(/[?#]/u, 1);
  const literal = template
    .split(/\{[^{}]+\}/u)
    .map((text) => encodeURI(text).replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`));
  return new RegExp(`^${literal.join("[^/]+")}$`, "u");
}

function missingParameter(
  raw: RawOperation,
  request: IncomingMessage,
  url: URL,
): string | undefined {
  const needed = raw.parameters.filter(({ required }) => required === true);
  const names = [...url.searchParams.keys()];
  const inQuery = (name: string): boolean =>
    names.some((key) => key === name || key.startsWith(`${name}[`));
  for (const { in: place, name, schema, style } of needed) {
    const key = String(name);
    const isSpread = JSON.stringify({ schema, style }).includes("object");
    if (place === "query" && !inQuery(key) && !isSpread) return `query ${key}`;
    if (place === "header" && request.headers[key.toLowerCase()] === undefined)
      return `header ${key}`;
  }
  return undefined;
}

async function readRequestBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A server that checks requests against the description and answers as described. */
export class DescribedServer {
  readonly #server: Server = createServer(
    (request, response) => void this.#serve(request, response),
  );
  plan: Plan | undefined;

  async start(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readRequestBytes(request);
    const { plan } = this;
    const problem = plan === undefined ? "unexpected" : this.#problem(plan, request, body);
    if (plan === undefined || problem !== undefined) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: problem }));
      return;
    }
    const { status, contentType } = plan;
    response.writeHead(status, contentType === undefined ? {} : { "content-type": contentType });
    response.end(plan.body);
  }

  #problem({ raw }: Plan, request: IncomingMessage, body: Buffer): string | undefined {
    const url = new URL(request.url ?? "", "http://host");
    if (request.method !== raw.method.toUpperCase()) return `method ${request.method}`;
    if (!pathPattern(raw.path).test(url.pathname)) return `path ${url.pathname}`;
    const missing = missingParameter(raw, request, url);
    if (missing !== undefined) return `no ${missing}`;
    if (raw.body?.["required"] === true && request.headers["content-type"] === undefined)
      return "no body";
    const isJson = (request.headers["content-type"] ?? "").startsWith("application/json");
    if (isJson) JSON.parse(body.toString("utf8"));
    return undefined;
  }
}
