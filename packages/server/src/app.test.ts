import { Validator } from "@seriousme/openapi-schema-validator";
import { successResult } from "@waybill/core/protocol";
import { parseBrief } from "@waybill/core";
import { parseBriefChain } from "@waybill/core/protocol";
import { describe, expect, it } from "vitest";
import { Shop } from "./fixtures/shop.ts";
import { createHttpApp } from "./index.ts";
import type { HttpAppOptions } from "./index.ts";

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, never>;
}

const ADA = { token: "ada-token", identity: { id: "ada", scopes: ["staff"] } };
const BOB = { token: "bob-token", identity: { id: "bob", scopes: ["guest"] } };

class Door {
  readonly shop = new Shop();
  readonly app;

  constructor(options: Partial<HttpAppOptions> = {}) {
    this.app = createHttpApp({ waybill: this.shop.waybill(), version: "1.2.3", ...options });
  }

  ask(path: string, init: RequestInit = {}): Response | Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("host")) headers.set("host", "127.0.0.1:8080");
    return this.app.fetch(new Request(`http://127.0.0.1:8080${path}`, { ...init, headers }));
  }

  async get(path: string, headers: HeadersInit = {}): Promise<Answered> {
    return answered(await this.ask(path, { headers }));
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const all = { "content-type": "application/json", ...headers };
    return answered(await this.ask(path, { method: "POST", body: text, headers: all }));
  }
}

async function answered(response: Response): Promise<Answered> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get("content-type")?.includes("json") === true;
  return { status, headers, body: (isJson ? JSON.parse(text) : { text }) as Answered["body"] };
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const error = (code: string): object => ({ ok: false, data: null, error: { code } });

const runCode: NonNullable<HttpAppOptions["code"]> = {
  run: async (_waybill, program, options, caller) => {
    const data = { program, options: Object.keys(options), caller };
    return successResult(data, { capability_id: "code.run" });
  },
  text: ({ ok }) => (ok ? "brief" : "!"),
};

describe("POST /v1/code", () => {
  it("/v1/code passes the program, its options, its key and its caller to the runner of programs", async () => {
    const door = new Door({ code: runCode, tokens: [ADA] });
    const headers = { ...bearer("ada-token"), "idempotency-key": "k" };
    const asked = { code: "return 1", options: { dry_run: true } };
    const { status, body } = await door.post("/v1/code", asked, headers);
    expect([status, body]).toMatchObject([
      200,
      {
        ok: true,
        data: {
          program: "return 1",
          options: ["idempotency_key", "dry_run", "deadline_ms", "signal"],
          caller: "ada",
        },
      },
    ]);
  });

  it("/v1/code answers with the brief text of a program for text/plain", async () => {
    const door = new Door({ code: runCode });
    const accept = { accept: "text/plain" };
    const { body } = await door.post("/v1/code", { code: "return 1" }, accept);
    expect(body).toEqual({ text: "brief" });
  });

  it("/v1/code refuses a body with unknown members", async () => {
    const { status, body } = await new Door({ code: runCode }).post("/v1/code", {
      program: "return 1",
    });
    expect([status, body]).toMatchObject([400, error("VALIDATION")]);
  });

  it("/v1/code returns 404 if the server runs no programs", async () => {
    expect((await new Door().post("/v1/code", { code: "return 1" })).status).toBe(404);
  });

  it("/openapi.json describes /v1/code", async () => {
    const { body } = await new Door({ code: runCode }).get("/openapi.json");
    expect(body).toMatchObject({ paths: { "/v1/code": { post: { operationId: "code" } } } });
    expect(await new Validator().validate(body)).toMatchObject({ valid: true });
  });
});

