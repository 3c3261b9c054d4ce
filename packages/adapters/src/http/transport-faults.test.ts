import { once, setMaxListeners } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { isCallError } from "@waybill/core";
import type { CallErrorDetails } from "@waybill/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../../../test/support/free-port.ts";
import { createHttpTransport } from "./index.ts";
import { sendRepeatable } from "./send-repeatable.ts";
import type { HttpAttempt, HttpRequest, HttpTransportOptions } from "./index.ts";

/**
 * A server that sends raw bytes. It calls back for each connection and for each request header
 * that it has read.
 */
interface Behaviour {
  readonly onConnection?: (socket: Socket) => void;
  readonly onRequest?: (socket: Socket, count: number) => void;
}

async function serveBytes({ onConnection, onRequest }: Behaviour): Promise<string> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.on("data", () => onRequest?.(socket, ++count));
    onConnection?.(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** On a busy machine, 200 connections take longer than the default limit of ten seconds. */
const PATIENT = { connectMs: 1_000_000, totalMs: 1_000_000 };

const MORE_TIME = "To allow more time, pass a longer deadline";
const OWN_LIMIT =
  "One request may take at most 50 s. Request less data, or raise totalMs of the transport";

function open(options: HttpTransportOptions = {}) {
  const transport = createHttpTransport({ limits: PATIENT, ...options });
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

async function failureDetails(sent: Promise<unknown>): Promise<CallErrorDetails> {
  const error: unknown = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isCallError(error)) throw new Error("it did not fail as it should", { cause: error });
  return error.details;
}

async function failedWrite(
  behaviour: Behaviour,
  request: Partial<HttpRequest> = {},
  more: Partial<HttpAttempt> = {},
): Promise<CallErrorDetails> {
  const host = await serveBytes(behaviour);
  const sent = { method: "POST", url: `http://${host}/x`, body: "{}", ...request };
  return failureDetails(open().send(sent, attempt("write", more)));
}

function answer(text: string, then: (socket: Socket) => void = () => {}): Behaviour {
  return { onRequest: (socket) => socket.write(text, () => then(socket)) };
}

const cut = (socket: Socket) => socket.end();
const reset = (socket: Socket) => socket.resetAndDestroy();

/** A clock that moves only when the test says so. The function advances it by a minute. */
function stoppedClock(): () => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return () => {
    // A socket may call this after the test has restored the real clock.
    if (vi.isFakeTimers()) vi.advanceTimersByTime(60_000);
  };
}

describe("failures before anything was sent", () => {
  const notApplied = { outcome: "not_applied", phase: "connecting" };

  it("a request whose connection is refused has the outcome not_applied and leaves no timer", async () => {
    stoppedClock();
    const request = { method: "POST", url: `http://127.0.0.1:${await freePort()}/` };
    const details = await failureDetails(open().send(request, attempt("write")));
    const hint = expect.stringContaining("Check the address") as string;
    expect(details).toEqual({ code: "NETWORK", ...notApplied, hint });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a request to a host name that does not resolve has the outcome not_applied", async () => {
    const request = { method: "POST", url: `http://${"a".repeat(64)}.invalid/` };
    const details = await failureDetails(open().send(request, attempt("write")));
    expect(details).toMatchObject({ code: "NETWORK", ...notApplied });
  });

  it("a request to an https address of a server without TLS has the outcome not_applied", async () => {
    const host = await serveBytes({ onConnection: (socket) => socket.end("hello\r\n\r\n") });
    const request = { method: "POST", url: `https://${host}/` };
    const details = await failureDetails(open().send(request, attempt("write")));
    expect(details).toMatchObject({ code: "NETWORK", ...notApplied });
  });

  it("a request whose connection is reset during the TLS handshake has the outcome not_applied", async () => {
    const host = await serveBytes({ onRequest: reset });
    const request = { method: "POST", url: `https://${host}/` };
    const details = await failureDetails(open().send(request, attempt("write")));
    expect(details).toMatchObject({ code: "NETWORK", ...notApplied });
  });

  it("a request whose TLS handshake never ends returns TIMEOUT with the outcome not_applied", async () => {
    const host = await serveBytes({});
    const request = { method: "POST", url: `https://${host}/`, limits: { connectMs: 30 } };
    const details = await failureDetails(open().send(request, attempt("write")));
    expect(details).toMatchObject({ code: "TIMEOUT", ...notApplied });
  });

  it("the HTTP transport refuses a header value that HTTP does not allow, and its message omits the value", async () => {
    const headers = { authorization: "s3cret\n" };
    const sent = open().send(
      { method: "GET", url: "http://127.0.0.1:9/", headers },
      attempt("read"),
    );
    await expect(sent).rejects.toThrow(/^(?!.*s3cret)/u);
    expect(await failureDetails(sent)).toMatchObject({ code: "VALIDATION", ...notApplied });
  });

  it("the HTTP transport refuses an invalid header name, and its message has only the start of the name", async () => {
    const headers = { [`${"x".repeat(100)} y`]: "1" };
    const sent = open().send(
      { method: "GET", url: "http://127.0.0.1:9/", headers },
      attempt("read"),
    );
    await expect(sent).rejects.toThrow(
      /^"x{80}" is not a valid header name; use letters, digits and dashes$/u,
    );
  });

  it.each(["nonsense", "ftp://h/"])(
    "the HTTP transport refuses the URL %s with VALIDATION",
    async (url) => {
      const details = await failureDetails(open().send({ method: "GET", url }, attempt("read")));
      expect(details).toMatchObject({ code: "VALIDATION", ...notApplied });
    },
  );
});

