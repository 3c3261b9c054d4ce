import { makeAttempt } from "@waybill/core/testing";
import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { isCallError, isResponseEnvelope } from "@waybill/core";
import type { CardRequest, RestRequest } from "@waybill/core/cards";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpTransport, restRoute } from "./index.ts";
import type { RestRouteOptions } from "./index.ts";

const TOKEN = "ghp_0123456789abcdef";

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
}

function route(options: Partial<RestRouteOptions>) {
  const transport = createHttpTransport();
  onTestFinished(() => transport.close());
  return restRoute({ transport, userAgent: "waybill-test", ...options });
}

function rest(request: Partial<RestRequest> = {}): RestRequest {
  return { kind: "rest", method: "GET", path: "/things", query: [], headers: {}, ...request };
}

function answering(
  body: string,
  headers: Record<string, string> = {},
  status = 200,
): RequestListener {
  const all = { "content-type": "application/json", ...headers };
  return (_request, response) => response.writeHead(status, all).end(body);
}

async function rejectionOfSend(sent: Promise<unknown>) {
  const error: unknown = await sent.catch((thrown: unknown) => thrown);
  if (!isCallError(error)) throw new Error("it did not fail as it should", { cause: error });
  return error;
}

describe("restRoute: requests", () => {
  const given = { path: "/repos/a%2Fb/issues", query: [["q", "x y"]] as const };

  it("restRoute sends a REST request as JSON with the token", async () => {
    const credentials: unknown[] = [];
    const baseUrl = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method, url, headers } = request;
        credentials.push(headers.authorization);
        const text = Buffer.concat(chunks).toString();
        response.end(JSON.stringify({ method, url, headers, text }));
      });
    });
    const token = () => Promise.resolve(`${TOKEN}\n`);
    const headers = { Accept: "application/vnd.github+json", "X-Version": "1" };
    const body = { title: "日本" };
    const request = rest({ ...given, method: "POST", body, headers: { "X-Version": "2" } });
    const { response } = await route({ baseUrl, token, headers }).send(
      request,
      makeAttempt("write"),
    );
    expect(response.data).toMatchObject({
      method: "POST",
      url: "/api/v3/repos/a%2Fb/issues?q=x%20y",
      text: '{"title":"日本"}',
      headers: {
        accept: "application/vnd.github+json",
        "content-type": "application/json",
        "user-agent": "waybill-test",
        "x-version": "2",
      },
    });
    expect(credentials).toEqual([`Bearer ${TOKEN}`]);
  });

  it("restRoute sends no authorization header without a token", async () => {
    const baseUrl = await serve(({ headers }, response) => response.end(JSON.stringify(headers)));
    const { response } = await route({ baseUrl, token: "" }).send(rest(), makeAttempt("read"));
    expect(response.data).not.toHaveProperty("authorization");
  });

  it("the description of a REST request contains no secrets", () => {
    const described = route({ baseUrl: "https://h/api", token: TOKEN }).describe(
      rest({
        method: "POST",
        query: [["access_token", TOKEN]],
        headers: { "X-Api-Key": TOKEN },
        body: { title: "x" },
      }),
    );
    expect(described).toEqual({
      method: "POST",
      url: "https://h/api/things?access_token=%5Bredacted%5D",
      headers: {
        accept: "application/json",
        authorization: "[redacted]",
        "content-type": "application/json",
        "user-agent": "waybill-test",
        "x-api-key": "[redacted]",
      },
      body: { title: "x" },
    });
  });

  it("restRoute refuses a request for the command-line route", async () => {
    const request: CardRequest = { kind: "command", argv: ["x"], isJson: true };
    const error = await rejectionOfSend(
      route({ baseUrl: "http://h" }).send(request, makeAttempt("write")),
    );
    expect(error.details).toEqual({ code: "ADAPTER_UNSUPPORTED", outcome: "not_applied" });
  });

  it("restRoute sends no request if the token cannot be read", async () => {
    const locked = new Error("keychain locked");
    const token = () => Promise.reject(locked);
    const sent = route({ baseUrl: "http://h", token }).send(rest(), makeAttempt("write"));
    expect((await rejectionOfSend(sent)).details).toMatchObject({
      code: "AUTH",
      outcome: "not_applied",
    });
  });

  it("restRoute throws if it gets neither a baseUrl nor a socketPath", () => {
    expect(() => route({})).toThrow("needs a baseUrl or a socketPath");
  });
});

async function answer(handler: RequestListener, request: Partial<RestRequest> = {}) {
  return route({ baseUrl: await serve(handler) }).send(rest(request), makeAttempt("read"));
}

