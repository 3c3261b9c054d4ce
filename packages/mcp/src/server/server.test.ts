import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { fail } from "@waybill/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ERAS, HOST, call, connectTo, withHost } from "./fixtures/clients.ts";
import type { ClientSettings, Era } from "./fixtures/clients.ts";
import { Shop } from "./fixtures/shop.ts";
import { createMcpHttpHandler } from "./index.ts";
import type { McpHttpHandler, McpHttpOptions } from "./index.ts";

function serve(shop: Shop, options: Partial<McpHttpOptions> = {}): McpHttpHandler {
  const handler = createMcpHttpHandler({ waybill: shop.waybill(), version: "1.2.3", ...options });
  onTestFinished(() => handler.close());
  return handler;
}

async function open(
  era: Era,
  options: Partial<McpHttpOptions> = {},
  settings: ClientSettings = {},
) {
  const shop = new Shop();
  return { shop, client: await connectTo(serve(shop, options), era, settings) };
}

it("the four general tools of the MCP server cost a session at most 300 tokens", async () => {
  const { client } = await open("2025-11-25", { brief: true });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "execute",
    "explain",
    "list_capabilities",
    "chain",
  ]);
  // A model sees these three members of a tool.
  const shown = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  );
  const tokens = shown.reduce((sum, tool) => sum + encode(tool).length, 0);
  expect(tokens).toBeLessThanOrEqual(300);
});

it.each([
  [true, /Answers data, or the error/u],
  [false, /Answers \{ok,data,error,meta\}/u],
])(
  "the description of the tool execute names the form of the answer (brief: %s)",
  async (brief, answers) => {
    const { client } = await open("2025-11-25", { brief });
    const { tools } = await client.listTools();
    expect(tools[0]?.description).toMatch(answers);
  },
);

