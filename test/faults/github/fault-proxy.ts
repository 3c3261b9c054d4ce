// A proxy between Waybill and a GitHub. It breaks write requests before, during or after the write.
import { Agent, createServer, request as sendRequest } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AfterWrite, Answer, Status, WireFault } from "./wire-faults.ts";

/** A complete request. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The GitHub behind the proxy: a socket's path, or a port of loopback. */
type Place = string | number;

/** Called while a broken write is held: before it is forwarded, and after the upstream answered. */
export type OnWrite = (moment: "received" | "answered") => Promise<void>;

const HOST = "127.0.0.1";
/** How long after the reset a late write is forwarded. */
const LATE_MS = 150;
const TRICKLE_MS = 100;

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const MUTATION = /^(?:[^{]*\}\s*)*\s*mutation\b/u;

/** A GraphQL document is a write if it is a mutation, and a REST request if it is not a GET. */
function isWrite({ method, path, body }: Received): boolean {
  if (method === "GET" || method === "HEAD") return false;
  if (!path.endsWith("/graphql")) return true;
  const { query = "" } = JSON.parse(body.toString()) as { query?: string };
  return MUTATION.test(query.trimStart()) || /\bmutation\s+\w/u.test(query);
}

export class FaultProxy {
  /** Injects this fault into the next `times` writes. */
  fault: WireFault | undefined;
  times = 0;
  onWrite: OnWrite | undefined;
  /** How far the upstream's clock is ahead, in milliseconds. The `Date` of its answers says so. */
  aheadMs = 0;
  /** All requests so far, as `read` or `write`. */
  readonly log: ("read" | "write")[] = [];
  readonly #place: Place;
  readonly #upstream: Place;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #underWay = new Set<Promise<unknown>>();
  #after: AfterWrite | undefined;
  #server: Server | undefined;

  constructor(place: Place, upstream: Place) {
    this.#place = place;
    this.#upstream = upstream;
  }

  async start(): Promise<void> {
    const server = createServer((message, response) => {
      this.#serve(message, response).catch(() => message.socket.destroy());
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      if (typeof this.#place === "string") server.listen(this.#place, resolve);
      else server.listen(this.#place, HOST, resolve);
    });
  }

  /** From now on, every request succeeds. */
  async heal(): Promise<void> {
    await Promise.all(this.#underWay);
    this.fault = undefined;
    this.#after = undefined;
    if (this.#server?.listening === false) await this.start();
  }

  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    await this.#stop();
    this.#agent.destroy();
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    if (server?.listening !== true) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = message;
    const received = { method, path, headers, body: await readAll(message) };
    const writes = isWrite(received);
    this.log.push(writes ? "write" : "read");
    if (!writes || this.fault === undefined || this.times <= 0) {
      return this.#after === undefined
        ? this.#passOn(received, response)
        : this.#giveAnswer(response, this.#after.answer);
    }
    this.times -= 1;
    await this.#untilHealed(this.#break(received, response, this.fault));
  }

  async #passOn(received: Received, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await this.#send(received);
    response.writeHead(status, headers).end(body);
  }

  async #break(received: Received, response: ServerResponse, fault: WireFault): Promise<void> {
    await this.onWrite?.("received");
    if (fault.passes === "half") await this.#sendHalf(received);
    if (fault.passes === "late") this.#sendLate(received);
    const reply = fault.passes === "all" ? await this.#send(received) : undefined;
    if (reply !== undefined) await this.onWrite?.("answered");
    this.#after = fault.after;
    if (fault.after?.answer === "down") return this.#stop();
    this.#giveAnswer(response, fault.answer, reply, received.path);
  }

  #giveAnswer(response: ServerResponse, answer: Answer, reply?: Reply, path = ""): void {
    if (typeof answer === "object") return writeStatus(response, answer, path);
    const { socket } = response;
    switch (answer) {
      case "down":
      case "reset":
        socket?.resetAndDestroy();
        return;
      case "half-headers":
        socket?.write("HTTP/1.1 200 OK\r\ncontent-le", () => socket.destroy());
        return;
      case "half-body":
      case "half-chunk":
        return writeHalf(response, reply, answer === "half-chunk");
      case "trickle":
        return trickle(response);
      case "silence":
        return;
    }
  }

  async #send({ method, path, headers, body }: Received): Promise<Reply> {
    const upstream = this.#upstream;
    const where =
      typeof upstream === "string" ? { socketPath: upstream } : { host: HOST, port: upstream };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = sendRequest({ ...where, agent: this.#agent, method, path, headers }, resolve);
      sent.once("error", reject).end(body);
    });
    const { statusCode: status = 0, headers: own } = answer;
    const date = new Date(Date.parse(own.date ?? "") + this.aheadMs);
    const dated = this.aheadMs === 0 ? own : { ...own, date: date.toUTCString() };
    return { status, headers: dated, body: await readAll(answer) };
  }

  /** The upstream sees a request that breaks off in the middle. */
  #sendHalf({ method, path, headers, body }: Received): Promise<void> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}`);
    const whole = Buffer.concat(body.length === 0 ? [head] : [head, Buffer.from("\r\n"), body]);
    const half = whole.subarray(0, whole.length - Math.ceil(body.length / 2));
    return new Promise((resolve) => {
      const upstream = this.#upstream;
      const socket = typeof upstream === "string" ? connect(upstream) : connect(upstream, HOST);
      socket.once("error", () => {}).once("close", () => resolve());
      socket.write(half, () => socket.destroy());
    });
  }

  #sendLate(received: Received): void {
    const pause = new Promise((resolve) => setTimeout(resolve, LATE_MS));
    void this.#untilHealed(pause.then(() => this.#send(received)).catch(() => {}));
  }

  /** Requests keep failing until this has ended. */
  async #untilHealed(work: Promise<unknown>): Promise<void> {
    const ended = work.catch(() => {});
    this.#underWay.add(ended);
    await work.finally(() => this.#underWay.delete(ended));
  }
}

function writeStatus(
  response: ServerResponse,
  { status, body = "", headers }: Status,
  path: string,
): void {
  const location = headers?.["location"]?.replace("{path}", path);
  const own = { ...headers, ...(location !== undefined && { location }) };
  const type = body.startsWith("<") ? "text/html" : "application/json";
  response.writeHead(status, { "content-type": type, ...own }).end(body);
}

/** The real status, and half of the body. */
function writeHalf(response: ServerResponse, reply: Reply | undefined, isChunked: boolean): void {
  const { status = 200, headers = {}, body = Buffer.from("{}") } = reply ?? {};
  const { "content-length": _length, "transfer-encoding": _coding, ...kept } = headers;
  const framing = isChunked
    ? { "transfer-encoding": "chunked" }
    : { "content-length": String(Math.max(body.length, 2)) };
  response.writeHead(status, { ...kept, ...framing });
  response.flushHeaders();
  const { socket } = response;
  const half = body.subarray(0, body.length / 2);
  response.write(half.length === 0 ? " " : half, () => socket?.destroy());
}

/** Sends one byte at a time, and never the last one. */
function trickle({ socket }: ServerResponse): void {
  const bytes = `HTTP/1.1 200 OK\r\nx-slow: ${"s".repeat(3_000)}`;
  let at = 0;
  const timer = setInterval(() => socket?.write(bytes[at++ % bytes.length]!), TRICKLE_MS);
  socket?.once("close", () => clearInterval(timer)).once("error", () => {});
}