describe("POST /v1/execute", () => {
  it("/v1/execute returns the envelope of a call", async () => {
    const door = new Door();
    const { status, headers, body } = await door.post("/v1/execute/item.view", {
      params: { id: 3 },
      options: { select: ["title"] },
    });
    expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(body).toMatchObject({ ok: true, data: { title: "Item 3" }, error: null });
  });

  it.each([
    ["a wrong input", "item.view", { params: {} }, 400, "VALIDATION"],
    ["a wrong id", "item.veiw", { params: { id: 3 } }, 404, "NOT_FOUND"],
    ["wrong options", "item.view", { params: { id: 3 }, options: { trase: 1 } }, 400, "VALIDATION"],
    ["options that are not an object", "item.view", { options: 7 }, 400, "VALIDATION"],
    [
      "a deadline that is not a number",
      "item.view",
      { options: { deadline_ms: "1" } },
      400,
      "VALIDATION",
    ],
    ["a subscription", "item.watch", {}, 501, "ADAPTER_UNSUPPORTED"],
    ["a call that takes too long", "item.wait", { options: { deadline_ms: 20 } }, 504, "TIMEOUT"],
  ])(
    "/v1/execute returns the HTTP status of the error for %s",
    async (_name, id, body, status, code) => {
      const answer = await new Door().post(`/v1/execute/${id}`, body);
      expect([answer.status, answer.body]).toMatchObject([status, error(code)]);
      expect(answer.body["meta"]).toMatchObject({ capability_id: id });
    },
  );

  it("/v1/execute accepts a request without a body for a call without input", async () => {
    const door = new Door();
    const answer = await answered(await door.ask("/v1/execute/item.late", { method: "POST" }));
    expect(answer.body).toMatchObject({ ok: true, data: "late" });
  });

  it("/v1/execute applies a write with an idempotency key once, whether the key is in a header or in the options", async () => {
    const door = new Door();
    const make = { params: { title: "a" } };
    const keyed = { "idempotency-key": "k1" };
    await door.post("/v1/execute/item.create", make, keyed);
    const again = await door.post("/v1/execute/item.create", {
      ...make,
      options: { idempotency_key: "k1" },
    });
    expect(again.body["meta"]).toMatchObject({ replayed: true });
    expect(door.shop.made).toEqual(["a"]);
    const other = await door.post("/v1/execute/item.create", { params: { title: "b" } }, keyed);
    expect([other.status, other.body]).toMatchObject([409, error("CONFLICT")]);
  });

  it("the HTTP server stops a call at its own time limit, even if the client asks for a longer one", async () => {
    const door = new Door({ limits: { callMs: 200_000 } });
    for (const options of [undefined, { deadline_ms: 1e9 }, { deadline_ms: 100_000 }]) {
      await door.post("/v1/execute/item.view", { params: { id: 1 }, options });
    }
    const left = door.shop.deadlines.map((deadline) => deadline! - Date.now());
    expect(left.every((ms) => ms <= 200_000)).toBe(true);
    expect(left[2]).toBeLessThanOrEqual(100_000);
  });

  it("the HTTP server cancels a call when its client disconnects", async () => {
    const door = new Door();
    const gone = new AbortController();
    const asked = door.ask("/v1/execute/item.wait", { method: "POST", signal: gone.signal });
    await expect.poll(() => door.shop.begun).toEqual(["item.wait"]);
    gone.abort();
    expect((await asked).status).toBe(499);
    expect(door.shop.cancelled).toEqual(["item.wait"]);
  });
});

describe("POST /v1/chain", () => {
  it("/v1/chain returns 200 and the outcome of each step, even if one failed", async () => {
    const steps = [
      { id: "made", task: "item.create", input: { title: "a" } },
      { task: "item.view", input: { id: { $from: "made.data.id" } } },
      { task: "item.view", input: {} },
    ];
    const options = { on_error: "continue" };
    const { status, body } = await new Door().post("/v1/chain", { steps, options });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "partial", meta: { succeeded: 2, failed: 1 } });
  });

  it("/v1/chain returns 400 for malformed steps or options", async () => {
    for (const body of [{}, { steps: 3 }, { steps: [], options: { on_error: "panic" } }]) {
      const answer = await new Door().post("/v1/chain", body);
      expect([answer.status, answer.body]).toMatchObject([400, { error: { code: "VALIDATION" } }]);
    }
  });
});

