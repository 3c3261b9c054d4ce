import { createWaybill, defineOperation, localSource } from "@waybill/core";
import { placedSource } from "@waybill/core/cards";
import { estimateTokens } from "@waybill/core/protocol";
import type { JsonSchema, Operation } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { ERAS, call, connectTo } from "./fixtures/clients.ts";
import { Shop } from "./fixtures/shop.ts";
import { createMcpHttpHandler } from "./index.ts";
import type { McpHttpHandler, McpHttpOptions } from "./index.ts";

function serve(options: Partial<McpHttpOptions>): McpHttpHandler {
  const waybill = new Shop().waybill();
  const handler = createMcpHttpHandler({ waybill, version: "0.0.0", ...options });
  onTestFinished(() => handler.close());
  return handler;
}

function operation(id: string, output: JsonSchema, answer: unknown): Operation {
  const input = { type: "object", properties: { "page[size]": { type: "integer" } } } as const;
  const handler = (given: unknown): unknown => answer ?? given;
  return defineOperation({ id, description: id, effect: "read", input, output, handler });
}

function serveOperations(...operations: Operation[]): McpHttpHandler {
  return serve({ waybill: createWaybill({ operations }), tools: ["*"], structured: true });
}

function writing(id: string, assumed: boolean): Operation {
  const { spec, run } = defineOperation({
    id,
    description: "Do\u202E it",
    effect: "write",
    handler: () => null,
  });
  return { spec: { ...spec, assumed }, run };
}

