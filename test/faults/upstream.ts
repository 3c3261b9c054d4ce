// An upstream with REST and GraphQL over one store. It fails where a request says so.
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createTcpServer } from "node:net";
import type { AddressInfo, Socket, Server as TcpServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fieldReply, perform, read } from "./faces.ts";
import type { Asked, Reply } from "./faces.ts";
import { faultNamed } from "./faults.ts";
import type { Act, Fault } from "./faults.ts";
import { Store } from "./store.ts";

/** The header with the fault that a request should meet. */
export const FAULT_HEADER = "x-fault";
/** If a request has no headers of its own, a comment in its document names the fault. */
export const FAULT_COMMENT = "#x-fault ";
const LATE_MS = 30;
/** Long enough that the date of the new object is in a later second. */
const SLOW_MS = 3_050;
/** Marks the target of a redirect, where requests succeed. */
const FOLLOWED = "?followed";

async function listen(server: Server | TcpServer): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/**
 * A port where nothing listens. A port that was just freed would not be safe, because another
 * server may take it.
 */
const CLOSED_PORT = 1;

async function readRequestText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, reply: Reply, headers: object = {}): void {
  const { status, body } = reply;
  const all = { "content-type": "application/json", ...reply.headers, ...headers };
  response.writeHead(status, all).end(body);
}

function findFaultName(request: IncomingMessage, body: string): string | undefined {
  const isComment = body.includes(FAULT_COMMENT);
  const named = isComment ? /#x-fault (.*?)\\n/u.exec(body)?.[1] : undefined;
  return named ?? request.headers[FAULT_HEADER]?.toString();
}

function contentTypeHeader(type: string | undefined): object {
  return type === undefined ? {} : { "content-type": type };
}

/** A Unix socket has no reset: the connection just ends. */
function reset(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

/** Sends the head and half of the body, then nothing. */
function sendCut(response: ServerResponse, { status, body }: Reply, framing: string): void {
  const length = Math.max(body.length, 2);
  const headers = framing === "length" ? { "content-length": length } : {};
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.write(body.slice(0, Math.floor(length / 2)) || "{", () => response.socket?.destroy());
}

export class Upstream {
  readonly store: Store = new Store();
  readonly #server = this.#listener();
  /** Serves the API over a Unix socket, which `gh` uses. */
  readonly #socketServer = this.#listener();
  /** Resets every connection. */
  readonly #trapdoor = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.resetAndDestroy();
  });
  readonly #late = new Set<Promise<void>>();
  #port = 0;
  #trapdoorPort = 0;

  async start(): Promise<this> {
    this.#server.keepAliveTimeout = 60_000;
    this.#port = await listen(this.#server);
    this.#trapdoorPort = await listen(this.#trapdoor);
    return this;
  }

  async serveAt(socket: string): Promise<void> {
    await once(this.#socketServer.listen(socket), "listening");
  }

  #listener(): Server {
    return createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The URL on a port where nothing listens, where TLS is missing, or that resets connections. */
  misled(url: string | URL, to: "closed" | "tls" | "trapdoor"): URL {
    const other = new URL(url);
    if (to === "tls") other.protocol = "https:";
    else other.port = String(to === "closed" ? CLOSED_PORT : this.#trapdoorPort);
    return other;
  }

  /** Resolves when all late writes are applied. */
  async settled(): Promise<void> {
    await Promise.all(this.#late);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#socketServer.closeAllConnections();
    this.#socketServer.close();
    this.#trapdoor.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isFollowed = request.url?.endsWith(FOLLOWED) === true;
    const early = faultNamed(request.headers[FAULT_HEADER]?.toString());
    if (early?.act.at === "headers") {
      reset(request.socket);
      return;
    }
    const body = await readRequestText(request);
    const fault = isFollowed ? undefined : faultNamed(findFaultName(request, body));
    const asked = read(request, body);
    if (fault === undefined) send(response, perform(asked, this.store));
    else this.#fail(fault, asked, response);
  }

  #fail(fault: Fault, asked: Asked, response: ServerResponse): void {
    const { act, applies } = fault;
    if (act.at === "fields") {
      send(response, fieldReply(act.how, applies, asked, this.store));
      return;
    }
    const done = applies ? perform(asked, this.store) : { status: 200, body: '{"data":{}}' };
    if (act.at === "headers") reset(response.socket!);
    else if (act.at === "request") this.#breakOff(act, asked, response);
    else if (act.at === "answer") this.#answerBadly(act, asked, done, response);
  }

  #breakOff(act: Act & { at: "request" }, asked: Asked, response: ServerResponse): void {
    const socket = response.socket!;
    switch (act.how) {
      case "silent":
        return;
      case "late":
        void this.#later(LATE_MS, asked);
        reset(socket);
        return;
      case "slow":
        void this.#later(SLOW_MS, asked).then(() => reset(socket));
        return;
      case "reset":
        reset(socket);
        return;
      case "end":
        socket.end();
        return;
      case "half-status":
        socket.write("HTTP/1.1 2", () => socket.destroy());
        return;
      case "not-http":
        socket.end("220 mail ready\r\n\r\n");
    }
  }

  #later(ms: number, asked: Asked): Promise<void> {
    const work = delay(ms).then(() => void perform(asked, this.store));
    this.#late.add(work);
    return work;
  }

  #answerBadly(
    act: Act & { at: "answer" },
    asked: Asked,
    done: Reply,
    response: ServerResponse,
  ): void {
    const sorry = { status: 500, body: '{"message":"sorry"}' };
    switch (act.how) {
      case "status": {
        const reply = { ...sorry, status: act.status };
        if (act.isCut) sendCut(response, reply, "length");
        else send(response, reply);
        return;
      }
      case "redirect": {
        const here = `${response.req.url}${FOLLOWED}`;
        const location = act.to === "here" ? here : this.misled(this.url, "closed").href;
        send(response, { ...sorry, status: act.status }, { location });
        return;
      }
      case "cut":
        sendCut(response, done, act.framing);
        return;
      case "body":
        send(response, { status: done.status, body: act.body }, contentTypeHeader(act.type));
    }
  }
}