describe("Accept: text/plain", () => {
  const accept = { accept: "text/plain" };

  it("the HTTP server returns a call's result as brief text, with an unchanged status, if the client accepts text", async () => {
    const door = new Door();
    const good = await door.post("/v1/execute/item.view", { params: { id: 1 } }, accept);
    expect([good.status, parseBrief(String(good.body["text"]))]).toMatchObject([
      200,
      { ok: true, data: { id: 1 } },
    ]);
    const bad = await door.post("/v1/execute/item.view", { params: {} }, accept);
    expect([bad.status, bad.body["text"]]).toEqual([400, expect.stringMatching(/^!VALIDATION /u)]);
  });

  it("the HTTP server answers a request that fails before its call starts in one line if the client accepts text", async () => {
    const door = new Door();
    const odd = await door.post("/v1/execute/item.view", { inputs: {} }, accept);
    expect([odd.status, odd.body["text"]]).toEqual([
      400,
      expect.stringMatching(/^!VALIDATION .+$/u),
    ]);
  });

  it("the HTTP server answers an unknown path in one line if the client accepts text", async () => {
    const answer = await new Door().get("/v2", accept);
    expect([answer.status, answer.body["text"]]).toEqual([
      404,
      expect.stringMatching(/^!NOT_FOUND .+$/u),
    ]);
  });

  it("the HTTP server answers a chain as brief text with all its steps if the client accepts text", async () => {
    const step = { task: "item.view", input: { id: 1 } };
    const { body } = await new Door().post("/v1/chain", { steps: [step, step] }, accept);
    expect(parseBriefChain(String(body["text"]))).toMatchObject({
      ok: true,
      results: [{ data: { id: 1 } }, { data: { id: 1 } }],
    });
  });
});

describe("GET requests", () => {
  it("/v1/capabilities lists and searches capabilities, and refuses unknown parameters", async () => {
    const door = new Door();
    const all = await door.get("/v1/capabilities?domain=staff");
    expect(all.body).toEqual([
      { capability_id: "staff.report", description: "What only staff may see" },
    ]);
    const found = await door.get("/v1/capabilities?query=make+item&limit=1");
    expect(found.body).toMatchObject([{ capability_id: "item.create" }]);
    for (const wrong of ["limit=many", "domian=item"]) {
      expect((await door.get(`/v1/capabilities?${wrong}`)).status).toBe(400);
    }
  });

  it("/v1/explain answers as JSON, or in a few lines of text", async () => {
    const door = new Door();
    const { body } = await door.get("/v1/explain/item.view");
    expect(body).toMatchObject({ capability_id: "item.view", required_inputs: ["id:integer"] });
    const short = await door.get("/v1/explain/item.view", { accept: "text/plain" });
    expect(short.body["text"]).toContain("in: id:integer");
    const unknown = await door.get("/v1/explain/item.veiw");
    expect([unknown.status, unknown.body]).toMatchObject([404, error("NOT_FOUND")]);
  });

  it("the HTTP server returns 404 for an unknown path", async () => {
    const door = new Door();
    for (const answer of [await door.get("/v2"), await door.get("/v1/execute/item.view")]) {
      expect([answer.status, answer.body]).toMatchObject([404, error("NOT_FOUND")]);
    }
  });

  it("/health reports whether the server runs, and /metrics counts its requests", async () => {
    const door = new Door({ tokens: [ADA] });
    expect((await door.get("/health")).body).toEqual({ status: "ok" });
    expect((await door.get("/metrics")).status).toBe(401);
    await door.post("/v1/execute/item.view", { params: { id: 1 } }, bearer("ada-token"));
    const { body, headers } = await door.get("/metrics", bearer("ada-token"));
    expect(headers.get("content-type")).toContain("version=0.0.4");
    expect(body["text"]).toContain('waybill_http_requests_total{route="execute",status="200"} 1');
    expect(body["text"]).toContain('_bucket{route="execute",le="+Inf"} 1');
    for (const line of String(body["text"]).trim().split("\n")) {
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) .+|[a-z_]+(?:\{[^}]+\})? [\d.e-]+)$/u);
    }
    door.app.end();
    expect((await door.get("/health")).status).toBe(503);
  });
});

