import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHttpTransport } from "./index.ts";
import type { HttpAttempt, HttpRequest, HttpTransportOptions } from "./index.ts";

async function listen(server: Server, where: string | { host: string }): Promise<number> {
  await once(
    typeof where === "string" ? server.listen(where) : server.listen(0, where.host),
    "listening",
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === "string" ? 0 : (address as AddressInfo).port;
}

async function serve(handler: RequestListener, host = "127.0.0.1"): Promise<string> {
  const port = await listen(createServer(handler), { host });
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Answers with the request that the server received, so that tests can compare it. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method, url, headers } = request;
    const body = Buffer.concat(chunks).toString();
    response.end(JSON.stringify({ method, url, headers, body }));
  });
}

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function open(options: HttpTransportOptions = {}) {
  const transport = createHttpTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

function attempt(kind: "read" | "write", more: Partial<HttpAttempt> = {}): HttpAttempt {
  return {
    effect: kind,
    isRepeatable: kind === "read",
    signal: new AbortController().signal,
    deadline: undefined,
    beforeSend: () => Promise.resolve(),
    ...more,
  };
}

const text = (body: Uint8Array) => new TextDecoder().decode(body);
const seenBy = (body: Uint8Array) => JSON.parse(text(body)) as Echo;

async function get(
  url: string,
  request: Partial<HttpRequest> = {},
  options?: HttpTransportOptions,
) {
  return open(options).send({ method: "GET", url, ...request }, attempt("read"));
}

async function post(url: string, request: Partial<HttpRequest> = {}) {
  return open().send({ method: "POST", url, body: "{}", ...request }, attempt("write"));
}

function failure(details: object): unknown {
  return expect.objectContaining({ details: expect.objectContaining(details) as unknown });
}

describe("requests of the HTTP transport", () => {
  it("a request arrives at the server with its method, URL, headers and body unchanged", async () => {
    const base = await serve(echo);
    const headers = { "X-Some": "thing" };
    const body = new TextEncoder().encode("日本");
    const request = { method: "delete", url: `${base}/a%2Fb?c=%20`, headers, body };
    const response = await open().send(request, attempt("write"));
    const seen = seenBy(response.body);
    expect(seen).toMatchObject({ method: "DELETE", url: "/a%2Fb?c=%20", body: "日本" });
    expect(seen.headers).toMatchObject({ "x-some": "thing", "content-length": "6" });
    expect(response).toMatchObject({ status: 200, requests: 1, url: `${base}/a%2Fb?c=%20` });
  });

  it("the HTTP transport calls beforeSend before it sends a request, and sends nothing if beforeSend throws", async () => {
    const handler = vi.fn<RequestListener>(echo);
    const base = await serve(handler);
    const refused = new Error("not now");
    const beforeSend = vi.fn<() => Promise<void>>(async () => {
      expect(handler).not.toHaveBeenCalled();
      throw refused;
    });
    const sent = open().send({ method: "POST", url: base }, attempt("write", { beforeSend }));
    await expect(sent).rejects.toBe(refused);
    expect(handler).not.toHaveBeenCalled();
  });

  it("a request uses the Unix socket that socketPath or the URL names", async () => {
    const folder = mkdtempSync(join(tmpdir(), "waybill-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const socketPath = join(folder, "http.sock");
    await listen(createServer(echo), socketPath);
    const beside = await get("http://localhost/a?b=1", { socketPath });
    const within = await get(`http+unix://${encodeURIComponent(socketPath)}/a?b=1`);
    for (const { body } of [beside, within]) {
      expect(seenBy(body)).toMatchObject({ url: "/a?b=1", headers: { host: "localhost" } });
    }
  });

  const hasIpv6 = Object.values(networkInterfaces())
    .flat()
    .some((address) => address?.address === "::1");
  it.skipIf(!hasIpv6)("a request can be sent to an IPv6 address", async () => {
    const base = await serve(echo, "::1");
    expect(seenBy((await get(`${base}/six`)).body).url).toBe("/six");
  });
});

describe("responses of the HTTP transport", () => {
  it("a response of the HTTP transport includes the upstream's date and remaining rate limit", async () => {
    const base = await serve((_request, response) => {
      response.setHeader("date", "Thu, 01 Jan 2026 00:00:00 GMT");
      response.setHeader("x-ratelimit-remaining", "41");
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.end();
    });
    expect(await get(base)).toMatchObject({
      serverDate: Date.UTC(2026, 0, 1),
      rateLimitRemaining: 41,
      headers: { "set-cookie": "a=1, b=2" },
    });
  });

  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["identity", (data: string) => Buffer.from(data)],
  ])(
    "the HTTP transport decompresses a response from %s",
    async (encoding, compress: (data: string) => Buffer) => {
      const base = await serve((_request, response) => {
        response.setHeader("content-encoding", encoding);
        response.end(compress("hello"));
      });
      expect(text((await get(base)).body)).toBe("hello");
    },
  );

  it.each([
    ["HEAD", 200],
    ["GET", 204],
  ])(
    "the HTTP transport expects no body in a response to %s with status %i",
    async (method, status) => {
      const base = await serve((_request, response) => {
        response.writeHead(status, { "content-encoding": "gzip" }).end();
      });
      expect((await get(base, { method })).body).toHaveLength(0);
    },
  );

  it("the HTTP transport returns TOO_LARGE for a response over the limit, before or after decompression", async () => {
    const base = await serve((request, response) => {
      const isBomb = request.url === "/bomb";
      if (isBomb) response.setHeader("content-encoding", "gzip");
      response.end(isBomb ? gzipSync(Buffer.alloc(50_000_000)) : Buffer.alloc(50_000));
    });
    const limits = { responseBytes: 49_999 };
    await expect(get(`${base}/bomb`, { limits })).rejects.toEqual(failure({ code: "TOO_LARGE" }));
    await expect(get(base, { limits })).rejects.toEqual(failure({ code: "TOO_LARGE" }));
    const { body } = await get(base, { limits: { responseBytes: 50_000 } });
    expect(body).toHaveLength(50_000);
  });

  it("the HTTP transport maps an error status of a write to an error code and an outcome", async () => {
    const base = await serve((_request, response) => {
      response.writeHead(403, { "retry-after": "3" }).end('{"message":"slow down"}');
    });
    await expect(post(base)).rejects.toEqual(
      failure({
        code: "RATE_LIMIT",
        outcome: "not_applied",
        phase: "answered",
        status: 403,
        retry_after_ms: 3_000,
      }),
    );
    await expect(post(base)).rejects.toThrow("The upstream answered 403: slow down");
  });

  it("the HTTP transport returns a response with an error status if the caller accepts that status", async () => {
    const base = await serve((_request, response) => response.writeHead(422).end("why"));
    const { status, body } = await post(base, { isAnswer: (seen) => seen === 422 });
    expect([status, text(body)]).toEqual([422, "why"]);
  });
});

describe("connections of the HTTP transport", () => {
  it("repeatable requests reuse a connection, and other requests open a new connection", async () => {
    const base = await serve(echo);
    const transport = open();
    const send = async (kind: HttpAttempt, fresh = false) => {
      const { body, reusedSocket } = await transport.send(
        { method: "PUT", url: base, fresh },
        kind,
      );
      return [seenBy(body).headers["connection"], reusedSocket];
    };
    expect(await send(attempt("read"))).toEqual(["keep-alive", false]);
    expect(await send(attempt("read"))).toEqual(["keep-alive", true]);
    expect(await send(attempt("write", { isRepeatable: true }))).toEqual(["keep-alive", true]);
    expect(await send(attempt("write"))).toEqual(["close", false]);
    expect(await send(attempt("read"), true)).toEqual(["close", false]);
    await expect.poll(() => transport.openSockets).toBe(1);
    transport.close();
    await expect.poll(() => transport.openSockets).toBe(0);
  });

  it("the HTTP transport closes a connection if the body of an error response is too large to read", async () => {
    const base = await serve((_request, response) =>
      response.writeHead(500).end(Buffer.alloc(99_999)),
    );
    const transport = open();
    const sent = transport.send({ method: "GET", url: base }, attempt("read"));
    await expect(sent).rejects.toEqual(failure({ code: "SERVER", status: 500 }));
    await expect.poll(() => transport.openSockets).toBe(0);
  });

  it("a connection can be reused after a response with an error status", async () => {
    const base = await serve((_request, response) => response.writeHead(404).end("{}"));
    const transport = open();
    const send = () => transport.send({ method: "GET", url: base }, attempt("read"));
    await expect(send()).rejects.toEqual(failure({ status: 404 }));
    await expect(send()).rejects.toEqual(failure({ status: 404, reusedSocket: true }));
  });

  it.each(["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "169.254.169.254"])(
    "the HTTP transport does not connect to %s if private addresses are not allowed",
    async (host) => {
      const sent = get(`http://${host}:9/`, {}, { allowPrivate: false });
      await expect(sent).rejects.toEqual(
        failure({ code: "POLICY", outcome: "not_applied", phase: "connecting" }),
      );
    },
  );

  it("the HTTP transport does not connect to a socket file if private addresses are not allowed", async () => {
    const sent = get("http://localhost/", { socketPath: "/nowhere" }, { allowPrivate: false });
    await expect(sent).rejects.toEqual(failure({ code: "POLICY" }));
  });
});

function redirecting(status: number, location: (url: string) => string): RequestListener {
  return (request, response) => {
    if (request.url === "/end") echo(request, response);
    else response.writeHead(status, { location: location(request.url ?? "") }).end();
  };
}

describe("redirects of the HTTP transport", () => {
  it("a redirect on a Unix socket stays on the socket, and a redirect to another host drops credentials", async () => {
    const folder = mkdtempSync(join(tmpdir(), "waybill-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const socketPath = join(folder, "http.sock");
    const other = await serve(echo);
    const listener = redirecting(302, (url) =>
      url === "/away" ? `${other}/end` : "https://api.example.com/end",
    );
    await listen(createServer(listener), socketPath);
    const headers = { authorization: "token secret" };
    const home = await get("http://api.example.com/home", { socketPath, headers });
    expect(seenBy(home.body)).toMatchObject({ url: "/end", headers });
    const away = seenBy((await get("http://api.example.com/away", { socketPath, headers })).body);
    expect(away.headers).not.toHaveProperty("authorization");
  });

  const secrets = {
    authorization: "Bearer s3cret",
    cookie: "a=1",
    "X-Key": "k",
    "PRIVATE-TOKEN": "t",
    accept: "x/y",
    "User-Agent": "waybill-test",
  };

  it.each([301, 302, 303, 307, 308])(
    "the HTTP transport follows a redirect of a read with status %i",
    async (status) => {
      const base = await serve(redirecting(status, () => "/end"));
      const response = await get(base, { headers: secrets });
      expect(response).toMatchObject({ url: `${base}/end`, requests: 2 });
      expect(seenBy(response.body).headers).toMatchObject({
        authorization: "Bearer s3cret",
        "x-key": "k",
      });
    },
  );

  it("the HTTP transport drops all credentials on a redirect to another host", async () => {
    const other = await serve(echo);
    const base = await serve(redirecting(302, () => `${other}/end`));
    const response = await get(base, { headers: secrets });
    const { connection: _connection, ...headers } = seenBy(response.body).headers;
    expect(headers).toEqual({
      accept: "x/y",
      "accept-encoding": "gzip, br",
      "user-agent": "waybill-test",
      host: new URL(other).host,
    });
  });

  it("credentials that a redirect has dropped are not restored by a redirect back to the first host", async () => {
    const base: string = await serve(redirecting(302, () => `${other}/back`));
    const other = await serve(redirecting(302, () => `${base}/end`));
    const response = await get(base, { headers: secrets });
    expect(response.requests).toBe(3);
    expect(seenBy(response.body).headers).not.toHaveProperty("authorization");
  });

  it("a read fails after five redirects", async () => {
    const handler = vi.fn<RequestListener>(redirecting(302, (url) => url));
    const base = await serve(handler);
    await expect(get(base)).rejects.toEqual(failure({ code: "SERVER", status: 302 }));
    expect(handler).toHaveBeenCalledTimes(6);
  });

  it.each(["", "http://[bad", "ftp://127.0.0.1/", "http+unix://%2Ftmp%2Fa.sock/"])(
    "the HTTP transport does not follow a redirect to %j",
    async (location) => {
      const base = await serve(redirecting(302, () => location));
      const sent = get(base, { limits: { totalMs: 60_000 } });
      await expect(sent).rejects.toEqual(failure({ code: "SERVER", status: 302 }));
    },
  );

  it.each([307, 308])(
    "the HTTP transport follows a redirect of a write with status %i on the same host",
    async (status) => {
      const base = await serve(redirecting(status, () => "/end"));
      const beforeSend = vi.fn<() => Promise<void>>(() => Promise.resolve());
      const request = { method: "POST", url: base, body: "once" };
      const response = await open().send(request, attempt("write", { beforeSend }));
      expect(seenBy(response.body)).toMatchObject({ method: "POST", body: "once" });
      expect(beforeSend).toHaveBeenCalledTimes(1);
    },
  );

  it("the HTTP transport reads the result of a write from the location of a 303 response", async () => {
    const base = await serve(redirecting(303, () => "/end"));
    const request = { method: "POST", url: base, body: "once" };
    const response = await open().send(request, attempt("write"));
    expect(seenBy(response.body)).toMatchObject({ method: "GET", body: "" });
  });

  it.each([
    [301, "not_applied"],
    [302, "unknown"],
  ])(
    "a write that is redirected with status %i fails with the outcome %s",
    async (status, outcome) => {
      const base = await serve(redirecting(status, () => "/end"));
      await expect(post(base)).rejects.toEqual(failure({ code: "SERVER", outcome, status }));
      await expect(post(base)).rejects.toThrow("does not follow this redirect");
    },
  );

  it.each([307, 308])(
    "a write that is redirected with status %i to another host fails and is not sent there",
    async (status) => {
      const handler = vi.fn<RequestListener>(echo);
      const other = await serve(handler);
      const base = await serve(redirecting(status, () => `${other}/end`));
      await expect(post(base)).rejects.toEqual(failure({ outcome: "not_applied", status }));
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it("the HTTP transport does not follow a redirect of a read that has a body", async () => {
    const base = await serve(redirecting(302, () => "/end"));
    const sent = get(base, { method: "POST", body: "{}" });
    await expect(sent).rejects.toEqual(failure({ status: 302 }));
  });
});

function makeCertificate(): { key: string; cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "waybill-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const names = "subjectAltName=IP:127.0.0.1";
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const about = ["-subj", "/CN=localhost", "-addext", names, "-days", "2"];
    const files = ["-keyout", key, "-out", cert];
    execFileSync("openssl", ["req", "-x509", ...kind, ...about, ...files], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("TLS connections", () => {
  const certificate = makeCertificate();

  async function serveTls(handler: RequestListener): Promise<string> {
    const port = await listen(createTlsServer(certificate ?? {}, handler), { host: "127.0.0.1" });
    return `https://127.0.0.1:${port}`;
  }

  it.skipIf(certificate === undefined)(
    "reads reuse a TLS connection, and a write opens a new connection",
    async () => {
      const base = await serveTls(echo);
      const transport = open({ ca: certificate?.cert ?? "" });
      const send = (kind: HttpAttempt) => transport.send({ method: "PUT", url: base }, kind);
      expect((await send(attempt("read"))).reusedSocket).toBe(false);
      expect((await send(attempt("read"))).reusedSocket).toBe(true);
      expect((await send(attempt("write"))).reusedSocket).toBe(false);
    },
  );

  it.skipIf(certificate === undefined)(
    "a request to a server with an untrusted certificate fails before anything is sent",
    async () => {
      const handler = vi.fn<RequestListener>(echo);
      const base = await serveTls(handler);
      const expected = { code: "NETWORK", outcome: "not_applied", phase: "connecting" };
      await expect(post(base)).rejects.toEqual(failure(expected));
      expect(handler).not.toHaveBeenCalled();
    },
  );

  it.skipIf(certificate === undefined)(
    "a write whose connection is reset after the TLS handshake has an unknown outcome",
    async () => {
      const base = await serveTls((request) => request.socket.destroy());
      const sent = open({ ca: certificate?.cert ?? "" }).send(
        { method: "POST", url: base },
        attempt("write"),
      );
      await expect(sent).rejects.toEqual(failure({ outcome: "unknown", phase: "sent" }));
    },
  );
});
