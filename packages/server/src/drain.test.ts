import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { defineOperation } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { Shop } from "./fixtures/shop.ts";
import { startHttpServer } from "./index.ts";
import type { HttpServer, HttpServerOptions } from "./index.ts";

const nextTick = promisify((done: () => void) => process.nextTick(done));

const VIEW = '{"params":{"id":1}}';
/** More than the system buffers for a client that does not read. */
const LARGE = 12_000_000;

const largeAnswer = defineOperation({
  id: "item.large",
  description: "Answer a long text",
  effect: "read",
  input: { type: "object" },
  output: true,
  handler: () => "x".repeat(LARGE),
});

/** A write that never ends, and that ignores its signal. */
const stuck = defineOperation({
  id: "item.stuck",
  description: "Change an item and never answer",
  effect: "write",
  input: { type: "object" },
  output: true,
  handler: () => new Promise(() => {}),
});

interface Started extends HttpServer {
  readonly shop: Shop;
  readonly port: number;
}

async function start(limits: HttpServerOptions["limits"] = {}): Promise<Started> {
  const shop = new Shop();
  const waybill = shop.waybill({ operations: [...shop.operations, largeAnswer, stuck] });
  const server = await startHttpServer({ waybill, version: "0.0.0", limits });
  onTestFinished(() => server.close());
  return { ...server, shop, port: Number(new URL(server.url).port) };
}

function request(id: string, body = "{}", length = body.length): string {
  return (
    `POST /v1/execute/${id} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n\r\n${body}`
  );
}

function open(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a request on a connection that stays open, and waits for its answer. */
async function view(socket: Socket): Promise<string> {
  socket.write(request("item.view", VIEW));
  const [answer] = (await once(socket, "data")) as [Buffer];
  return answer.toString();
}

async function untilBegun({ shop }: Started, id: string): Promise<void> {
  await expect.poll(() => shop.begun).toContain(id);
}

describe("a closing server", () => {
  it("a closing HTTP server answers connections that the system accepted before the server did", async () => {
    const server = await start();
    const sockets = Array.from({ length: 50 }, () => open(server.port));
    const answers = sockets.map(async (socket) => {
      socket.write(request("item.view", VIEW));
      return text(socket);
    });
    await nextTick();
    // The system connects the clients while the server can do nothing.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    const closed = server.close();
    for (const answer of await Promise.all(answers)) expect(answer).toContain('"ok":true');
    await closed;
  });

  it("a closing HTTP server answers a request on a kept connection, and tells the client to close the connection", async () => {
    const finished = new EventTarget();
    const server = await start();
    server.shop.moment = () => once(finished, "now");
    const [busy, kept] = [open(server.port), open(server.port)];
    expect(await view(kept)).toContain("Connection: keep-alive");
    busy.write(request("item.late"));
    const late = text(busy);
    await expect.poll(async () => (await view(kept)).includes('"ok":true')).toBe(true);
    const closed = server.close();
    const answer = view(kept);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close[^]*"ok":true/u);
    await once(kept, "close");
    finished.dispatchEvent(new Event("now"));
    expect(await late).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close[^]*"data":"late"/u);
    await closed;
  });

  it("a closing HTTP server closes connections on which nothing arrives", async () => {
    const server = await start();
    const [kept, silent] = [open(server.port), open(server.port)];
    await view(kept);
    await server.close();
    expect(await Promise.all([text(kept), text(silent)])).toEqual(["", ""]);
  });

  it("a closing HTTP server answers a request whose body is still arriving", async () => {
    const server = await start();
    const socket = open(server.port);
    const whole = request("item.view", VIEW);
    socket.write(whole.slice(0, -5));
    await expect.poll(() => view(open(server.port))).toContain('"ok":true');
    const closed = server.close();
    await expect
      .poll(() => once(open(server.port), "connect").catch(() => "refused"))
      .toBe("refused");
    socket.write(whole.slice(-5));
    expect(await text(socket)).toContain('"ok":true');
    await closed;
  });

  it("a closing HTTP server sends the whole of a long answer to a client that reads slowly", async () => {
    const server = await start({ graceMs: 600_000 });
    const socket = open(server.port);
    socket.pause();
    socket.write(request("item.large"));
    await once(socket, "readable");
    const closed = server.close();
    await expect
      .poll(() => once(open(server.port), "connect").catch(() => "refused"))
      .toBe("refused");
    expect((await text(socket)).length).toBeGreaterThan(LARGE);
    await closed;
  });

  it("a closing HTTP server aborts calls after the grace period and answers with their outcome", async () => {
    const server = await start({ graceMs: 100 });
    const [read, write] = [open(server.port), open(server.port)];
    read.write(request("item.wait"));
    write.write(request("item.stuck"));
    const answers = [text(read), text(write)];
    await untilBegun(server, "item.wait");
    await server.close();
    expect(await answers[0]).toMatch(
      / 503 [^]*"message":"The server shut down before the call ended"/u,
    );
    expect(await answers[0]).toContain('"retryable":true');
    expect(await answers[1]).toMatch(/ 503 [^]*"retryable":false[^]*"outcome":"unknown"/u);
    expect(server.shop.cancelled).toEqual(["item.wait"]);
  });

  it("a closing HTTP server answers a request that has not arrived by the end of the grace period", async () => {
    const server = await start({ graceMs: 100 });
    const socket = open(server.port);
    socket.write(request("item.view", VIEW).slice(0, -5));
    const answer = text(socket);
    await expect.poll(() => view(open(server.port))).toContain('"ok":true');
    await server.close();
    expect(await answer).toMatch(/ 503 [^]*"The server shut down before the request had arrived"/u);
  });

  it("a closing HTTP server refuses a subscription while it waits for proxies to leave", async () => {
    const server = await start({ leaveMs: 300 });
    const closed = server.close();
    const answer = await fetch(`${server.url}/v1/subscribe/item.watch`);
    expect(await answer.text()).toContain("The server is shutting down");
    await closed;
  });
});