describe("failures after the request was sent", () => {
  const unknown = { outcome: "unknown", phase: "sent" };

  it("a request whose connection is reset at once reports its phase and its outcome", async () => {
    const details = await failedWrite({ onConnection: reset });
    expect(details.code).toBe("NETWORK");
    // The kernel decides whether the reset is seen before or after the connection is established.
    expect([
      { phase: "connecting", outcome: "not_applied" },
      { phase: "sent", outcome: "unknown" },
    ]).toContainEqual({ phase: details["phase"], outcome: details.outcome });
  });

  it.each([
    ["its connection is reset", { onRequest: reset }, "NETWORK"],
    ["its connection is closed", { onRequest: cut }, "NETWORK"],
    ["the response ends within the status line", answer("HTTP/1.1 20", cut), "NETWORK"],
    [
      "the response ends within the headers",
      answer("HTTP/1.1 200 OK\r\ncontent-le", cut),
      "NETWORK",
    ],
    ["the response is not HTTP", answer("hello there\r\n\r\n"), "SERVER"],
    [
      "the response has endless headers",
      answer(`HTTP/1.1 200 OK\r\na: ${"b".repeat(100_000)}\r\n\r\n`),
      "TOO_LARGE",
    ],
    [
      "the server switches to another protocol",
      answer("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
      "NETWORK",
    ],
  ])("a sent write has an unknown outcome if %s", async (_name, behaviour: Behaviour, code) => {
    expect(await failedWrite(behaviour)).toEqual({ code, ...unknown });
  });

  it("a write that is never answered has an unknown outcome at the deadline", async () => {
    const onRequest = stoppedClock();
    const details = await failedWrite({ onRequest }, {}, { deadline: Date.now() + 50_000 });
    expect(details).toEqual({ code: "TIMEOUT", hint: MORE_TIME, ...unknown });
  });

  it("a write that is never answered has an unknown outcome at the transport's time limit", async () => {
    const onRequest = stoppedClock();
    const details = await failedWrite({ onRequest }, { limits: { totalMs: 50_000 } });
    expect(details).toEqual({ code: "TIMEOUT", hint: OWN_LIMIT, ...unknown });
  });
});

describe("failures after the status was received", () => {
  const head = "HTTP/1.1 201 Created\r\n";
  const partial = `${head}content-length: 100\r\n\r\nabc`;
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`;
  const applied = { outcome: "applied", phase: "answered", status: 201 };

  it.each([
    ["cut", answer(partial, cut)],
    ["reset", answer(partial, reset)],
    ["cut between chunks", answer(chunked, cut)],
    ["reset between chunks", answer(chunked, reset)],
  ])(
    "the HTTP transport reports a write as applied if the body of its response is %s",
    async (_name, behaviour) => {
      expect(await failedWrite(behaviour)).toEqual({ code: "NETWORK", ...applied });
    },
  );

  it.each([
    [201, "TIMEOUT", "applied"],
    [404, "NOT_FOUND", "not_applied"],
  ])(
    "a write answered with %i whose body never ends returns %s with the outcome %s",
    async (status, code, outcome) => {
      const letTimePass = stoppedClock();
      const isAnswer = (seen: number): boolean => {
        setImmediate(letTimePass);
        return seen === 201;
      };
      const text = `HTTP/1.1 ${status} X\r\ncontent-length: 100\r\n\r\nabc`;
      const limits = { totalMs: 50_000 };
      const details = await failedWrite(answer(text), { isAnswer, limits });
      const hint = code === "TIMEOUT" ? { hint: OWN_LIMIT } : {};
      expect(details).toEqual({ code, outcome, phase: "answered", status, ...hint });
    },
  );

  it("the HTTP transport reports a write as applied if its response has a malformed chunk", async () => {
    const details = await failedWrite(answer(`${chunked}zzz\r\n`));
    expect(details).toMatchObject(applied);
  });

  it("the HTTP transport reports a write as applied if its response is not valid gzip", async () => {
    const text = `${head}content-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello`;
    expect(await failedWrite(answer(text))).toEqual({ code: "SERVER", ...applied });
  });

  it("the HTTP transport reports a write as applied if its response is not valid brotli", async () => {
    const text = `${head}content-encoding: br\r\ncontent-length: 5\r\n\r\nhello`;
    expect(await failedWrite(answer(text))).toEqual({ code: "SERVER", ...applied });
  });

  it("the HTTP transport reports a write as applied if its response has an unknown content encoding", async () => {
    const text = `${head}content-encoding: rot13\r\ncontent-length: 5\r\n\r\nuryyb`;
    const hint = "The server should send gzip, deflate or br";
    expect(await failedWrite(answer(text))).toEqual({ code: "SERVER", ...applied, hint });
  });

  it("the HTTP transport's error shortens the long name of an unknown content encoding", async () => {
    const text = `${head}content-encoding: ${"x".repeat(1_000)}\r\ncontent-length: 0\r\n\r\n`;
    const url = `http://${await serveBytes(answer(text))}/`;
    const sent = open().send({ method: "GET", url }, attempt("read"));
    await expect(sent).rejects.toThrow(/content encoding "x{40}"/u);
  });

  it("the HTTP transport reports a write as applied if the gzip data of its response is cut", async () => {
    const zipped = gzipSync("hello".repeat(100)).subarray(0, 20);
    const text = `${head}content-encoding: gzip\r\ncontent-length: 20\r\n\r\n`;
    const behaviour: Behaviour = {
      onRequest: (socket) => socket.write(Buffer.concat([Buffer.from(text), zipped])),
    };
    expect(await failedWrite(behaviour)).toEqual({ code: "SERVER", ...applied });
  });

  it("the HTTP transport reports a write as applied if its response is over the size limit", async () => {
    const details = await failedWrite(answer(`${head}content-length: 999999999\r\n\r\nabc`));
    expect(details).toEqual({ code: "TOO_LARGE", ...applied, hint: "Request less data" });
  });

  it("a write with a cut response has an unknown outcome if the status does not prove success", async () => {
    const details = await failedWrite(answer(partial, cut), { cutOutcome: "unknown" });
    expect(details).toEqual({ code: "NETWORK", ...applied, outcome: "unknown" });
  });

  it.each([
    [404, "NOT_FOUND", "not_applied"],
    [500, "SERVER", "unknown"],
  ])(
    "a write answered with %i and a cut body returns %s with the outcome %s",
    async (status, code, outcome) => {
      const text = `HTTP/1.1 ${status} No\r\ncontent-length: 100\r\n\r\n{"mess`;
      expect(await failedWrite(answer(text, cut))).toEqual({
        code,
        outcome,
        phase: "answered",
        status,
      });
    },
  );
});