describe("restRoute: responses", () => {
  it("restRoute returns an envelope with the rate limit and date from the response headers", async () => {
    const headers = { "x-ratelimit-remaining": "9", "set-cookie": "a=1" };
    const got = await answer(answering('{"id":1}', headers));
    expect(isResponseEnvelope(got.response)).toBe(true);
    expect(got).toMatchObject({
      response: {
        data: { id: 1 },
        meta: { source: "http", statusCode: 200, contentType: "application/json" },
      },
      upstreamRequests: 1,
      rateLimitRemaining: 9,
      serverDate: expect.any(Number) as number,
    });
    expect(got.response.meta).not.toHaveProperty("headers.set-cookie");
    expect(got).not.toHaveProperty("nextCursor");
  });

  it.each([
    ["status 204", 204, ""],
    ["status 200 and an empty body", 200, ""],
    ["the JSON value null", 200, "null"],
  ])("restRoute returns null for a response with %s", async (_name, status, body) => {
    expect((await answer(answering(body, {}, status))).response.data).toBeNull();
  });

  it.each([
    ["cut JSON", '{"a":', "application/json", "applied"],
    ["HTML", "<html>", "text/html", "unknown"],
    ["text that was not requested", "hello", "text/plain", "applied"],
  ])("restRoute reports a response with %s as malformed", async (_name, body, type, outcome) => {
    const baseUrl = await serve(answering(body, { "content-type": type }));
    const sent = route({ baseUrl }).send(rest({ method: "POST" }), makeAttempt("write"));
    const { details, cause } = await rejectionOfSend(sent);
    expect(details).toMatchObject({ code: "SERVER", outcome, phase: "answered", status: 200 });
    expect(cause).toBeUndefined();
  });

  it("restRoute returns text if the request asked for text", async () => {
    const handler = answering("line\n", { "content-type": "text/plain" });
    const got = await answer(handler, { headers: { accept: "text/plain" } });
    expect(got.response.data).toBe("line\n");
  });

  it("restRoute returns text or JSON, by the response's type, if the request asked for either", async () => {
    const headers = { accept: "application/vnd.github+json, text/plain" };
    const text = await answer(answering("7\n", { "content-type": "text/plain" }), { headers });
    expect(text.response.data).toBe("7\n");
    const json = await answer(answering("7", { "content-type": "application/json" }), { headers });
    expect(json.response.data).toBe(7);
  });

  it.each([
    ['<https://h/x?page=3&per_page=9>; rel="next", <https://h/x?page=9>; rel="last"', "3"],
    ['<https://h/x?per_page=9&after=Y3Vy%3D>; rel="next"', "Y3Vy="],
    ['<https://h/x?page=1>; rel="prev", </x?page=4>; rel=next', "4"],
    ['<https://h/x?page=2>; title="a"; rel="next"', "2"],
    ['<https://h/x?page=1>; rel="first prev"', null],
    ['<https://h/x?page=8>; rel="nextish"', null],
    ["nonsense", null],
  ])("restRoute reads from the Link header %s the next cursor %s", async (link, cursor) => {
    expect((await answer(answering("[]", { link }))).nextCursor).toBe(cursor);
  });

  it("restRoute returns no next cursor for a list without a Link header", async () => {
    expect((await answer(answering("[]"))).nextCursor).toBeNull();
  });

  it("an error of restRoute does not contain a token that the response repeats", async () => {
    const body = JSON.stringify({ message: `Bad credentials ${TOKEN}` });
    const baseUrl = await serve(answering(body, {}, 401));
    const sent = route({ baseUrl, token: TOKEN }).send(rest(), makeAttempt("read"));
    const error = await rejectionOfSend(sent);
    expect(error.message).toBe("The upstream answered 401: Bad credentials [redacted]");
    expect(error.details).toMatchObject({ code: "AUTH", status: 401 });
  });
});

describe("restRoute: invalid headers", () => {
  it.each([
    [{ token: "to\nken" }, "The token contains"],
    [{ headers: { "X-Team": "日本" } }, "The header x-team contains"],
  ])(
    "restRoute refuses a value that a header cannot contain before it sends anything, and names the value: %j",
    async (options, message) => {
      let requests = 0;
      const baseUrl = await serve((_request, response) => {
        requests += 1;
        response.end("{}");
      });
      const error = await rejectionOfSend(
        route({ baseUrl, ...options }).send(rest(), makeAttempt()),
      );
      expect(error.message).toContain(message);
      expect(error.details).toMatchObject({ code: "VALIDATION", outcome: "not_applied" });
      expect(requests).toBe(0);
    },
  );
});

describe("restRoute: repeated tokens", () => {
  it("restRoute redacts a token that the response repeats in its data or headers, and changes nothing else", async () => {
    const token = "corp-internal-77";
    const baseUrl = await serve((request, response) => {
      const seen = `Grüße ${request.headers.authorization}`;
      answering(JSON.stringify({ seen }), { "x-echo": token })(request, response);
    });
    const { response } = await route({ baseUrl, token }).send(rest(), makeAttempt());
    expect(response.data).toEqual({ seen: "Grüße Bearer [redacted]" });
    expect(JSON.stringify(response.meta)).not.toContain(token);
  });
});
