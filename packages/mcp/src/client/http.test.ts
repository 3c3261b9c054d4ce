import { McpServer, createMcpHandler, fromJsonSchema } from "@modelcontextprotocol/server";
import { lookup } from "node:dns";
import type { RequestListener } from "node:http";
import { fail } from "@waybill/core";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../../test/support/free-port.ts";
import { bodyOf, listenerOf, waiting } from "../fixtures/listener.ts";
import { sendJson, serve, stop } from "./fixtures/http.ts";
import { textOf, waybillOf } from "./fixtures/support.ts";
import { nodeFetch } from "./http/node-fetch.ts";
import { memoryStore } from "./index.ts";
import type { AddressGuard, McpSourceSettings } from "./index.ts";

const pair = fromJsonSchema<{ a: number; b: number }>({
  type: "object",
  required: ["a", "b"],
  properties: { a: { type: "number" }, b: { type: "number" } },
});

function calculator(): McpServer {
  const server = new McpServer({ name: "calculator", version: "1" });
  server.registerTool("add", { description: "Adds", inputSchema: pair }, ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  return server;
}

function sourceAt(url: string, more: Partial<McpSourceSettings> = {}): McpSourceSettings {
  return { name: "far", url: `${url}/mcp`, ...more };
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

const add = { name: "add", description: "Adds", inputSchema: { type: "object" } };

/** A server of the older protocol with sessions, which it forgets when it is restarted. */
function sessionServer(
  counts: Record<"calls" | "sessions" | "endedSession", number>,
): RequestListener {
  const sessions = new Set<string>();
  const results: Record<string, unknown> = {
    "tools/list": { tools: [add] },
    "tools/call": { content: [{ type: "text", text: "called" }] },
  };
  return waiting(async (request, response) => {
    if (request.method !== "POST") {
      const session = String(request.headers["mcp-session-id"]);
      if (request.method === "DELETE") counts.endedSession = Number(session.slice(1).split("-")[0]);
      response.writeHead(405).end();
      return;
    }
    const { id, method } = JSON.parse(await bodyOf(request)) as Message;
    if (method === "initialize") {
      counts.sessions += 1;
      const session = `s${counts.sessions}-${Math.random()}`;
      sessions.add(session);
      const result = {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "sessions", version: "1" },
      };
      sendJson(response, { jsonrpc: "2.0", id, result }, 200, { "mcp-session-id": session });
    } else if (method === "server/discover") {
      sendJson(response, { jsonrpc: "2.0", id, error: { code: -32_601, message: "no" } }, 400);
    } else if (!sessions.has(String(request.headers["mcp-session-id"]))) {
      sendJson(
        response,
        { jsonrpc: "2.0", id: null, error: { code: -32_001, message: "gone" } },
        404,
      );
    } else if (id === undefined) {
      response.writeHead(202).end();
    } else {
      if (method === "tools/call") counts.calls += 1;
      sendJson(response, { jsonrpc: "2.0", id, result: results[method] });
    }
  });
}

/** A server of the newer protocol. The test answers the tool calls. */
function modernServer(onCall: (id: number) => RequestListener): RequestListener {
  const facts = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  const results: Record<string, unknown> = {
    "server/discover": {
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      ...facts,
    },
    "tools/list": { tools: [add], ...facts },
  };
  return waiting(async (request, response) => {
    const { id = 0, method } = JSON.parse(await bodyOf(request)) as Message;
    if (method === "tools/call") onCall(id)(request, response);
    else sendJson(response, { jsonrpc: "2.0", id, result: results[method] });
  });
}

describe("an MCP server behind a URL", () => {
  it.each(["2025-11-25", "2026-07-28", undefined] as const)(
    "a call of an MCP server over HTTP succeeds if the setting protocol is %s",
    async (protocol) => {
      const { url } = await serve(
        listenerOf((request) => createMcpHandler(calculator).fetch(request)),
      );
      const more = protocol === undefined ? {} : { protocol };
      const result = await waybillOf(sourceAt(url, more)).execute("far.add", { a: 1, b: 2 });
      expect(textOf(result.data)).toBe("3");
    },
  );

  it("a call is repeated in a new MCP session if the server forgot the session, and the forgotten session is ended", async () => {
    const counts = { calls: 0, sessions: 0, endedSession: 0 };
    const first = await serve(sessionServer(counts), await freePort());
    const waybill = waybillOf(sourceAt(first.url));
    expect((await waybill.execute("far.add")).ok).toBe(true);
    stop(first.server);
    await serve(sessionServer(counts), Number(new URL(first.url).port));
    expect(await waybill.execute("far.add")).toMatchObject({ ok: true });
    await expect.poll(() => counts).toEqual({ calls: 2, sessions: 2, endedSession: 1 });
  });

  it("an MCP server gets the configured headers, with secrets from the environment", async () => {
    let seen: string | undefined;
    const handler = createMcpHandler(calculator);
    const { url } = await serve(
      listenerOf((request) => {
        seen = request.headers.get("x-key") ?? undefined;
        return handler.fetch(request);
      }),
    );
    const headers = { "X-Key": "k-${env:KEY}" };
    const waybill = waybillOf(sourceAt(url, { headers, environment: { KEY: "7" } }));
    expect((await waybill.execute("far.add", { a: 1, b: 2 })).ok).toBe(true);
    expect(seen).toBe("k-7");
  });
});

describe("address guard and redirects", () => {
  const refusing = {
    assert: (url: URL) => {
      if (/^[\d.]+$/u.test(url.hostname)) throw fail("POLICY", `${url.host} is private`);
    },
    lookup: ((_name, _options, done) =>
      done(fail("POLICY", "its name leads inside"), [])) satisfies AddressGuard["lookup"],
  };

  it("an MCP client does not connect to a private address, given as an address or by name", async () => {
    let isAsked = false;
    const { url } = await serve((_request, response) => {
      isAsked = true;
      response.end();
    });
    const byName = url.replace("127.0.0.1", "localhost");
    for (const [place, why] of [
      [url, "is private"],
      [byName, "its name leads inside"],
    ] as const) {
      const waybill = waybillOf(sourceAt(place, { guard: refusing }));
      const { error } = await waybill.execute("far.add", { a: 1, b: 2 });
      expect(error?.code).toBe("POLICY");
      expect(error?.message).toContain(why);
    }
    expect(isAsked).toBe(false);
  });

  it("a call to an MCP server at an allowed private address succeeds with the older and the newer protocol", async () => {
    const { url } = await serve(listenerOf(createMcpHandler(calculator).fetch));
    const guard = { assert: () => {}, lookup } satisfies AddressGuard;
    const waybill = waybillOf(sourceAt(url.replace("127.0.0.1", "localhost"), { guard }));
    const { data } = await waybill.execute("far.add", { a: 1, b: 2 });
    expect(textOf(data)).toBe("3");
    const counts = { calls: 0, sessions: 0, endedSession: 0 };
    const older = await serve(sessionServer(counts));
    expect(await waybillOf(sourceAt(older.url, { guard })).execute("far.add")).toMatchObject({
      ok: true,
    });
  });

  it("an MCP client follows redirects of a read only within the server's host, and no redirect of a POST", async () => {
    const { url: elsewhere } = await serve((_request, response) => response.end("elsewhere"));
    const { url } = await serve((request, response) => {
      const to = { "/a": "/b", "/out": elsewhere, "/round": "/round" }[request.url ?? ""];
      if (to === undefined) response.end("here");
      else response.writeHead(302, { location: to }).end();
    });
    const guard = { assert: () => {}, lookup } satisfies AddressGuard;
    const get = (path: string, init: RequestInit = {}) =>
      nodeFetch(new URL(path, url), init, { guard, isFresh: false });
    expect(await (await get("/a")).text()).toBe("here");
    expect((await get("/out")).status).toBe(302);
    expect((await get("/round")).status).toBe(302);
    expect((await get("/a", { method: "POST", body: "x" })).status).toBe(302);
  });

  it.each([301, 302, 303, 307, 308])(
    "an MCP client follows a redirect of a read with status %i",
    async (status) => {
      const { url } = await serve((request, response) => {
        if (request.url === "/a") response.writeHead(status, { location: "/b" }).end();
        else response.end("here");
      });
      const response = await nodeFetch(
        new URL("/a", url),
        {},
        { guard: undefined, isFresh: false },
      );
      expect(await response.text()).toBe("here");
    },
  );
});

describe("errors of calls over HTTP", () => {
  it("a dry run of an MCP call shows the server's address without its query", async () => {
    const { url } = await serve(modernServer(() => (_request, response) => response.end()));
    const waybill = waybillOf({ name: "far", url: `${url}/mcp?key=s3cret` });
    const result = await waybill.execute("far.add", {}, { dry_run: true });
    expect(result.data).toMatchObject({ requests: [{ server: `${url}/mcp` }] });
    expect(JSON.stringify(result)).not.toContain("s3cret");
  });

  it("an MCP call reports not_applied if the connection is refused", async () => {
    const { url, server } = await serve(modernServer(() => (_request, response) => response.end()));
    const waybill = waybillOf(sourceAt(url), { retry: { maxAttempts: 1 } });
    await waybill.list_capabilities();
    stop(server);
    const { error } = await waybill.execute("far.add");
    expect(error).toMatchObject({ code: "NETWORK", details: { outcome: "not_applied" } });
  });

  it("an MCP call reports an unknown outcome if the connection breaks", async () => {
    const { url } = await serve(modernServer(() => (_request, response) => response.destroy()));
    const { error } = await waybillOf(sourceAt(url)).execute("far.add");
    expect(error).toMatchObject({
      code: "NETWORK",
      retryable: false,
      details: { outcome: "unknown" },
    });
  });

  it("an MCP call whose event stream closes without a response has an unknown outcome", async () => {
    const { url } = await serve(
      modernServer(() => (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n");
      }),
    );
    const { error } = await waybillOf(sourceAt(url)).execute("far.add");
    expect(error).toMatchObject({ code: "NETWORK", details: { outcome: "unknown" } });
  });

  it.each(["application/json", "text/event-stream"])(
    "an MCP call returns TOO_LARGE for a response of type %s over the limit",
    async (type) => {
      const { url } = await serve(
        modernServer((id) => (_request, response) => {
          const text = "x".repeat(200_000);
          const result = { resultType: "complete", content: [{ type: "text", text }] };
          const message = JSON.stringify({ jsonrpc: "2.0", id, result });
          response.writeHead(200, { "content-type": type });
          response.end(type === "application/json" ? message : `data: ${message}\n\n`);
        }),
      );
      const { error } = await waybillOf(sourceAt(url, { maxMessageBytes: 100_000 })).execute(
        "far.add",
      );
      expect(error).toMatchObject({ code: "TOO_LARGE", details: { outcome: "unknown" } });
    },
  );

  it.each([
    [400, "VALIDATION", "not_applied"],
    [401, "AUTH", "not_applied"],
    [429, "RATE_LIMIT", "not_applied"],
    [500, "SERVER", "unknown"],
    [302, "SERVER", "unknown"],
  ])(
    "an MCP call answered with %i returns %s with the outcome %s",
    async (status, code, outcome) => {
      const { url } = await serve(
        modernServer(() => (_request, response) => {
          response.writeHead(status, { location: "http://other.example/" }).end("no");
        }),
      );
      const waybill = waybillOf(sourceAt(url), { retry: { maxAttempts: 1 } });
      const { error } = await waybill.execute("far.add");
      expect(error).toMatchObject({ code, details: { outcome } });
    },
  );

  it("an MCP call fails and reports the wait that the server requests if that wait is longer than maxWaitMs", async () => {
    const { url } = await serve(
      modernServer(() => (_request, response) => {
        response.writeHead(429, { "retry-after": "7" }).end();
      }),
    );
    const waybill = waybillOf(sourceAt(url), { retry: { maxWaitMs: 500 } });
    const { error, meta } = await waybill.execute("far.add");
    expect(error).toMatchObject({ code: "RATE_LIMIT", details: { retry_after_ms: 7_000 } });
    expect(meta.attempts).toHaveLength(1);
  });

  it("an MCP call uses the older protocol if a restarted server no longer speaks the newer protocol", async () => {
    const store = memoryStore();
    const modern = await serve(
      modernServer((id) => (_request, response) => {
        const result = { resultType: "complete", content: [] };
        sendJson(response, { jsonrpc: "2.0", id, result });
      }),
      await freePort(),
    );
    await waybillOf(sourceAt(modern.url, { store })).execute("far.add");
    stop(modern.server);
    const counts = { calls: 0, sessions: 0, endedSession: 0 };
    await serve(sessionServer(counts), Number(new URL(modern.url).port));
    const result = await waybillOf(sourceAt(modern.url, { store })).execute("far.add");
    expect(textOf(result.data)).toBe("called");
    expect(counts.calls).toBe(1);
  });
});