describe.each(ERAS)("the MCP server, protocol %s", (era) => {
  it("the tool execute calls a capability and returns the envelope", async () => {
    const { client } = await open(era);
    const { isError, envelope } = await call(client, "execute", {
      capability_id: "item.view",
      params: { id: 3 },
      options: { select: ["title"] },
    });
    expect(isError).toBe(false);
    expect(envelope).toMatchObject({ ok: true, data: { title: "Item 3" }, error: null });
  });

  it("the tool execute's error for a wrong input or id contains the right signature or name", async () => {
    const { client } = await open(era);
    const wrong = await call(client, "execute", { capability_id: "item.view", params: { di: 3 } });
    expect(wrong.isError).toBe(true);
    expect(wrong.envelope.error.details["signature"]).toBe(
      "item.view(id:integer, note?:string|null)",
    );
    const unknown = await call(client, "execute", { capability_id: "item.veiw" });
    expect(unknown.envelope.error.code).toBe("NOT_FOUND");
    const stray = await call(client, "execute", { capability_id: "item.view", parms: { id: 3 } });
    expect(stray.envelope.error.message).toContain("not parms");
    expect(stray.envelope.error.details["issues"]).toMatchObject([{ did_you_mean: "params" }]);
  });

  it("the tools explain, list_capabilities and chain return answers, and errors for wrong input", async () => {
    const { client } = await open(era);
    const explained = await call(client, "explain", { capability_id: "item.view" });
    expect(explained.text).toContain("in: id:integer, note?:string|null");
    const nothing = await call(client, "explain", { capability_id: "item.veiw" });
    expect([nothing.isError, nothing.envelope.error.code]).toEqual([true, "NOT_FOUND"]);
    const listed = await call(client, "list_capabilities", { domain: "item" });
    expect(listed.text.split("\n")[0]).toBe("item.delete Delete an item");
    expect((await call(client, "list_capabilities", { query: "qqqq" })).text).toBe(
      "Nothing matches",
    );
    const steps = [
      { task: "item.view", input: { id: 7 } },
      { task: "item.view", input: { id: { $from: "s0.data.id" } } },
    ];
    const chained = await call(client, "chain", { steps });
    expect(JSON.parse(chained.text)).toMatchObject({ status: "success", meta: { succeeded: 2 } });
    expect((await call(client, "chain", { steps: "none" })).isError).toBe(true);
  });

  it("every answer of the MCP server stays within its token budget, and the full result is readable as a resource", async () => {
    const { client } = await open(era, { maxTokens: 1_000 });
    const long = { capability_id: "item.list", params: { count: 900 } };
    const { text, envelope } = await call(client, "execute", long);
    expect(encode(text).length).toBeLessThanOrEqual(1_000);
    expect(envelope.meta["truncated"]).toBe(true);
    const handle = String(envelope.meta["handle"]);
    const { contents } = await client.readResource({ uri: `waybill://result/${handle}` });
    const page = JSON.parse(String(Reflect.get(contents[0]!, "text"))) as { total: number };
    expect(page).toMatchObject({ path: "", value: { items: expect.any(Array) as unknown } });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates[0]?.uriTemplate).toContain("waybill://result/{handle}");
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource({ uri: "waybill://result/r_0" })).rejects.toThrow("not found");
    await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow("not found");
    const steps = [long, long].map(({ capability_id: task, params: input }) => ({ task, input }));
    const chained = await call(client, "chain", { steps });
    expect(encode(chained.text).length).toBeLessThanOrEqual(1_000);
  });

  it("the tools of the MCP server accept an object that a model wrote as a JSON string", async () => {
    const { client } = await open(era);
    const args = { capability_id: "item.view", params: '{"id": 3}', options: '{"trace": true}' };
    const { envelope } = await call(client, "execute", args);
    expect(envelope).toMatchObject({ ok: true, meta: { attempts: [{ status: "success" }] } });
    const wrong = await call(client, "execute", { ...args, options: "fast" });
    expect(wrong.envelope.error.message).toBe("options must be an object");
    const twice = await call(client, "execute", { ...args, params: '{"id":3,"id":4}' });
    expect(twice.envelope.error.message).toBe('params has the name "id" twice');
  });

  it("the MCP server offers its skill text as a prompt", async () => {
    const { client } = await open(era, { skill: "Use execute." });
    const { prompts } = await client.listPrompts();
    const { messages } = await client.getPrompt({ name: prompts[0]!.name });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Use execute." } }]);
    await expect(client.getPrompt({ name: "other" })).rejects.toThrow("There is no prompt");
    const { client: bare } = await open(era);
    expect((await bare.listPrompts()).prompts).toEqual([]);
  });

  it("a call through the MCP server is cancelled when its client cancels the request", async () => {
    const { shop, client } = await open(era);
    const stop = new AbortController();
    const waiting = client.callTool(
      { name: "execute", arguments: { capability_id: "item.wait" } },
      { signal: stop.signal },
    );
    const ended = waiting.catch((error: unknown) => error);
    await expect.poll(() => shop.begun).toEqual(["item.wait"]);
    stop.abort();
    expect(String(await ended)).toContain("abort");
    await expect.poll(() => shop.cancelled).toEqual(["item.wait"]);
  });

  it("the MCP server tells a client that asks for progress how long a call has taken", async () => {
    const { client } = await open(era, { progressMs: 20 });
    const stop = new AbortController();
    const heard: number[] = [];
    const waiting = client.callTool(
      { name: "execute", arguments: { capability_id: "item.wait" } },
      { signal: stop.signal, onprogress: ({ progress }) => heard.push(progress) },
    );
    await expect.poll(() => heard.length).toBeGreaterThan(1);
    stop.abort();
    await expect(waiting).rejects.toThrow("abort");
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  });

  it("the MCP server's error for a call of an unknown tool names the tool", async () => {
    const { client } = await open(era);
    await expect(call(client, "exeute")).rejects.toThrow('There is no tool "exeute"');
  });
});

