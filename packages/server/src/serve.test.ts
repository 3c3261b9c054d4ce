import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { Shop } from "./fixtures/shop.ts";
import { startHttpServer } from "./index.ts";
import type { HttpServer, HttpServerOptions } from "./index.ts";

async function start(
  shop: Shop,
  options: Partial<HttpServerOptions> = {},
): Promise<HttpServer & { port: number }> {
  const waybill = shop.waybill();
  const server = await startHttpServer({ waybill, version: "0.0.0", ...options });
  onTestFinished(() => server.close());
  return { ...server, port: Number(new URL(server.url).port) };
}

/** Sends raw bytes, and reads until the server closes the connection. */
async function raw(port: number, ...parts: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  for (const part of parts) socket.write(part);
  return text(socket);
}

const VIEW = '{"params":{"id":1}}';

function request(body: string, headers = "", length = body.length): string {
  return (
    `POST /v1/execute/item.view HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n${headers}\r\n${body}`
  );
}

function call(url: string, id: string, body = "{}"): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/v1/execute/${id}`, { method: "POST", headers, body });
}

describe("startHttpServer", () => {
  it("the HTTP server listens on 127.0.0.1 by default", async () => {
    const { url } = await start(new Shop());
    expect(new URL(url).hostname).toBe("127.0.0.1");
    expect(await (await call(url, "item.view", VIEW)).json()).toMatchObject({ ok: true });
  });

  it("the HTTP server listens on other addresses only with tokens and host names", async () => {
    const hostname = "0.0.0.0";
    const tokens = [{ token: "t", identity: { id: "a", scopes: [] } }];
    await expect(start(new Shop(), { hostname })).rejects.toThrow("configure tokens");
    await expect(start(new Shop(), { hostname, tokens })).rejects.toThrow("configure host names");
    const { url } = await start(new Shop(), { hostname, tokens, hosts: ["0.0.0.0"] });
    expect((await call(url, "item.view", VIEW)).status).toBe(401);
  });

  it.each(["Host: evil.example\r\n", "host: localhost\r\n", "HOST: 127.0.0.1\r\n"])(
    "the HTTP server refuses a request with a second Host header, %j",
    async (second) => {
      const { port } = await start(new Shop());
      const answer = await raw(port, request(VIEW, `${second}Connection: close\r\n`));
      expect(answer).toMatch(/^HTTP\/1\.1 40[03] /u);
      expect(answer).not.toContain('"ok":true');
    },
  );

  it("the HTTP server answers pipelined requests in order", async () => {
    const { port } = await start(new Shop());
    const asked = [1, 2, 3].map((id) => request(`{"params":{"id":${id}}}`));
    const answers = await raw(port, asked.join(""), request(VIEW, "Connection: close\r\n"));
    const titles = [...answers.matchAll(/"title":"(Item \d)"/gu)].map(([, title]) => title);
    expect(titles).toEqual(["Item 1", "Item 2", "Item 3", "Item 1"]);
  });

  it.each([
    ["bytes that are not HTTP", "HELLO\r\n\r\n", "400"],
    ["two Content-Length headers", request(VIEW, "Content-Length: 3\r\n"), "400"],
    [
      "a Content-Length header with chunked encoding",
      request(VIEW, "Transfer-Encoding: chunked\r\n"),
      "400",
    ],
    ["headers over the limit", request(VIEW, `X: ${"x".repeat(20_000)}\r\n`), "431"],
    ["a body that is too long", request("", "Connection: close\r\n", 9_999_999), "413"],
  ])("the HTTP server refuses a request with %s", async (_name, bytes, status) => {
    const { port } = await start(new Shop());
    expect(await raw(port, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `, "u"));
  });

  it("the HTTP server returns 408 for a request that does not arrive in time", async () => {
    const { port } = await start(new Shop(), { limits: { requestMs: 300 } });
    expect(await raw(port, request("", "", 100))).toMatch(/^HTTP\/1.1 408 /u);
    expect(await raw(port, "POST /v1/execute/item.view HTTP/1.1\r\nHost: loc")).toContain("408");
  });

  it("the HTTP server cancels the call of a client that closed its connection", async () => {
    const shop = new Shop();
    const { port } = await start(shop, { limits: { halfOpenMs: 50 } });
    const socket = connect(port, "127.0.0.1");
    socket.write(request("{}").replace("item.view", "item.wait"));
    await expect.poll(() => shop.begun).toEqual(["item.wait"]);
    socket.destroy();
    await expect.poll(() => shop.cancelled).toEqual(["item.wait"]);
  });
});

describe("one connection", () => {
  const late = request("{}").replace("item.view", "item.late");

  it("the HTTP server answers a client that has closed its half of the connection", async () => {
    const { port } = await start(new Shop());
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.end(late);
    expect(await text(socket)).toContain('"data":"late"');
  });

  it("the HTTP server answers an earlier request before it returns 400 for later invalid bytes on the connection", async () => {
    const { port } = await start(new Shop());
    const answers = await raw(port, late, "HELLO\r\n\r\n");
    expect(answers).toMatch(/^HTTP\/1.1 200 [^]*"data":"late"[^]*HTTP\/1.1 400 /u);
  });
});

describe("closing the server", () => {
  it("a closing HTTP server finishes running calls and accepts no new ones", async () => {
    const shop = new Shop();
    const finished = new EventTarget();
    shop.moment = () => once(finished, "now");
    const server = await start(shop);
    const late = call(server.url, "item.late");
    await expect.poll(async () => metric(server.url, "requests_underway")).toBe(2);
    const closed = server.close();
    finished.dispatchEvent(new Event("now"));
    expect(await (await late).json()).toMatchObject({ ok: true, data: "late" });
    await closed;
    await expect(call(server.url, "item.view")).rejects.toThrow("fetch failed");
  });

  it("a closing HTTP server ends subscriptions at once, and other calls after the grace period", async () => {
    const shop = new Shop();
    const server = await start(shop, { limits: { graceMs: 200 } });
    const events = (await fetch(`${server.url}/v1/subscribe/item.watch`)).text();
    const stubborn = call(server.url, "item.wait");
    await expect.poll(() => shop.begun.toSorted()).toEqual(["item.wait", "item.watch"]);
    await server.close();
    expect(await events).toContain("event: error");
    expect((await stubborn).status).toBe(503);
  });
});

async function metric(url: string, name: string): Promise<number> {
  const lines = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`_${name} (\\d+)`, "u").exec(lines)?.[1]);
}