async function failedRead(behaviour: Behaviour): Promise<{ error: unknown; host: string }> {
  const host = await serveBytes(behaviour);
  const request = { method: "GET", url: `http://${host}/`, limits: { responseBytes: 9 } };
  const error = await open()
    .send(request, attempt("read", { deadline: Date.now() + 50_000 }))
    .catch((thrown: unknown) => thrown);
  return { error, host };
}

describe("messages of failed requests", () => {
  it("the HTTP transport's error for a passed deadline names the host, and its hint is the advice", async () => {
    const { error, host } = await failedRead({ onRequest: stoppedClock() });
    expect(error).toMatchObject({
      message: `The deadline passed after the request was sent to ${host}`,
      details: { hint: MORE_TIME },
    });
  });

  it.each([
    [
      "a response over the limit",
      "content-length: 99",
      "The limit of 9 bytes was exceeded",
      "Request less data",
    ],
    [
      "an unknown content encoding",
      "content-encoding: rot13",
      'Waybill cannot decode the content encoding "rot13"',
      "The server should send gzip, deflate or br",
    ],
  ])(
    "the HTTP transport's error for %s names the host, and its hint is the advice",
    async (_what, header, sentence, hint) => {
      const { error, host } = await failedRead(answer(`HTTP/1.1 200 OK\r\n${header}\r\n\r\nab`));
      expect(error).toMatchObject({
        message: `${sentence} while reading the response from ${host}`,
        details: { hint },
      });
    },
  );
});