describe("access to the MCP server over HTTP", () => {
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  });
  const post = (host: string, headers: object = {}, body = initialize): Request => {
    const accept = "application/json, text/event-stream";
    const all = { accept, "content-type": "application/json", ...headers };
    return withHost(new Request(`${HOST}/mcp`, { method: "POST", headers: all, body }), host);
  };

  const ping = (session: string): Request =>
    post(
      "localhost",
      { "mcp-session-id": session },
      '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
    );

  it.each([
    ["with the Host header of another site", post("evil.example")],
    ["from the page of another site", post("127.0.0.1:8080", { origin: "https://evil.example" })],
    ["from a page without an origin", post("127.0.0.1:8080", { origin: "null" })],
    ["from an origin that is not http", post("127.0.0.1:8080", { origin: "foo://127.0.0.1" })],
  ])("the MCP server over HTTP refuses a request %s", async (_name, request) => {
    expect((await serve(new Shop()).fetch(request)).status).toBe(403);
  });

  it("the MCP server over HTTP accepts only the configured hosts and origins", async () => {
    const handler = serve(new Shop(), { hosts: ["way.example"], origins: ["page.example"] });
    const asked = post("way.example", { origin: "https://page.example" });
    expect((await handler.fetch(asked)).status).toBe(200);
    expect((await handler.fetch(post("127.0.0.1:8080"))).status).toBe(403);
  });

  it("the MCP server over HTTP refuses a body over the limit or with malformed JSON", async () => {
    const handler = serve(new Shop(), { maxBodyBytes: 1_000 });
    const large = post("localhost", {}, JSON.stringify({ x: "x".repeat(2_000) }));
    expect((await handler.fetch(large)).status).toBe(413);
    expect((await handler.fetch(post("localhost", {}, "{"))).status).toBe(400);
  });

  it.each([
    ["endless nesting", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["a number that is not JSON", "NaN"],
    ["a duplicate name", '{"id":1,"id":2}'],
  ])(
    "the MCP server over HTTP refuses params with %s, and answers the next request",
    async (_name, params) => {
      const handler = serve(new Shop());
      const facts = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const send = async (text: string): Promise<string> => {
        const args = `{"capability_id":"item.view","params":${text}}`;
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":${args},"_meta":${JSON.stringify(facts)}}}`;
        const headers = {
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "execute",
        };
        return (await handler.fetch(post("localhost", headers, body))).text();
      };
      expect(await send(params)).toContain('"code":-32');
      expect(await send('{"id":3}')).toContain("Item 3");
    },
  );

  it.each([
    ["a duplicate name", '{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/list"}', 7],
    ["a duplicate id", '{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}', null],
    [
      "a duplicate id, and another duplicate name before it",
      '{"jsonrpc":"2.0","method":"ping","method":"tools/list","id":7,"id":8}',
      null,
    ],
    [
      "a duplicate id in the arguments",
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"id":1,"id":2}}}',
      7,
    ],
    [
      "a duplicate name after a byte order mark",
      `\uFEFF${initialize.replace('"method":', '"method":"ping","method":')}`,
      1,
    ],
    [
      "too deep nesting",
      `{"jsonrpc":"2.0","id":7,"method":"ping","params":${"[".repeat(600)}${"]".repeat(600)}}`,
      7,
    ],
  ])("the MCP server over HTTP refuses a message with %s", async (_name, body, id) => {
    const answer = await serve(new Shop()).fetch(post("localhost", {}, body));
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        jsonrpc: "2.0",
        id,
        error: { code: -32_600, message: expect.stringMatching(/twice|nests deeper/u) as string },
      },
    ]);
  });

  it("a message to the MCP server over HTTP can begin with one byte order mark", async () => {
    const handler = serve(new Shop());
    const send = async (marks: string): Promise<number> =>
      (await handler.fetch(post("localhost", {}, `${marks}${initialize}`))).status;
    expect(await send("\uFEFF")).toBe(200);
    expect(await send("\uFEFF\uFEFF")).toBe(400);
  });

  it("a session of the MCP server cannot be used by another caller, nor after a new session has replaced it", async () => {
    const handler = serve(new Shop(), { maxSessions: 1 });
    const begin = async (id: string): Promise<string> => {
      const answer = await handler.fetch(post("localhost"), { identity: { id, scopes: [] } });
      return answer.headers.get("mcp-session-id")!;
    };
    const ada = { identity: { id: "ada", scopes: [] } };
    const session = await begin("ada");
    expect((await handler.fetch(ping(session), ada)).status).toBe(200);
    const bob = { identity: { id: "bob", scopes: [] } };
    expect((await handler.fetch(ping(session), bob)).status).toBe(404);
    await begin("bob");
    expect((await handler.fetch(ping(session), ada)).status).toBe(404);
  });

  const begin = async (handler: McpHttpHandler): Promise<string> =>
    (await handler.fetch(post("localhost"))).headers.get("mcp-session-id")!;
  const statusOf = async (handler: McpHttpHandler, session: string): Promise<number> =>
    (await handler.fetch(ping(session))).status;

  it("the MCP server drops the session that was unused for the longest time if there are too many sessions", async () => {
    const handler = serve(new Shop(), { maxSessions: 2 });
    const [first, second] = [await begin(handler), await begin(handler)];
    expect(await statusOf(handler, first)).toBe(200);
    await begin(handler);
    expect(await statusOf(handler, second)).toBe(404);
    expect(await statusOf(handler, first)).toBe(200);
  });

  it("the MCP server drops a session that was unused for ten minutes when the next session begins", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const handler = serve(new Shop(), { maxSessions: 10 });
    const [idle, used] = [await begin(handler), await begin(handler)];
    vi.setSystemTime(Date.now() + 9 * 60_000);
    expect(await statusOf(handler, used)).toBe(200);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    await begin(handler);
    expect([await statusOf(handler, idle), await statusOf(handler, used)]).toEqual([404, 200]);
  });

  it.each(ERAS)(
    "a caller of the MCP server can call only what the caller's scopes allow, protocol %s",
    async (era) => {
      const handler = serve(new Shop());
      const as = (scopes: readonly string[]): McpHttpHandler => ({
        ...handler,
        fetch: (request) => handler.fetch(request, { identity: { id: scopes.join(), scopes } }),
      });
      const args = { capability_id: "staff.report" };
      const staff = await call(await connectTo(as(["staff"]), era), "execute", args);
      const guest = await call(await connectTo(as(["guest"]), era), "execute", args);
      expect([staff.envelope.ok, guest.envelope.error.code]).toEqual([true, "POLICY"]);
    },
  );
});

