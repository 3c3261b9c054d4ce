import { createWaybill, defineOperation } from "@waybill/core";
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
  return serve({ waybill: createWaybill({ operations }), tools: ["*"] });
}

describe.each(ERAS)("capabilities as tools, in the era of %s", (era) => {
  it("come after the four, by id, with what they take, answer and do", async () => {
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

  it("answer with the envelope, and with its data as structured content", async () => {
    const client = await connectTo(serve({ tools: ["item.*"] }), era);
    await client.listTools();
    const { envelope, structuredContent } = await call(client, "item_view", { id: 3, note: null });
    expect(envelope.data).toEqual({ id: 3, title: "Item 3", note: null });
    expect(structuredContent).toEqual(envelope.data);
  });

  it("have no structured content when they fail", async () => {
    const client = await connectTo(serve({ tools: ["item.*"] }), era);
    await client.listTools();
    const failed = await call(client, "item_view", { id: "three" });
    expect([failed.isError, failed.structuredContent]).toEqual([true, undefined]);
    expect(failed.envelope.error.details).toHaveProperty("signature");
  });

  it("may be cut to fit and still are what they promise", async () => {
    const client = await connectTo(serve({ tools: ["item.*"], maxTokens: 500 }), era);
    await client.listTools();
    const { envelope, structuredContent } = await call(client, "item_list", { count: 900 });
    expect(envelope.meta["truncated"]).toBe(true);
    expect(structuredContent).toEqual(envelope.data);
  });

  it("mark an answer that is not what was promised, which is then not structured", async () => {
    const output = { type: "object", properties: { id: { type: "integer" } } };
    const client = await connectTo(serveOperations(operation("a.b", output, { id: "x" })), era);
    await client.listTools();
    const { isError, envelope, structuredContent } = await call(client, "a_b");
    expect([isError, envelope.data, structuredContent]).toEqual([true, { id: "x" }, undefined]);
  });

  it("take inputs by names that models can write", async () => {
    const client = await connectTo(serveOperations(operation("a.b", true, undefined)), era);
    const { tools } = await client.listTools();
    expect(Object.keys(tools.at(-1)?.inputSchema.properties ?? {})).toEqual(["page_size_"]);
    const { envelope } = await call(client, "a_b", { page_size_: 3 });
    expect(envelope.data).toEqual({ "page[size]": 3 });
  });
});

it("are told apart where their ids would be the same name, or one of the four", async () => {
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
])("are written for the client: %s", async (name, note) => {
  const client = await connectTo(serve({ tools: ["item.view"] }), "2026-07-28", { name });
  const { tools } = await client.listTools();
  expect(tools.at(-1)?.inputSchema.properties?.["note"]).toEqual(note);
});