describe("wrong tokens", () => {
  it("the HTTP server returns 429 to a client that sends too many wrong tokens, even with the right token", async () => {
    const door = new Door({ tokens: [ADA], limits: { perSecond: 0.001, burst: 3 } });
    const statuses: number[] = [];
    for (const token of ["a", "b", "c", "d", ADA.token]) {
      statuses.push((await door.get("/v1/capabilities", bearer(token))).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  it("wrong tokens do not lock out a caller with a long token behind the shared address of a proxy", async () => {
    const strong = { token: "0123456789abcdef", identity: { id: "ada", scopes: [] } };
    const door = new Door({ tokens: [strong, BOB], limits: { perSecond: 0.001, burst: 3 } });
    const ask = async (token: string): Promise<number> =>
      (await door.get("/v1/capabilities", bearer(token))).status;
    for (let tries = 0; tries < 20; tries++) await ask(`wrong-token-number-${tries}`);
    expect(await ask("another-wrong-token")).toBe(429);
    expect(await ask(strong.token)).toBe(200);
    // This token is short enough to be guessed, so it is delayed like guessed tokens.
    expect(await ask(BOB.token)).toBe(429);
  });

  it("the HTTP server does not count requests with the right token as wrong tokens", async () => {
    const door = new Door({ tokens: [ADA, BOB], limits: { perSecond: 0.001, burst: 3 } });
    for (const { token } of [ADA, ADA, ADA, BOB, BOB]) {
      expect((await door.get("/v1/capabilities", bearer(token))).status).toBe(200);
    }
    expect((await door.get("/v1/capabilities", bearer("x"))).status).toBe(401);
  });
});

function watch(params: object): string {
  return `/v1/subscribe/item.watch?params=${encodeURIComponent(JSON.stringify(params))}`;
}

describe("GET /v1/subscribe", () => {
  it("/v1/subscribe does not run an operation that is not a subscription", async () => {
    const door = new Door();
    const path = `/v1/subscribe/item.create?params=${encodeURIComponent('{"title":"a"}')}`;
    const { status, body } = await door.get(path);
    expect([status, body]).toMatchObject([501, error("ADAPTER_UNSUPPORTED")]);
    expect(door.shop.made).toEqual([]);
  });

  it("the HTTP server refuses a subscription that a page of another site opens", async () => {
    const door = new Door();
    const answer = await door.get("/v1/subscribe/item.watch", { "sec-fetch-site": "cross-site" });
    expect([answer.status, answer.body]).toMatchObject([403, error("POLICY")]);
    expect(door.shop.begun).toEqual([]);
  });

  it("the HTTP server tells its observer when a subscription ends, for any reason", async () => {
    const told: [string, boolean][] = [];
    const shop = new Shop();
    const waybill = shop.waybill({
      observer: {
        onCall: ({ capability_id, envelope }) => void told.push([capability_id, envelope.ok]),
      },
    });
    const door = new Door({ waybill });
    await door.get(watch({ count: 1 }));
    await door.get(watch({ count: 1, fails: true }));
    const { body } = await door.ask(watch({}));
    await body!.cancel();
    await expect
      .poll(() => told)
      .toEqual([
        ["item.watch", true],
        ["item.watch", false],
        ["item.watch", true],
      ]);
  });

  it("/v1/subscribe returns a stream of events that closes with an end event", async () => {
    const params = encodeURIComponent('{"count":2}');
    const response = await new Door().ask(`/v1/subscribe/item.watch?params=${params}`);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = (await response.text()).trim().split("\n\n");
    expect(events).toHaveLength(3);
    expect(events[0]).toMatch(/^event: data\nid: 1\ndata: \{"data":\{"id":1,"title":"Item 1"\}/u);
    expect(events[2]).toBe("event: end\ndata: {}");
  });

  it.each([
    ["limit=2", 2, '{"stopped_by":"limit"}'],
    ["max_tokens=1", 1, '{"stopped_by":"tokens"}'],
    ["limit=9&max_tokens=9000", 3, "{}"],
  ])("/v1/subscribe?%s ends the subscription at its limit", async (limits, count, end) => {
    const response = await new Door().ask(`${watch({ count: 3 })}&${limits}`);
    const events = (await response.text()).trim().split("\n\n");
    expect(events).toHaveLength(count + 1);
    expect(events.at(-1)).toBe(`event: end\ndata: ${end}`);
  });

  it("/v1/subscribe closes a failed subscription with an error event", async () => {
    const params = '{"count":1,"fails":true}';
    const text = await (await new Door().ask(`/v1/subscribe/item.watch?params=${params}`)).text();
    expect(text.split("\n\n")[1]).toMatch(/^event: error\ndata: \{"ok":false/u);
  });

  it("/v1/subscribe cancels a subscription when its reader leaves or the server ends", async () => {
    for (const leave of ["reader", "server"]) {
      const door = new Door();
      const { body } = await door.ask("/v1/subscribe/item.watch");
      const reader = body!.getReader();
      await reader.read();
      await reader.read();
      const last = reader.read();
      await expect.poll(() => door.shop.begun).toEqual(["item.watch"]);
      if (leave === "reader") await reader.cancel();
      else door.app.end();
      await last;
      await expect.poll(() => door.shop.cancelled).toEqual(["item.watch"]);
    }
  });

  it("/v1/subscribe refuses an unknown id, invalid input and unknown parameters", async () => {
    const door = new Door();
    expect((await door.get("/v1/subscribe/item.wach")).status).toBe(404);
    expect((await door.get("/v1/subscribe/item.watch?params={")).status).toBe(400);
    expect((await door.get('/v1/subscribe/item.watch?params={"count":"x"}')).status).toBe(400);
    expect((await door.get("/v1/subscribe/item.watch?count=1")).status).toBe(400);
    expect((await door.get("/v1/subscribe/item.watch?limit=0")).status).toBe(400);
    expect((await door.get("/v1/subscribe/item.watch?max_tokens=x")).status).toBe(400);
  });
});

describe("access to the server", () => {
  const view = { params: { id: 1 } };

  it("the HTTP server requires a known token with the scope that the path needs", async () => {
    const door = new Door({ tokens: [ADA, BOB] });
    const asked = async (id: string, headers: Record<string, string>) => {
      const { status, body } = await door.post(`/v1/execute/${id}`, view, headers);
      return [status, Reflect.get(body["error"] ?? {}, "code")];
    };
    expect(await asked("item.view", {})).toEqual([401, "AUTH"]);
    expect(await asked("item.view", bearer("other"))).toEqual([401, "AUTH"]);
    expect(await asked("item.view", { authorization: "Basic YTpi" })).toEqual([401, "AUTH"]);
    expect(await asked("item.view", bearer("bob-token"))).toEqual([200, undefined]);
    const report = async (token: string) =>
      door.post("/v1/execute/staff.report", {}, bearer(token));
    expect((await report("ada-token")).body).toMatchObject({ ok: true });
    expect([(await report("bob-token")).status, (await report("bob-token")).body]).toMatchObject([
      403,
      error("POLICY"),
    ]);
    const { headers } = await door.post("/v1/execute/item.view", view);
    expect(headers.get("www-authenticate")).toBe('Bearer realm="waybill"');
  });

  it.each([
    ["the Host header of another site", { host: "evil.example" }],
    ["the Host header of another site and its port", { host: "evil.example:8080" }],
    ["an empty Host header", { host: "" }],
    ["the origin of another site", { origin: "https://evil.example" }],
    ["the origin null", { origin: "null" }],
    ["an origin that is not http", { origin: "foo://127.0.0.1" }],
    ["the origin of a file", { origin: "file://localhost" }],
    ["an origin with a path", { origin: "http://127.0.0.1/page" }],
    ["an origin with a user", { origin: "http://evil.example@127.0.0.1" }],
    ["a user in the Host header", { host: "evil.example@127.0.0.1" }],
    ["a path in the Host header", { host: "127.0.0.1/evil.example" }],
    ["two hosts in the Host header", { host: "127.0.0.1, evil.example" }],
  ])("the HTTP server returns 403 for a request with %s", async (_name, headers) => {
    const door = new Door();
    const answer = await door.post("/v1/execute/item.view", view, headers);
    expect([answer.status, answer.body]).toMatchObject([403, error("POLICY")]);
    expect((await door.get("/health", headers)).status).toBe(403);
  });

  it("the HTTP server accepts only the configured hosts and origins", async () => {
    const door = new Door({ hosts: ["way.example"], origins: ["page.example"] });
    const headers = { host: "way.example:1", origin: "https://page.example" };
    expect((await door.post("/v1/execute/item.view", view, headers)).status).toBe(200);
    const local = { host: "localhost" };
    expect((await door.post("/v1/execute/item.view", view, local)).status).toBe(403);
  });

  it("the HTTP server gives each caller a separate rate limit", async () => {
    const door = new Door({ tokens: [ADA, BOB], limits: { perSecond: 0.01, burst: 2 } });
    const ask = (token: string) => door.get("/v1/capabilities", bearer(token));
    expect([(await ask("ada-token")).status, (await ask("ada-token")).status]).toEqual([200, 200]);
    const refused = await ask("ada-token");
    expect([refused.status, refused.body]).toMatchObject([429, error("RATE_LIMIT")]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(1);
    expect((await ask("bob-token")).status).toBe(200);
  });

  it("/mcp passes the identity of the caller to the call, and refuses requests without a token", async () => {
    const seen: unknown[] = [];
    const door = new Door({
      tokens: [ADA],
      mcp: async (_request, { identity }) => {
        seen.push(identity);
        return new Response("mcp");
      },
    });
    expect((await door.post("/mcp", {})).status).toBe(401);
    expect((await door.post("/mcp", {}, bearer("ada-token"))).body).toEqual({ text: "mcp" });
    expect(seen).toEqual([ADA.identity]);
    expect((await new Door().post("/mcp", {})).status).toBe(404);
  });
});

const post = (body: string, headers: Record<string, string> = {}): Promise<Answered> =>
  new Door().post("/v1/execute/item.view", body, headers);

describe("request bodies", () => {
  const deep = `{"params":{"id":1,"x":${"[".repeat(100)}${"]".repeat(100)}}}`;

  it.each([
    ["malformed JSON", "{", 400, "not JSON"],
    ["NaN", '{"params":{"id":NaN}}', 400, "not JSON"],
    ["a duplicate name", '{"params":{"id":1,"id":2}}', 400, 'has the name \\"id\\" twice'],
    ["a duplicate name, once with an escape", '{"params":{"id":1,"\\u0069d":2}}', 400, "twice"],
    ["a duplicate name at the top level", '{"params":{"id":1},"params":{"id":2}}', 400, "twice"],
    ["deep nesting", deep, 400, "deeper than 64 levels"],
    ["very deep nesting", "[".repeat(500_000) + "]".repeat(500_000), 400, "deeper than 64 levels"],
    ["a list at the top level", "[]", 400, "must be an object"],
    ["an unknown member", '{"parms":{}}', 400, 'not \\"parms\\"'],
    ["too many bytes", JSON.stringify({ params: "x".repeat(2_000_000) }), 413, "bytes"],
  ])("the HTTP server refuses a request body with %s", async (_name, body, status, words) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body["error"])).toContain(words);
  });

  it("the HTTP server accepts a body that repeats a name in different objects or has quotes in strings", async () => {
    const body = '{"params": {"id" : 1}, "options": {"select": ["id", "a\\"id\\":"]}}';
    expect((await post(body)).status).toBe(200);
  });

  it("the HTTP server refuses a body whose content type is not JSON", async () => {
    const answer = await post('{"params":{"id":1}}', { "content-type": "text/plain" });
    expect(answer.status).toBe(400);
    const other = { "content-type": "application/vnd.waybill+json; charset=utf-8" };
    expect((await post('{"params":{"id":1}}', other)).status).toBe(200);
  });

  it("the HTTP server reads a body of unknown length only up to the limit", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1_000).fill(32));
      },
    });
    const init = { method: "POST", body: endless, duplex: "half" } as RequestInit;
    const door = new Door({ limits: { maxBodyBytes: 10_000 } });
    expect((await door.ask("/v1/execute/item.view", init)).status).toBe(413);
    expect(sent).toBeLessThan(20);
  });
});

describe("GET /openapi.json", () => {
  it("/openapi.json is a valid document and contains every operation", async () => {
    const door = new Door({ tokens: [ADA], mcp: async () => new Response("") });
    const { body } = await door.get("/openapi.json", bearer("ada-token"));
    const { valid, errors } = await new Validator().validate(structuredClone(body));
    expect([valid, errors]).toEqual([true, undefined]);
    const paths = Object.keys(body["paths"]!);
    for (const { spec } of door.shop.operations) {
      const kind = spec.kind === "subscription" ? "subscribe" : "execute";
      expect(paths).toContain(`/v1/${kind}/${spec.id}`);
    }
    const places = "execute/{id} chain capabilities explain/{id} subscribe/{id}".split(" ");
    const fixed = [...places.map((place) => `/v1/${place}`), "/health", "/metrics", "/mcp"];
    for (const path of fixed) expect(paths).toContain(path);
    expect(body).toMatchObject({ security: [{ bearer: [] }] });
  });
});