describe("cancelled requests", () => {
  it("a request that is cancelled before it starts is not sent, and beforeSend is not called", async () => {
    const beforeSend = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const onConnection = vi.fn<() => void>();
    const signal = AbortSignal.abort();
    const details = await failedWrite({ onConnection }, {}, { beforeSend, signal });
    expect(details).toEqual({ code: "CANCELLED", outcome: "not_applied", phase: "connecting" });
    expect(beforeSend).not.toHaveBeenCalled();
    expect(onConnection).not.toHaveBeenCalled();
  });

  it("a request that starts after its deadline is not sent, and beforeSend is not called", async () => {
    const beforeSend = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const onConnection = vi.fn<() => void>();
    const details = await failedWrite(
      { onConnection },
      {},
      { beforeSend, deadline: Date.now() - 1 },
    );
    expect(details).toMatchObject({ code: "TIMEOUT", outcome: "not_applied", phase: "connecting" });
    expect(beforeSend).not.toHaveBeenCalled();
    expect(onConnection).not.toHaveBeenCalled();
  });

  it("a request that is cancelled during beforeSend is not sent", async () => {
    const controller = new AbortController();
    const onConnection = vi.fn<() => void>();
    const beforeSend = async () => controller.abort();
    const more = { beforeSend, signal: controller.signal };
    const details = await failedWrite({ onConnection }, {}, more);
    expect(details).toMatchObject({ code: "CANCELLED", outcome: "not_applied" });
    expect(onConnection).not.toHaveBeenCalled();
  });

  it("a request that is cancelled while connecting has the outcome not_applied", async () => {
    const controller = new AbortController();
    const host = await serveBytes({ onConnection: () => controller.abort() });
    const request = { method: "POST", url: `https://${host}/` };
    const sent = open().send(request, attempt("write", { signal: controller.signal }));
    expect(await failureDetails(sent)).toEqual({
      code: "CANCELLED",
      outcome: "not_applied",
      phase: "connecting",
    });
  });

  it("a request that is cancelled after sending has an unknown outcome", async () => {
    const controller = new AbortController();
    const behaviour = { onRequest: () => controller.abort() };
    const details = await failedWrite(behaviour, {}, { signal: controller.signal });
    expect(details).toEqual({ code: "CANCELLED", outcome: "unknown", phase: "sent" });
  });

  it.each([
    [200, "applied"],
    [404, "not_applied"],
    [502, "unknown"],
  ])(
    "a write that is cancelled during the body of a %i response has the outcome %s",
    async (status, outcome) => {
      const controller = new AbortController();
      const host = await serveBytes(answer(`HTTP/1.1 ${status} X\r\ncontent-length: 9\r\n\r\nabc`));
      const transport = open();
      const isAnswer = (seen: number) => {
        setImmediate(() => controller.abort());
        return seen === 200;
      };
      const request = { method: "POST", url: `http://${host}/`, isAnswer };
      const sent = transport.send(request, attempt("write", { signal: controller.signal }));
      expect(await failureDetails(sent)).toEqual({
        code: "CANCELLED",
        outcome,
        phase: "answered",
        status,
      });
    },
  );

  it("a request that is aborted with a TimeoutError returns TIMEOUT", async () => {
    const controller = new AbortController();
    const late = new DOMException("late", "TimeoutError");
    const behaviour = { onRequest: () => controller.abort(late) };
    const details = await failedWrite(behaviour, {}, { signal: controller.signal });
    expect(details).toMatchObject({ code: "TIMEOUT", outcome: "unknown" });
  });

  it("a cancelled request closes its connection", async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      const behaviour: Behaviour = {
        onRequest: (socket) => {
          socket.once("close", () => resolve());
          controller.abort();
        },
      };
      void failedWrite(behaviour, {}, { signal: controller.signal });
    });
    await expect(closed).resolves.toBeUndefined();
  });

  it("200 cancelled requests leave no open connection and no abort listener", async () => {
    const sockets = new Set<Socket>();
    const host = await serveBytes({
      onConnection: (socket) => {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
      },
      onRequest: (socket, count) => {
        if (count % 2 === 0) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc");
      },
    });
    const transport = open();
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const added = vi.spyOn(controller.signal, "addEventListener");
    const removed = vi.spyOn(controller.signal, "removeEventListener");
    const sent = Array.from({ length: 200 }, (_, index) => {
      const { signal } = controller;
      const kind = index % 3 === 0 ? "write" : "read";
      const method = kind === "read" ? "GET" : "POST";
      return failureDetails(
        transport.send({ method, url: `http://${host}/` }, attempt(kind, { signal })),
      );
    });
    await expect.poll(() => sockets.size).toBeGreaterThan(100);
    controller.abort();
    const failures = await Promise.all(sent);
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(["CANCELLED"]));
    await expect.poll(() => [transport.openSockets, sockets.size]).toEqual([0, 0]);
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });

  it("closing the HTTP transport cancels running requests and refuses new requests", async () => {
    const transport = open();
    const host = await serveBytes({ onRequest: () => transport.close() });
    const request = { method: "POST", url: `http://${host}/` };
    const details = await failureDetails(transport.send(request, attempt("write")));
    expect(details).toMatchObject({ code: "CANCELLED", outcome: "unknown", phase: "sent" });
    const again = await failureDetails(transport.send(request, attempt("write")));
    expect(again).toMatchObject({ code: "CANCELLED", outcome: "not_applied" });
    await expect.poll(() => transport.openSockets).toBe(0);
  });
});