describe.each(ERAS)("capability tools, protocol %s", (era) => {
  it("the tool list of the MCP server has capability tools after the four general tools, sorted by id, with hints", async () => {
    const client = await connectTo(serve({ tools: ["item.*"] }), era);
    const { tools } = await client.listTools();
    const own = tools.slice(4);
    expect(own.map(({ name }) => name)).toEqual([
      "item_delete",
      "item_list",
      "item_view",
      "item_wait",
    ]);
    expect(own.map(({ annotations }) => annotations)).toMatchObject([
      { destructiveHint: true },
      { readOnlyHint: true },
      { readOnlyHint: true },
      { readOnlyHint: true },
    ]);
    expect(own[2]?.inputSchema).toEqual({
      type: "object",
      properties: { id: { type: "integer" }, note: { type: "string", nullable: true } },
      required: ["id"],
    });
    expect((await client.listTools()).tools).toEqual(tools);
  });

  it("a capability tool whose effect is only assumed has no hints, and its description names its source", async () => {
    const operations = [writing("shop.guess", true), writing("shop.known", false)];
    const source = placedSource(localSource("shop", operations), { origin: "user" });
    const handler = serve({ waybill: createWaybill({ sources: [source] }), tools: ["*"] });
    const { tools } = await (await connectTo(handler, era)).listTools();
    expect(tools.slice(4)).toMatchObject([
      { name: "shop_guess", description: "Do it [source: shop, your configuration]" },
      { name: "shop_known", annotations: { destructiveHint: false } },
    ]);
    expect(tools[4]?.annotations).toEqual({});
  });

  it("a capability tool sends its data only as text if structured content is turned off", async () => {
    const client = await connectTo(serve({ tools: ["item.*"] }), era);
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
    const { envelope, structuredContent } = await call(client, "item_view", { id: 3 });
    expect(envelope.data).toMatchObject({ id: 3, title: "Item 3" });
    expect(structuredContent).toBeUndefined();
  });

  it("a capability tool returns the envelope and its data as structured content", async () => {
    const client = await connectTo(serve({ tools: ["item.*"], structured: true }), era);
    await client.listTools();
    const { envelope, structuredContent } = await call(client, "item_view", { id: 3, note: null });
    expect(envelope.data).toEqual({ id: 3, title: "Item 3", note: null });
    expect(structuredContent).toEqual(envelope.data);
  });

  it("a failed capability tool has no structured content in its answer", async () => {
    const client = await connectTo(serve({ tools: ["item.*"], structured: true }), era);
    await client.listTools();
    const failed = await call(client, "item_view", { id: "three" });
    expect([failed.isError, failed.structuredContent]).toEqual([true, undefined]);
    expect(failed.envelope.error.details).toHaveProperty("signature");
  });

  it("the structured content of a cut MCP answer equals the data of the envelope in the text", async () => {
    const client = await connectTo(
      serve({ tools: ["item.*"], structured: true, maxTokens: 500 }),
      era,
    );
    await client.listTools();
    const { envelope, structuredContent } = await call(client, "item_list", { count: 900 });
    expect(envelope.meta["truncated"]).toBe(true);
    expect(structuredContent).toEqual(envelope.data);
  });

  it("text and structured content of an MCP answer together stay within the token budget", async () => {
    const client = await connectTo(
      serve({ tools: ["item.*"], structured: true, maxTokens: 500 }),
      era,
    );
    await client.listTools();
    const { text, structuredContent } = await call(client, "item_list", { count: 900 });
    const sum = estimateTokens(text) + estimateTokens(JSON.stringify(structuredContent));
    expect(sum).toBeLessThanOrEqual(500);
  });

  it("structured content is left out of an MCP answer if the budget is too small for text and structured content", async () => {
    const client = await connectTo(
      serve({ tools: ["item.*"], structured: true, maxTokens: 300 }),
      era,
    );
    await client.listTools();
    const { text, structuredContent } = await call(client, "item_list", { count: 900 });
    expect([estimateTokens(text) <= 300, structuredContent]).toEqual([true, undefined]);
  });

  it.each([
    ["an object", { id: "x" }, { id: "x" }],
    ["a list", [1], { value: [1] }],
  ])(
    "an MCP answer reports a write as made even if its result does not match its schema: %s",
    async (_name, given, sent) => {
      const output = { type: "object", properties: { id: { type: "integer" } } } as const;
      const made: unknown[] = [];
      const create = defineOperation({
        id: "a.create",
        description: "Make something",
        effect: "write",
        input: { type: "object" },
        output,
        handler: (input) => {
          made.push(input);
          return given as never;
        },
      });
      const client = await connectTo(serveOperations(create), era);
      await client.listTools();
      const { isError, envelope, structuredContent } = await call(client, "a_create");
      expect([isError, envelope.ok, envelope.data]).toEqual([false, true, given]);
      expect(envelope.meta["warnings"]).toHaveLength(1);
      expect([structuredContent, made.length]).toEqual([sent, 1]);
    },
  );

  it("capability tools have input names without characters that model providers refuse, such as brackets", async () => {
    const client = await connectTo(serveOperations(operation("a.b", true, undefined)), era);
    const { tools } = await client.listTools();
    expect(Object.keys(tools.at(-1)?.inputSchema.properties ?? {})).toEqual(["page_size_"]);
    const { envelope } = await call(client, "a_b", { page_size_: 3 });
    expect(envelope.data).toEqual({ "page[size]": 3 });
  });
});

it("capability tools of the MCP server get unique names, even if two ids would give one name", async () => {
  const ids = ["a.b_c", "a_b.c", "list.capabilities", `a.${"long".repeat(30)}`, "0.x"];
  const handler = serveOperations(...ids.map((id) => operation(id, true, 1)));
  const client = await connectTo(handler, "2025-11-25");
  const names = (await client.listTools()).tools.slice(4).map(({ name }) => name);
  expect(new Set(names).size).toBe(5);
  for (const name of names) expect(name).toMatch(/^[A-Za-z_][\w-]{0,49}$/u);
  for (const name of names) expect((await call(client, name)).envelope.data).toBe(1);
});

it.each([
  ["claude-code", { type: ["string", "null"] }],
  ["codex-mcp-client", { type: ["string", "null"] }],
  ["gemini-cli-mcp-client", { type: "string", nullable: true }],
  ["some-editor", { type: "string", nullable: true }],
])(
  "the MCP server writes the schema of a capability tool for the client %s",
  async (name, note) => {
    const client = await connectTo(serve({ tools: ["item.view"] }), "2026-07-28", { name });
    const { tools } = await client.listTools();
    expect(tools.at(-1)?.inputSchema.properties?.["note"]).toEqual(note);
  },
);