describe("closing the MCP server", () => {
  it("closing the MCP server ends the event streams of its clients", async () => {
    const handler = serve(new Shop());
    const post = (headers: Record<string, string>, body: object): Promise<Response> =>
      handler.fetch(
        withHost(
          new Request(`${HOST}/mcp`, {
            method: "POST",
            headers: {
              accept: "application/json, text/event-stream",
              "content-type": "application/json",
              ...headers,
            },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
          }),
        ),
      );
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const hello = await post({}, { method: "initialize", params });
    const session = { "mcp-session-id": hello.headers.get("mcp-session-id")! };
    const listen = (): Promise<Response> =>
      handler.fetch(
        withHost(
          new Request(`${HOST}/mcp`, { headers: { accept: "text/event-stream", ...session } }),
        ),
      );
    const older = await listen();
    const newer = await post(
      { "mcp-method": "subscriptions/listen", "mcp-protocol-version": "2026-07-28" },
      {
        method: "subscriptions/listen",
        params: {
          notifications: {},
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": clientInfo,
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      },
    );
    expect([older.status, newer.status]).toEqual([200, 200]);
    handler.end();
    await Promise.all([older.text(), newer.text()]);
    expect((await listen()).status).toBe(503);
  });

  it.each(ERAS)(
    "an MCP handler that closes answers the calls that it aborts, protocol %s",
    async (era) => {
      const shop = new Shop();
      const handler = serve(shop);
      const client = await connectTo(handler, era);
      const waiting = call(client, "execute", { capability_id: "item.wait" });
      await expect.poll(() => shop.begun).toEqual(["item.wait"]);
      handler.abort(fail("NOT_READY", "The server shut down before the call ended"));
      const { envelope } = await waiting;
      expect(envelope.error).toMatchObject({ code: "NOT_READY", retryable: true });
      expect(shop.cancelled).toEqual(["item.wait"]);
    },
  );
});