describe("reused connections that the server has closed", () => {
  const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
  const closesOnSecond: Behaviour = {
    onRequest: (socket, count) => {
      if (count === 2) socket.destroy();
      else socket.write(ok);
    },
  };

  it("a write whose reused connection closes is reported with reusedSocket and an unknown outcome", async () => {
    const host = await serveBytes(closesOnSecond);
    const transport = open();
    const request = { method: "PUT", url: `http://${host}/` };
    const repeatable = attempt("write", { isRepeatable: true });
    await transport.send(request, repeatable);
    const details = await failureDetails(transport.send(request, repeatable));
    expect(details).toEqual({
      code: "NETWORK",
      outcome: "unknown",
      phase: "sent",
      reusedSocket: true,
    });
  });

  it("a repeatable request is sent again on a new connection if its reused connection closed", async () => {
    const host = await serveBytes(closesOnSecond);
    const transport = open();
    const beforeSend = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const repeatable = attempt("write", { isRepeatable: true, beforeSend });
    const request = { method: "PUT", url: `http://${host}/` };
    await sendRepeatable(transport, request, repeatable);
    const response = await sendRepeatable(transport, request, repeatable);
    expect(response).toMatchObject({ status: 200, requests: 2, reusedSocket: false });
    expect(beforeSend).toHaveBeenCalledTimes(2);
  });

  it("a repeated write has an unknown outcome if the server refuses the second attempt", async () => {
    const host = await serveBytes({
      onRequest: (socket, count) => {
        if (count === 2) socket.destroy();
        else socket.write(count === 1 ? ok : "HTTP/1.1 409 No\r\ncontent-length: 0\r\n\r\n");
      },
    });
    const transport = open();
    const repeatable = attempt("write", { isRepeatable: true });
    const request = { method: "PUT", url: `http://${host}/` };
    await sendRepeatable(transport, request, repeatable);
    const details = await failureDetails(sendRepeatable(transport, request, repeatable));
    expect(details).toMatchObject({ code: "CONFLICT", outcome: "unknown", status: 409 });
  });

  it("a request that times out on a reused connection is not repeated", async () => {
    const passTime = stoppedClock();
    let requests = 0;
    const host = await serveBytes({
      onRequest: (socket, count) => {
        requests = count;
        if (count === 1) socket.write(ok);
        else passTime();
      },
    });
    const transport = open();
    const request = { method: "GET", url: `http://${host}/`, limits: { totalMs: 50_000 } };
    await sendRepeatable(transport, request, attempt("read"));
    const details = await failureDetails(sendRepeatable(transport, request, attempt("read")));
    expect([details, requests]).toMatchObject([{ code: "TIMEOUT", reusedSocket: true }, 2]);
  });

  it("a request that fails on a new connection is not repeated", async () => {
    const host = await serveBytes({ onRequest: cut });
    const sent = sendRepeatable(open(), { method: "GET", url: `http://${host}/` }, attempt("read"));
    expect(await failureDetails(sent)).toMatchObject({ code: "NETWORK", phase: "sent" });
  });
});
